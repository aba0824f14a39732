import type { ConsultantContext } from '../../../machines/consultant.ts'
import { readPresent } from '../../engine/step/present.ts'
import { versionsAfter } from '../../engine/step/versions-after.ts'
import type { Team } from '../../federation/team.ts'
import { AGENT_REFUSES } from './agent-command.ts'
import type { Ending } from './next-action.ts'
import type { SessionOutcome } from './run-session.ts'

/** Where a team's machine stood before a session. */
export interface BeforeSession {
  readonly version: number
  /** Id of the signal with the question that a consultant is asked; undefined without one. */
  readonly asked: string | undefined
}

export function beforeSession(team: Team): BeforeSession {
  return { version: readPresent(team.actor).head.version, asked: askedOf(team) }
}

function askedOf(team: Team): string | undefined {
  return (team.present().context as Partial<ConsultantContext>).question?.signal
}

/** How a session ended, seen from where its team stood before and stands now. */
export function endingOf(team: Team, outcome: SessionOutcome, { asked: before }: BeforeSession): Ending {
  const { cause, record, reported } = outcome
  switch (cause) {
    case 'limited':
    case 'over-budget':
    case 'interrupted':
    case 'timed-out':
    case 'unwanted':
    case 'refused':
    case 'unavailable':
    case 'overflowed':
    case 'looping':
      return cause
    case 'too-many-processes':
    case 'disk-used-up':
      return 'exhausted'
  }
  if (cannotDoIt(outcome)) return 'refused'
  if (cause === 'paused' || cause === 'capped') return 'stopped'
  if (cause === 'silent') return cause
  const after = askedOf(team)
  if (before !== undefined && after !== undefined && before !== after) return 'answered'
  return record.resumes !== undefined && reported.agentSession === undefined ? 'forgot' : 'unfinished'
}

/** Whether the agent said by its exit code that it cannot do such a mission. */
export function cannotDoIt({ exit }: Pick<SessionOutcome, 'exit'>): boolean {
  return exit.exitCode === AGENT_REFUSES
}

/** Whether the team got on since: something that it told was accepted. */
export function progressedSince({ actor, id }: Team, { version }: BeforeSession): boolean {
  return versionsAfter(actor, version).some(({ read }) =>
    read()?.handled.some(({ sender, outcome }) => sender === id && outcome === 'accepted'),
  )
}
