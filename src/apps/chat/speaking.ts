import { v5 as uuidOf } from 'uuid'
import { ChannelError } from '../../errors/session-errors.ts'
import { clockTime } from './pace.ts'
import type { Channel, SaidPost } from './channel.ts'
import type { LedgerDraft, QueuedPost } from './chat-ledger.ts'
import { digestOf } from './own-posts.ts'
import type { Lease } from './channel-lease.ts'

/** What could not be said. */
export interface Unsaid {
  /** Id of the post. */
  readonly post: string
  readonly error: ChannelError
}

/** So often it is tried in its thread, while the channel can be read; then it is said as a message of its own. */
const mostInThread = 10
/** So many of the last posts are remembered, to be told from those that say the same. */
const mostSaid = 500

/**
 * Says what is queued for a channel, each once: a try is noted before it is made, and what was tried before is
 * looked for in the channel before it is said again. What failed comes last the next time, so that it holds up
 * nothing else.
 * @returns what was tried and could not be said, where there is such; what was said until then is noted.
 */
export async function sayQueued(lease: Lease, channel: Channel): Promise<Unsaid | undefined> {
  for (let queued = queueOf(lease.read()); queued.length > 0; queued = queueOf(lease.read())) {
    const before = clockTime()
    if (queued.some(({ tried }) => tried === undefined)) lease.update((ledger) => noteTries(ledger, before))
    const said = new Map<string, SaidPost>()
    const earlier = lease.read().said
    try {
      for (const { id, thread, text, tried } of queued) {
        try {
          const tries = {
            since: tried ?? before,
            isAgain: tried !== undefined,
            said: [...earlier, ...said.values()],
          }
          const message = await channel.post({ id, thread, text }, tries)
          said.set(id, { id: message, thread, at: clockTime(), digest: digestOf(text) })
        } catch (error) {
          if (error instanceof ChannelError) return { post: id, error }
          throw error
        }
      }
    } finally {
      if (said.size > 0) lease.update((ledger) => withoutSaid(ledger, said))
    }
  }
  return undefined
}

/** Notes that something could not be said although the channel works: its thread may be gone. */
export function passOver(ledger: LedgerDraft, { post: id }: Unsaid): LedgerDraft {
  const passed = (post: QueuedPost): QueuedPost => {
    if (post.id !== id) return post
    const failures = (post.failures ?? 0) + 1
    return failures < mostInThread ? { ...post, failures } : { ...post, failures, thread: null }
  }
  return { ...ledger, posts: ledger.posts.map(passed) }
}

/** The summary that was committed and not posted yet. */
export function waitingSummary(
  ledger: Pick<LedgerDraft, 'id' | 'summary'> | undefined,
): QueuedPost | undefined {
  if (ledger?.summary.waiting === undefined) return undefined
  const { text, tried } = ledger.summary.waiting
  const id = uuidOf(`summary/${ledger.summary.number}`, ledger.id)
  return { id, thread: null, text, ...(tried === undefined ? {} : { tried }) }
}

function queueOf(ledger: LedgerDraft): QueuedPost[] {
  const summary = waitingSummary(ledger)
  const queue = summary === undefined ? ledger.posts : [...ledger.posts, summary]
  return queue.toSorted((a, b) => failuresOf(a) - failuresOf(b))
}

const failuresOf = ({ failures = 0 }: QueuedPost) => failures

function noteTries(ledger: LedgerDraft, at: string): LedgerDraft {
  const { waiting } = ledger.summary
  return {
    ...ledger,
    posts: ledger.posts.map((post) => ({ ...post, tried: post.tried ?? at })),
    ...(waiting === undefined
      ? {}
      : { summary: { ...ledger.summary, waiting: { ...waiting, tried: waiting.tried ?? at } } }),
  }
}

function withoutSaid(ledger: LedgerDraft, said: ReadonlyMap<string, SaidPost>): LedgerDraft {
  const { summary } = ledger
  const waiting = waitingSummary(ledger)
  const isSummarySaid = waiting !== undefined && said.has(waiting.id)
  return {
    ...ledger,
    posts: ledger.posts.filter(({ id }) => !said.has(id)),
    said: [...ledger.said, ...said.values()].slice(-mostSaid),
    trouble: ledger.trouble?.isUnheard ? ledger.trouble : undefined,
    ...(isSummarySaid ? { summary: { number: summary.number, told: summary.waiting?.told } } : {}),
  }
}
