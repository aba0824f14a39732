import * as z from 'zod/mini'

/** What git takes in no name of a branch; several of these would make it another commit's (`main~3`). */
const refused = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|(?:^|\/)\.|(?:\.lock|\.)(?:\/|$)|^[-/]|\/$|^@$/u

/** Whether git takes a name for a branch, as `git check-ref-format` says it. */
export function isBranchName(name: string): boolean {
  return name !== '' && !refused.test(name)
}

/** Name of a branch, without `refs/heads/`. */
export const branchNameSchema = z.string().check(z.refine(isBranchName, 'is no name of a branch'))
