import type { FiledSignal } from '../../records/signals/mailbox.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import type { AgentSession } from '../sessions/agent-session.ts'
import { unreadMail } from '../sessions/unread-mail.ts'
import { originsFor, questionOf } from './briefing.ts'
import { furtherPrompt } from './write-prompt.ts'

/** What is for a team's agent and was not put before it yet. */
export interface News {
  readonly status: TeamStatus
  readonly mail: readonly FiledSignal[]
  /** Id of the question that the agent is asked now, if that is new; else empty. */
  readonly asked: readonly string[]
  readonly instructions: TeamStatus['instructions']
  /** Ids of the mail, the question and the instructions. */
  readonly signals: readonly string[]
}

/**
 * What is for the team's agent and not among the signals that it was shown.
 * @param told ids of the signals that it was shown.
 */
export async function newsSince(team: Team, told: ReadonlySet<string>): Promise<News> {
  const status = await team.status()
  const isNew = (signal: string) => !told.has(signal)
  const mail = unreadMail(team).filter(({ id }) => isNew(id))
  const asked = questionOf(status).filter(isNew)
  const instructions = status.instructions.filter(({ signal }) => isNew(signal))
  const signals = [...mail.map(({ id }) => id), ...asked, ...instructions.map(({ signal }) => signal)]
  return { status, mail, asked, instructions, signals }
}

/**
 * Makes the next prompt for a running agent from what came since its last one, and records those signals as
 * told.
 * @returns undefined when nothing came or the team has finished.
 */
export async function newsFor(team: Team, { reports }: AgentSession): Promise<string | undefined> {
  const told = new Set(reports.known.told.map(({ signal }) => signal))
  const { status, mail, asked, instructions, signals } = await newsSince(team, told)
  if (status.finished || signals.length === 0) return undefined
  reports.add({ kind: 'told', by: 'further prompt', signals: [...signals] })
  return furtherPrompt(
    { ...status, instructions, question: asked.length === 0 ? null : status.question },
    mail,
    originsFor(team),
  )
}
