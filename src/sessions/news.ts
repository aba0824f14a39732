import type { FiledSignal } from '../signals/mailbox.ts'
import type { Team } from '../teams/team.ts'
import type { AgentSession } from './agent-session.ts'
import { unreadMail } from './agent-work.ts'
import { questionOf } from './briefing.ts'
import { furtherPrompt } from './prompt.ts'

/** What came for an agent since it was told last, as words to put before it; undefined when nothing did. */
export async function newsFor(team: Team, { reports }: AgentSession): Promise<string | undefined> {
  const isNew = (signal: string) => !reports.known.told.some((one) => one.signal === signal)
  const status = await team.status()
  const mail = unreadMail(team).filter(({ id }) => isNew(id))
  const asked = questionOf(status).filter(isNew)
  const instructions = status.instructions.filter(({ signal }) => isNew(signal))
  const signals = [...mail.map(({ id }) => id), ...asked, ...instructions.map(({ signal }) => signal)]
  if (status.finished || signals.length === 0) return undefined
  reports.add({ kind: 'told', by: 'further prompt', signals })
  return furtherPrompt(
    { ...status, instructions, question: asked.length === 0 ? null : status.question },
    mail,
  )
}

/**
 * Questions that a team asked since a time and to which nothing came back yet.
 * @param since ISO 8601.
 */
export function openQuestions({ id, mailbox }: Team, since: string): FiledSignal[] {
  const asked = mailbox
    .sent()
    .filter(({ type, to, timestamp }) => type === 'question' && to !== id && !isBefore(timestamp, since))
  if (asked.length === 0) return []
  const heard = mailbox.all()
  // an answer bears the time of its question
  return asked.filter(
    ({ to, timestamp }) => !heard.some((one) => one.from === to && !isBefore(one.timestamp, timestamp)),
  )
}

function isBefore(one: string, other: string): boolean {
  return Date.parse(one) < Date.parse(other)
}
