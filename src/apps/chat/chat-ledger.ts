import { createHash } from 'node:crypto'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import { strictDecoder, stamped, type Draft } from '../../protocol/commit-record.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { timestampSchema } from '../../protocol/time.ts'
import { commandSchema, type ChatCommand } from './language/chat-command.ts'
import { disk } from '../../platform/storage/disk.ts'
import { VersionedDocument } from '../../platform/storage/versioned-document.ts'

const FORMAT = 'fed-chat-1'

const strings = z.readonly(z.array(z.string()))

export type LedgerCommand = ChatCommand

/** A message that the bridge has taken up and not yet carried out. */
const claimSchema = z.strictObject({
  id: z.string(),
  thread: z.string(),
  sender: z.string(),
  /** As the channel dates it. */
  at: timestampSchema,
  /** The timestamp of the signals that it leads to: later than that of any earlier claim. */
  claimed: timestampSchema,
  command: commandSchema,
  /** How often its sender said the same, from the first time until it is carried out. */
  times: z.int().check(z.minimum(1)),
  /** Whether an agent was asked already: where that process was killed, a part of it may be done. */
  begun: z.boolean(),
})
export type Claim = z.infer<typeof claimSchema>

/** A post that is not known to be in the channel yet. */
const postSchema = z.strictObject({
  id: z.guid(),
  thread: z.nullable(z.string()),
  text: z.string(),
  /** When it was tried first; undefined until then. */
  tried: z.optional(timestampSchema),
  /** How often posting it failed although the channel could be read. */
  failures: z.optional(z.int().check(z.minimum(1))),
})
export type QueuedPost = z.infer<typeof postSchema>

/** What a summary said, for the comparison with the next one. */
const toldSchema = z.strictObject({
  /** Each team's state, by its id. */
  teams: z.record(z.string(), z.string()),
  /** Keys of what needed a person. */
  needs: strings,
})
export type Told = z.infer<typeof toldSchema>

/** `.fed/chat/<channel>.json`: how far a channel was read, what was taken up, and what is still to be said. */
const ledgerSchema = z.strictObject({
  format: z.literal(FORMAT),
  ...stamped,
  /** From it the ids of this channel's signals and posts are made. */
  id: z.guid(),
  channel: z.string(),
  /** Undefined until the channel was read once. */
  place: z.optional(z.string()),
  claims: z.array(claimSchema),
  /** Messages that were carried out, which the channel may list again; the latest last. */
  handled: z.array(
    z.strictObject({
      id: z.string(),
      done: timestampSchema,
      /** The sender who was answered; null where nobody was, because the same command already waited. */
      answered: z.nullable(z.string()),
    }),
  ),
  posts: z.array(postSchema),
  /** What the bridge posted lately, the latest last. */
  said: z.array(
    z.strictObject({
      id: z.nullable(z.string()),
      thread: z.nullable(z.string()),
      at: timestampSchema,
      digest: z.string(),
    }),
  ),
  /** Questions to teams whose answers go into a thread. */
  asked: z.array(
    z.strictObject({
      signal: z.guid(),
      team: z.string(),
      subject: z.string(),
      thread: z.string(),
      at: timestampSchema,
    }),
  ),
  /** The teams that each conversation was last about; none where it was about all. The latest comes last. */
  named: z.readonly(
    z.array(z.strictObject({ thread: z.string(), sender: z.string(), teams: strings, at: timestampSchema })),
  ),
  /** When each notice was last posted, by `<kind> <sender>`: it is repeated after an hour at the earliest. */
  notices: z.record(z.string(), timestampSchema),
  /** The last summary; `told` is what the last posted one said. */
  summary: z.strictObject({
    number: z.int().check(z.minimum(0)),
    told: z.optional(toldSchema),
    /** Committed and not posted yet: a newer one takes its place. */
    waiting: z.optional(
      z.strictObject({ text: z.string(), told: toldSchema, tried: z.optional(timestampSchema) }),
    ),
  }),
  /** The process that works for this channel, or worked last. */
  worker: z.optional(
    z.strictObject({
      lease: z.guid(),
      kind: z.enum(['bridge', 'summary']),
      pid: z.int().check(z.minimum(1)),
      started: z.string(),
      since: timestampSchema,
    }),
  ),
  /** Why the channel could not be used last; undefined when it could. */
  trouble: z.optional(
    z.strictObject({
      at: timestampSchema,
      message: z.string(),
      /** Set where messages could not be read. A post that succeeds does not clear it, a look does. */
      isUnheard: z.optional(z.literal(true)),
    }),
  ),
  /** The agent's session, for an agent that can take one up again. */
  session: z.optional(z.string()),
})
export type Ledger = z.infer<typeof ledgerSchema>
/** A ledger that is to be committed: storage adds the version and the commit's ids. */
export type LedgerDraft = Draft<Ledger>

const collection = { minimumAgeMs: 3_600_000, keep: 100, every: 50 }

/** What the bridge and the monitoring cycles know of one channel; changed by optimistic concurrency, as all here. */
export class ChatLedger {
  readonly channel: string
  readonly #document: VersionedDocument<Ledger>

  constructor(root: string, channel: string) {
    this.channel = channel
    this.#document = ledgerDocument(root, fileNameOf(channel))
  }

  /** Undefined before anybody worked for the channel. */
  read(): Ledger | undefined {
    return this.#document.read()?.content
  }

  /**
   * Commits what `change` makes of the ledger; it runs again on newer content when another process came
   * first. Nothing is written where it returns what it was given.
   */
  update(change: (ledger: LedgerDraft) => LedgerDraft): LedgerDraft {
    const standing = this.#document.update((present) => {
      const before: LedgerDraft = present ?? newLedger(this.channel)
      const after = change(before)
      return after === before ? undefined : (after as Ledger)
    })
    return standing?.content ?? newLedger(this.channel)
  }
}

/**
 * The document of one ledger.
 * @param name one of `ledgerNames`, or of `fileNameOf`.
 */
export function ledgerDocument(root: string, name: string): VersionedDocument<Ledger> {
  return new VersionedDocument({
    file: path.join(federationLayout(root).chat, `${name}.json`),
    versionField: 'version',
    decode: strictDecoder(FORMAT, ledgerSchema),
    handEdits: 'refuse',
    collection,
  })
}

/** The names of all ledgers that there are, also of damaged ones. */
export function ledgerNames(root: string): string[] {
  const names = disk.list(federationLayout(root).chat)
  return [
    ...new Set(names.flatMap((name) => /^([a-z]+|channel-[0-9a-f]{16})\.(?:json|d)$/.exec(name)?.[1] ?? [])),
  ]
}

/** The name of a channel's ledger: the channel's key, or a digest of it where it is no plain word. */
export function fileNameOf(channel: string): string {
  if (/^[a-z]+$/.test(channel)) return channel
  return `channel-${createHash('sha256').update(channel).digest('hex').slice(0, 16)}`
}

function newLedger(channel: string): LedgerDraft {
  return {
    format: FORMAT,
    id: uuid(),
    channel,
    claims: [],
    handled: [],
    posts: [],
    said: [],
    asked: [],
    named: [],
    notices: {},
    summary: { number: 0 },
  }
}
