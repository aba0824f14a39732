import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { strictDecoder, stamped, type Draft } from '../../protocol/commit-record.ts'
import { signalSchema, signalTypes } from '../../protocol/signal.ts'
import { addressSchema, teamIdSchema } from '../../protocol/team-id.ts'
import { timestampSchema } from '../../protocol/time.ts'

/** Format of a lifecycle's versions; a later format gets a later number and reads this one. */
export const FORMAT = 'fed-lifecycle-1'

/** Why a signal was refused (the words for people are in `message`). */
const refusalKinds = [
  'finished',
  'unknown-event',
  'not-accepted-here',
  'guard-refused',
  'not-from-meta',
  'earlier-mission',
  'machine-fault',
] as const
export type RefusalKind = (typeof refusalKinds)[number]

const refusalSchema = z.strictObject({ kind: z.enum(refusalKinds), message: z.string() })
export type Refusal = z.infer<typeof refusalSchema>

/** One signal that a commit handled. */
const handledSchema = z.strictObject({
  signal: z.guid(),
  file: z.string(),
  at: timestampSchema,
  sender: addressSchema,
  type: z.enum(signalTypes),
  subject: z.string(),
  event: z.string(),
  outcome: z.enum(['accepted', 'refused', 'duplicate']),
  /** Leaf states before and after. */
  from: z.string(),
  to: z.string(),
  refusal: z.optional(refusalSchema),
  evidence: z.optional(z.record(z.string(), z.unknown())),
})
export type Handled = z.infer<typeof handledSchema>

/** What a commit asks of the world besides itself; each may be done again without harm. */
const effectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('send'), signal: signalSchema }),
  z.strictObject({ kind: z.literal('level-registry') }),
  /** Tells the federation's hook what this commit handled. */
  z.strictObject({ kind: z.literal('call-hook') }),
  z.strictObject({
    kind: z.literal('archive-mission'),
    mission: z.int().check(z.minimum(1)),
    /** Whether the mission left a document: one that appears later belongs to the next. */
    hasDeliverable: z.boolean(),
  }),
])
export type Effect = z.infer<typeof effectSchema>

const persistedSnapshotSchema = z.strictObject({
  status: z.enum(['active', 'done']),
  value: z.union([z.string(), z.record(z.string(), z.unknown())]),
  context: z.record(z.string(), z.unknown()),
  /** Ids of the states that each history state remembers. */
  history: z.record(z.string(), z.array(z.string()).check(z.minLength(1))),
})
export type PersistedSnapshot = z.infer<typeof persistedSnapshotSchema>

/** One commit of a team's life: the snapshot, and what made it. Snapshot and history cannot disagree. */
const lifecycleSchema = z.strictObject({
  format: z.literal(FORMAT),
  ...stamped,
  at: timestampSchema,
  team: teamIdSchema,
  archetype: z.string().check(z.minLength(1)),
  /** Counts the missions that were begun, from 1. */
  mission: z.int().check(z.minimum(1)),
  snapshot: persistedSnapshotSchema,
  handled: z.array(handledSchema),
  effects: z.array(effectSchema),
  /** The latest timestamp of all signals ever handled: what is later was never handled before. */
  latest: z.nullable(timestampSchema),
  /** Signals handled by this commit or before whose files had no acknowledgment yet. */
  remembered: z.array(z.strictObject({ id: z.guid(), file: z.string() })),
})
export type Lifecycle = z.infer<typeof lifecycleSchema>

/** A commit before storage stamps its version and ids on it. */
export type LifecycleDraft = Draft<Lifecycle>

/** @throws {CorruptDocumentError} naming the first field that is wrong; {NewerFormatError} */
export const decodeLifecycle = strictDecoder(FORMAT, lifecycleSchema)

/**
 * A commit's file as it was read.
 * @throws {CorruptDocumentError} naming the first field that is wrong; {NewerFormatError}
 */
export function readLifecycle(text: string, file: string): Lifecycle {
  try {
    return decodeLifecycle(JSON.parse(text), file)
  } catch (error) {
    if (error instanceof SyntaxError) throw new CorruptDocumentError(file, `not JSON (${error.message})`)
    throw error
  }
}
