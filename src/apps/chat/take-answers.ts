import type { Federation } from '../../federation/federation.ts'
import { META } from '../../protocol/team-id.ts'
import { isAnswerTo } from '../../records/signals/answer-link.ts'
import { archivedSignals } from '../../records/signals/archive-months.ts'
import type { LedgerDraft } from './chat-ledger.ts'
import { postOf } from './post-text.ts'

/** Takes the answers that teams have given into the threads where they were asked for, however late they come. */
export function takeAnswers(before: LedgerDraft, federation: Federation): LedgerDraft {
  const [first] = before.asked.map(({ at }) => at).toSorted((a, b) => Date.parse(a) - Date.parse(b))
  if (first === undefined) return before
  // they may have been put away before a bridge looked
  const mail = [...federation.mailbox(META).all(), ...archivedSignals(federation.root, first)]
  const posts = [...before.posts]
  const asked = before.asked.filter(({ signal, team, subject, thread }) => {
    const question = { id: signal, from: META, to: team }
    const answer = mail.find((one) => one.from === team && isAnswerTo(question, one))
    if (answer === undefined) return true
    const words = answer.body.trim() || answer.subject
    posts.push(postOf(before.id, `answer/${signal}`, thread, `${team} answers “${subject}”:\n${words}`))
    return false
  })
  return asked.length === before.asked.length ? before : { ...before, asked, posts }
}
