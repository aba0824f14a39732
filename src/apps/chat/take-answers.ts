import { presentMs } from '../../protocol/clock.ts'
import type { Federation } from '../../federation/federation.ts'
import { META } from '../../protocol/team-id.ts'
import { isAnswerTo } from '../../records/signals/answer-link.ts'
import type { LedgerDraft } from './chat-ledger.ts'
import { postOf } from './post-text.ts'

/** A question that nobody answered is waited for no longer, in milliseconds. */
const patienceMs = 7 * 24 * 3_600_000

/** Takes the answers that teams have given into the threads where they were asked for. */
export function takeAnswers(before: LedgerDraft, federation: Federation): LedgerDraft {
  if (before.asked.length === 0) return before
  const mail = federation.mailbox(META).all()
  const posts = [...before.posts]
  const asked = before.asked.filter(({ signal, team, subject, thread, at }) => {
    const answer = mail.find((one) => isAnswerTo({ id: signal, from: META, to: team }, one))
    if (answer === undefined) return presentMs() - Date.parse(at) < patienceMs
    const words = answer.body.trim() || answer.subject
    posts.push(postOf(before.id, `answer/${signal}`, thread, `${team} answers “${subject}”:\n${words}`))
    return false
  })
  return asked.length === before.asked.length ? before : { ...before, asked, posts }
}
