import { v5 as uuidOf } from 'uuid'
import { ChannelError } from '../errors.ts'
import type { Channel } from './channel.ts'
import type { LedgerDraft, QueuedPost } from './ledger.ts'
import type { Tenure } from './worker.ts'

/** What could not be said. */
export interface Unsaid {
  /** Id of the post. */
  readonly post: string
  readonly error: ChannelError
}

/** So often it is tried in its thread, while the channel can be read; then it is said as a message of its own. */
const mostInThread = 10

/**
 * Says what is queued for a channel, each once: a try is noted before it is made, and what was tried before is
 * looked for in the channel before it is said again. What failed comes last the next time, so that it holds up
 * nothing else.
 * @returns what was tried and could not be said, where there is such; what was said until then is noted.
 */
export async function sayQueued(tenure: Tenure, channel: Channel): Promise<Unsaid | undefined> {
  for (let queued = queueOf(tenure.read()); queued.length > 0; queued = queueOf(tenure.read())) {
    if (queued.some(({ tried }) => !tried)) tenure.update(noteTries)
    const said: QueuedPost[] = []
    try {
      for (const post of queued) {
        try {
          await channel.post(post, post.tried)
        } catch (error) {
          if (error instanceof ChannelError) return { post: post.id, error }
          throw error
        }
        said.push(post)
      }
    } finally {
      if (said.length > 0) tenure.update((ledger) => withoutSaid(ledger, new Set(said.map(({ id }) => id))))
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

function summaryId({ id, summary }: LedgerDraft): string {
  return uuidOf(`summary/${summary.number}`, id)
}

function queueOf(ledger: LedgerDraft): QueuedPost[] {
  const { waiting } = ledger.summary
  const summary =
    waiting === undefined
      ? []
      : [{ id: summaryId(ledger), thread: null, text: waiting.text, tried: waiting.tried }]
  return [...ledger.posts, ...summary].toSorted((a, b) => failuresOf(a) - failuresOf(b))
}

const failuresOf = ({ failures = 0 }: QueuedPost) => failures

function noteTries(ledger: LedgerDraft): LedgerDraft {
  const { waiting } = ledger.summary
  return {
    ...ledger,
    posts: ledger.posts.map((post) => ({ ...post, tried: true })),
    ...(waiting === undefined
      ? {}
      : { summary: { ...ledger.summary, waiting: { ...waiting, tried: true } } }),
  }
}

function withoutSaid(ledger: LedgerDraft, said: ReadonlySet<string>): LedgerDraft {
  const { summary } = ledger
  const isSummarySaid = summary.waiting !== undefined && said.has(summaryId(ledger))
  return {
    ...ledger,
    posts: ledger.posts.filter(({ id }) => !said.has(id)),
    trouble: undefined,
    ...(isSummarySaid ? { summary: { number: summary.number, told: summary.waiting?.told } } : {}),
  }
}
