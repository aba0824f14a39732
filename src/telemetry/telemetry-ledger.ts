import path from 'node:path'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import { strictDecoder, stamped, type Draft } from '../protocol/commit-record.ts'
import { federationLayout } from '../protocol/folder-layout.ts'
import { timestampSchema } from '../protocol/time.ts'
import { VersionedDocument } from '../platform/storage/versioned-document.ts'

const FORMAT = 'fed-telemetry-1'

const wholeNumber = z.int().check(z.minimum(0))
const counts = z.record(z.string(), wholeNumber)
const histogramSchema = z.strictObject({
  sum: z.number(),
  counts: z.string().check(z.regex(/^\d+(?: \d+)*$/)),
})
const traceId = z.string().check(z.regex(/^[0-9a-f]{32}$/))
const spanId = z.string().check(z.regex(/^[0-9a-f]{16}$/))
const attributes = z.record(z.string(), z.union([z.string(), z.number()]))

/** A span that ended and waits to be exported. */
const spanSchema = z.strictObject({
  trace: traceId,
  id: spanId,
  parent: z.optional(spanId),
  name: z.string(),
  start: timestampSchema,
  end: timestampSchema,
  attributes,
  events: z.array(z.strictObject({ name: z.string(), at: timestampSchema, attributes })),
  droppedEvents: wholeNumber,
  /** Why it ended badly. */
  error: z.optional(z.string()),
})
export type SpanRecord = z.infer<typeof spanSchema>

/** What is known of a mailbox, so that what came since is told from what was there. */
const mailSchema = z.strictObject({
  /** The latest time in a signal's name. */
  newest: z.string(),
  /** Signals of the minute before, by their files. */
  recent: z.array(z.string()),
  /** Mail without an acknowledgment. */
  waiting: z.array(z.string()),
  /** How many acknowledgments and records of sent signals lay there, by the signals' types. */
  acknowledged: counts,
  sent: counts,
  /** Acknowledgments in each month of the archive, and the folder's time. */
  archived: z.record(z.string(), z.strictObject({ changed: z.optional(z.number()), acknowledged: counts })),
})
export type MailLedger = z.infer<typeof mailSchema>

const figuresSchema = z.strictObject({
  sizeBytes: wholeNumber,
  sections: wholeNumber,
  codeExamples: wholeNumber,
})

/** What was counted of a team, in all its missions. */
const totalsSchema = z.strictObject({
  sent: counts,
  acknowledged: counts,
  refused: counts,
  /** By both states: `scanning distilling`. */
  transitions: counts,
  sessions: counts,
  waiting: z.record(z.string(), histogramSchema),
  states: z.record(z.string(), histogramSchema),
  sessionTime: z.optional(histogramSchema),
  /** What agents told that they used up, by agent. */
  tokens: z.optional(counts),
  cost: z.optional(z.record(z.string(), z.number())),
  deliverable: z.optional(figuresSchema),
})
export type Totals = z.infer<typeof totalsSchema>

/** How far a team was read, and what was counted of it; `meta` has mail and nothing else. */
const teamSchema = z.strictObject({
  archetype: z.string(),
  /** Times of folders that had settled when they were read. */
  folders: z.record(z.string(), z.number()),
  /** The last commit that was read. */
  commit: z.optional(z.strictObject({ version: wholeNumber, id: z.guid() })),
  /** Number of the last mission that was begun. */
  begun: wholeNumber,
  mission: z.optional(
    z.strictObject({ number: wholeNumber, trace: traceId, since: timestampSchema, subject: z.string() }),
  ),
  /** The state of the mission under way, and the commit and the signal in it that led there. */
  state: z.optional(
    z.strictObject({
      name: z.string(),
      since: timestampSchema,
      version: wholeNumber,
      index: z.int(),
      /** Signals handled in it so far. */
      handled: wholeNumber,
    }),
  ),
  /** Traces of the missions whose sessions are not all read, by the missions' numbers. */
  traces: z.record(z.string(), traceId),
  /** The last session that was counted. */
  session: z.strictObject({ mission: wholeNumber, number: wholeNumber }),
  mail: z.optional(mailSchema),
  totals: totalsSchema,
})
export type TeamLedger = z.infer<typeof teamSchema>

/** `.fed/telemetry.json`: what was counted of a federation, how far its files were read, and what waits to be sent. */
const ledgerSchema = z.strictObject({
  format: z.literal(FORMAT),
  ...stamped,
  /** Tells this federation's series from those of every other. */
  id: z.guid(),
  /** Since when is counted. */
  started: timestampSchema,
  /** When this version was read, later than the one before. */
  at: timestampSchema,
  teams: z.record(z.string(), teamSchema),
  spans: z.array(spanSchema),
  /** Spans that a process has taken to send them; it returns them when they were not taken. */
  claims: z.array(z.strictObject({ id: z.guid(), at: timestampSchema, spans: z.array(spanSchema) })),
})
export type Ledger = z.infer<typeof ledgerSchema>

/** Storage stamps the version and the commit's ids on it. */
export type LedgerDraft = Draft<Ledger>

export function ledgerDocument(root: string): VersionedDocument<Ledger> {
  return new VersionedDocument({
    file: path.join(federationLayout(root).fed, 'telemetry.json'),
    versionField: 'version',
    decode: strictDecoder(FORMAT, ledgerSchema),
    handEdits: 'refuse',
    collection: { minimumAgeMs: 60_000, keep: 10, every: 20 },
  })
}

export function newLedger(started: string): LedgerDraft {
  return { format: FORMAT, id: uuid(), started, at: started, teams: {}, spans: [], claims: [] }
}

export function newTeam(archetype: string): TeamLedger {
  return {
    archetype,
    folders: {},
    begun: 0,
    traces: {},
    session: { mission: 0, number: 0 },
    totals: {
      sent: {},
      acknowledged: {},
      refused: {},
      transitions: {},
      sessions: {},
      waiting: {},
      states: {},
    },
  }
}

/** Adds to one of a team's counts. */
export function count(counted: Record<string, number>, key: string, by = 1): void {
  if (by > 0) counted[key] = (counted[key] ?? 0) + by
}
