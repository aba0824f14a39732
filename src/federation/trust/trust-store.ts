import { mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { FedError } from '../../errors/fed-error.ts'
import { claim } from '../../platform/storage/claim.ts'
import { replaceFile } from '../../platform/storage/disk.ts'
import { personsFolder } from '../../platform/storage/persons-folder.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { timestampSchema } from '../../protocol/time.ts'
import { readSmallDocument } from '../small-document.ts'

/** What a person allowed in one federation. */
const trustedSchema = z.strictObject({
  /** The federation's root, links followed. */
  root: z.string(),
  at: timestampSchema,
  /** By part, and in it by name: digests of what was allowed. */
  allows: z.record(z.string(), z.record(z.string(), z.string())),
})
export type Trusted = z.infer<typeof trustedSchema>

const format = ownFormat('fed-trust-1', z.strictObject({ federations: z.array(trustedSchema) }))

/** Longest that another process is waited for, in milliseconds: it writes a few lines. */
const patienceMs = 5000
const pollMs = 5

/** Where it is kept what this person trusts: outside of every repository. */
export function trustFile(): string {
  return path.join(personsFolder('config'), 'trust.json')
}

/**
 * Everything that this person trusts.
 * @throws {CorruptDocumentError | NewerFormatError}
 */
export function allTrusted(): readonly Trusted[] {
  return readSmallDocument(trustFile(), format, { followLinks: true })?.federations ?? []
}

/** What is trusted of a federation; undefined where nothing was. */
export function trustedIn(root: string): Trusted | undefined {
  const real = realpathSync(root)
  return allTrusted().find((one) => one.root === real)
}

/**
 * Puts something in place of what is trusted of a federation, which need not be there any more.
 * @param real its root, links followed.
 * @returns whether anything was trusted of it before.
 * @throws {FedError} while another process writes, all the time; the file system's error.
 */
export function replaceTrusted(
  real: string,
  change: (before: Trusted | undefined) => Trusted | undefined,
): boolean {
  const file = trustFile()
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const release = claimed(path.dirname(file))
  try {
    const all = allTrusted()
    const before = all.find(({ root }) => root === real)
    const after = change(before)
    const federations = [...all.filter((one) => one !== before), ...(after === undefined ? [] : [after])]
    if (before !== after) replaceFile(file, format.textOf({ federations }), undefined, { mode: 0o600 })
    return before !== undefined
  } finally {
    release()
  }
}

function claimed(folder: string): () => void {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline;) {
    const release = claim(folder, 'trust')
    if (release !== undefined) return release
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
  throw new FedError(`${trustFile()}: other processes write it all the time; give the command again`)
}
