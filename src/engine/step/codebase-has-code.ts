import { git } from '../../platform/git/git.ts'

/** Extensions of languages in which programs are written; data, markup and prose are none. */
const codeExtension =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|scala|cs|fs|vb|c|h|cc|cpp|cxx|hh|hpp|hxx|m|mm|rb|php|swift|dart|ex|exs|erl|hs|ml|clj|lua|pl|pm|r|jl|sh|bash|zsh|ps1|sql|zig|nim|vue|svelte|el|lisp|f90|pas|asm|s)$/i

/** Whether the codebase holds any code, tracked or not yet: without any, a document needs no code examples. */
export function codebaseHasCode(root: string): boolean {
  return git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
    .split('\0')
    .some((file) => codeExtension.test(file))
}
