import { v5 as uuidOf } from 'uuid'
import type { Channel } from './channel.ts'
import type { LedgerDraft, QueuedPost } from './ledger.ts'
import type { Tenure } from './worker.ts'

/**
 * Says what is queued for a channel, each once: a try is noted before it is made, and what was tried before is
 * looked for in the channel before it is said again.
 * @throws {ChannelError} what was said until then is noted.
 */
export async function sayQueued(tenure: Tenure, channel: Channel): Promise<void> {
  for (let queued = queueOf(tenure.read()); queued.length > 0; queued = queueOf(tenure.read())) {
    if (queued.some(({ tried }) => !tried)) tenure.update(noteTries)
    const said: QueuedPost[] = []
    try {
      for (const post of queued) {
        await channel.post(post, post.tried)
        said.push(post)
      }
    } finally {
      if (said.length > 0) tenure.update((ledger) => withoutSaid(ledger, new Set(said.map(({ id }) => id))))
    }
  }
}

function summaryId({ id, summary }: LedgerDraft): string {
  return uuidOf(`summary/${summary.number}`, id)
}

function queueOf(ledger: LedgerDraft): QueuedPost[] {
  const { waiting } = ledger.summary
  if (waiting === undefined) return ledger.posts
  return [...ledger.posts, { id: summaryId(ledger), thread: null, text: waiting.text, tried: waiting.tried }]
}

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
