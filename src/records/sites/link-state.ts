import path from 'node:path'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { unless } from '../../errors/unless.ts'
import { disk, replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { isClaimed } from '../../platform/storage/claim.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { timestampSchema } from '../../protocol/time.ts'

/** What a running link tells of itself. */
const linkStateSchema = z.strictObject({
  pid: z.int(),
  at: timestampSchema,
  /** The server that it speaks with; null while none answers. */
  server: z.nullable(z.string()),
  /** Why none does. */
  trouble: z.nullable(z.string()),
  /** How many signals it sent and took in since it runs. */
  sent: z.int(),
  takenIn: z.int(),
  /** Whether it has read everything that the servers have. */
  isCaughtUp: z.boolean(),
  /** When it had, last. */
  readAt: z.nullable(timestampSchema),
  /** What does not leave this site, and why. */
  held: z.array(z.strictObject({ team: z.string(), why: z.string() })),
  /** What could not be brought or put aside, and other things that a person should know. */
  notes: z.array(z.string()),
})
export type LinkState = z.infer<typeof linkStateSchema>

const format = ownFormat('fed-link-state-1', linkStateSchema)

/** Name of the claim that a running link has. */
export const CLAIM = 'link'

function fileOf(root: string): string {
  return path.join(federationLayout(root).link, 'state.json')
}

export function writeLinkState(root: string, state: LinkState): void {
  const { link } = federationLayout(root)
  replaceFile(fileOf(root), format.textOf(state), link, { mode: WRITABLE, isDurable: false })
}

/** What the link that runs told last; undefined where none runs. */
export function readLinkState(root: string): LinkState | undefined {
  return isClaimed(federationLayout(root).link, CLAIM) ? stateIn(root) : undefined
}

/** When everything that the servers had was read here last, in milliseconds since 1970; undefined where it never was. */
export function lastCaughtUp(root: string): number | undefined {
  const { readAt = null } = stateIn(root) ?? {}
  return readAt === null ? undefined : Date.parse(readAt)
}

function stateIn(root: string): LinkState | undefined {
  const file = fileOf(root)
  const text = unless(CorruptDocumentError, () => disk.read(file))
  const json = text === undefined ? undefined : unless(SyntaxError, () => JSON.parse(text) as unknown)
  return format.decodeOrNothing(json, file)
}
