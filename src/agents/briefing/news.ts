import type { FiledSignal } from '../../records/signals/mailbox.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import type { AgentSession } from '../sessions/agent-session.ts'
import { unreadMail } from '../sessions/unread-mail.ts'
import { questionOf } from './briefing.ts'
import { furtherPrompt } from './write-prompt.ts'

/** What is for a team's agent and was not put before it yet. */
export interface News {
  readonly status: TeamStatus
  readonly mail: readonly FiledSignal[]
  /** The question that it is asked now, if that is new. */
  readonly asked: readonly string[]
  readonly instructions: TeamStatus['instructions']
  /** Ids of all of these. */
  readonly signals: readonly string[]
}

/** @param told ids of the signals that were put before the agent. */
export async function newsSince(team: Team, told: ReadonlySet<string>): Promise<News> {
  const status = await team.status()
  const isNew = (signal: string) => !told.has(signal)
  const mail = unreadMail(team).filter(({ id }) => isNew(id))
  const asked = questionOf(status).filter(isNew)
  const instructions = status.instructions.filter(({ signal }) => isNew(signal))
  const signals = [...mail.map(({ id }) => id), ...asked, ...instructions.map(({ signal }) => signal)]
  return { status, mail, asked, instructions, signals }
}

/** What came for an agent since it was told last, as words to put before it; undefined when nothing did. */
export async function newsFor(team: Team, { reports }: AgentSession): Promise<string | undefined> {
  const told = new Set(reports.known.told.map(({ signal }) => signal))
  const { status, mail, asked, instructions, signals } = await newsSince(team, told)
  if (status.finished || signals.length === 0) return undefined
  reports.add({ kind: 'told', by: 'further prompt', signals: [...signals] })
  return furtherPrompt(
    { ...status, instructions, question: asked.length === 0 ? null : status.question },
    mail,
  )
}
