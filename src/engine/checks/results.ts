import path from 'node:path'
import * as z from 'zod/mini'
import { unless } from '../../errors/unless.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { timestampSchema } from '../../protocol/time.ts'
import { createOnce, disk } from '../../platform/storage/disk.ts'
import { sealed, unsealed } from '../../platform/storage/seal.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { makePlain } from '../../platform/storage/plain-file.ts'
import { makeFolder } from './make-folder.ts'
import { isFolder } from '../../platform/storage/folder-fault.ts'
import { numbersIn } from '../../platform/storage/numbered-names.ts'

/** How a configured check that fed ran ended: the evidence for a commit. */
const resultSchema = z.strictObject({
  /** When it ended. */
  at: timestampSchema,
  check: z.string(),
  command: z.string(),
  /** Of the definition by which it ran. */
  digest: z.string(),
  commit: z.string(),
  passed: z.boolean(),
  /** Null where it did not end by itself, or did not begin. */
  exitCode: z.nullable(z.int()),
  /** Why it did not pass, in words that follow its name; null where it passed. */
  fault: z.nullable(z.string()),
  durationMs: z.int(),
  /** Absolute path of what it printed. */
  log: z.string(),
  /** Why no walls held it; null where they did, and where it did not begin. */
  open: z.nullable(z.string()),
})
export type CheckResult = z.infer<typeof resultSchema>

/** As it was written before checks were held. */
const firstFormat = ownFormat('fed-check-1', z.omit(resultSchema, { open: true }))

const format = ownFormat('fed-check-2', resultSchema)

/** Where a team's results on one commit are. */
export interface ResultPlace {
  readonly root: string
  readonly team: string
  /** Its whole id, as git gives it. */
  readonly commit: string
}

/** A result is some hundred bytes. */
const largestBytes = 65_536

function foldersOf({ root, team, commit }: ResultPlace): [base: string, ...names: string[]] {
  const { fed, checks } = federationLayout(root)
  return [fed, path.basename(checks), team, commit]
}

/**
 * Makes the file for what the next run of a check prints, under a number that no other run has.
 * @returns the log, and the file for the result beside it.
 * @throws {FedError} when a link or a file lies in the way.
 */
export function newRun(place: ResultPlace, name: string): { readonly log: string; readonly file: string } {
  const folder = makeFolder(...foldersOf(place))
  for (let number = 1; ; number += 1) {
    const run = path.join(folder, `${name}.${number}`)
    // never what somebody put there, nor what a link leads to
    if (makePlain(`${run}.log`)) return { log: `${run}.log`, file: `${run}.json` }
  }
}

/** Records how a run ended, sealed; durable before it returns. */
export function recordResult(file: string, result: CheckResult): void {
  createOnce(file, `${JSON.stringify(sealed(format.stamp(resultSchema.parse(result))), null, 2)}\n`)
}

/**
 * The newest result of a check on a commit, by this definition; null before the first. A file that is no result
 * of it, or that somebody changed, counts for nothing.
 * @throws {NewerFormatError}
 */
export function newestResult(
  place: ResultPlace,
  { name, digest }: { readonly name: string; readonly digest: string },
): CheckResult | null {
  const [base, ...names] = foldersOf(place)
  const folders = names.map((_, index) => path.join(base, ...names.slice(0, index + 1)))
  if (!folders.every(isFolder)) return null
  const folder = folders.at(-1) as string
  for (const number of numbersIn(disk.list(folder), `${name}.`, '.json').toReversed()) {
    const result = readResult(path.join(folder, `${name}.${number}.json`))
    const isMeant = result?.check === name && result.digest === digest && result.commit === place.commit
    if (isMeant) return result
  }
  return null
}

const earlier = 'an earlier release ran it'

function readResult(file: string): CheckResult | undefined {
  const { json, isIntact } = openResult(file)
  const first = firstFormat.isOf(json) ? firstFormat.decodeOrNothing(json, file) : undefined
  const result = first === undefined ? format.decodeOrNothing(json, file) : { ...first, open: earlier }
  return isIntact ? result : undefined
}

function openResult(file: string): ReturnType<typeof unsealed> {
  const outside = readOutside(file, { largestBytes, followLinks: false })
  const json =
    outside.kind === 'text' ? unless(SyntaxError, () => JSON.parse(outside.text) as unknown) : undefined
  return unsealed(json)
}

/** Results on all commits of a team that somebody changed, or that fed did not write on this machine: their files. */
export function changedResults(root: string, team: string): string[] {
  const { fed, checks } = federationLayout(root)
  const folders = [path.basename(checks), team].map((_, index, names) =>
    path.join(fed, ...names.slice(0, index + 1)),
  )
  if (!folders.every(isFolder)) return []
  const ofTeam = folders.at(-1) as string
  return disk
    .list(ofTeam)
    .map((commit) => path.join(ofTeam, commit))
    .filter(isFolder)
    .flatMap((folder) => disk.list(folder).map((name) => path.join(folder, name)))
    .filter((file) => {
      const { json, isIntact } = openResult(file)
      return !isIntact && (format.isOf(json) || firstFormat.isOf(json))
    })
}
