import { InterruptedError, RefusedError, TimedOutError, type FedError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import type { Team } from '../../federation/team.ts'
import type { Used } from '../usage/allowance.ts'
import { choicesAfter, describeChanges, type CodebaseChange } from './codebase-change.ts'
import { installedAgents } from './installed-agents.ts'
import { cannotDoIt } from './outcome-of-session.ts'
import { pauseOverBudget, spentAlready } from './over-budget.ts'
import { pauseAndTell } from './pause-and-tell.ts'
import type { ProviderTrouble } from './provider-trouble.ts'
import type { Hold } from '../../engine/confinement/hold.ts'
import { replaced, type SessionOutcome } from './run-session.ts'

/** What a launch knows when it ends. */
export interface LaunchSoFar {
  readonly team: Team
  /** The command line that carries on. */
  readonly again: string
  /** Outcome of the last session; undefined before the first. */
  readonly outcome: SessionOutcome | undefined
  readonly change: CodebaseChange | undefined
  /** The limit that is used up, if one is. */
  readonly spent: Used | undefined
  readonly trouble: ProviderTrouble
  readonly hold: Hold
}

type Ends =
  | 'interrupted'
  | 'timed-out'
  | 'replaced'
  | 'refused'
  | 'codebase-changed'
  | 'over-budget'
  | 'spent'
  | 'unavailable'
  | 'looping'
  | 'exhausted'

/** The error with which a launch ends; where a person has to see to something, the team is paused and `meta` is told. */
export async function whyLaunchEnds(action: Ends, launch: LaunchSoFar): Promise<FedError> {
  const { team, again, outcome } = launch
  const ended = outcome as SessionOutcome
  const goesOn = `'fed resume ${team.id}' and '${again}' go on`
  const pause = (why: string, words: string, next: string) =>
    pauseAndTell(team, ended.record, { why, words, next })
  const { agent } = outcome?.record ?? {}
  switch (action) {
    case 'interrupted':
      return new InterruptedError(`interrupted; '${again}' carries on`)
    case 'timed-out':
      return new TimedOutError(
        `${team.id} was still ${team.present().state} when its time was over; '${again}' carries on`,
      )
    case 'replaced':
      return replaced(team)
    case 'codebase-changed':
      return codebaseChanged(team, launch.change as CodebaseChange)
    case 'over-budget':
    case 'spent':
      // what was used up before the launch began pauses nobody
      return outcome === undefined
        ? spentAlready(team, launch.spent as Used)
        : pauseOverBudget(team, outcome.record, launch.spent as Used, again)
    case 'unavailable':
      return pause(
        'Provider unavailable',
        `what ${agent} works with failed ${launch.trouble.inWords()}: ${printable(ended.reported.unavailable ?? '', 300)}`,
        `when it works again, ${goesOn}`,
      )
    case 'looping':
      return pause(
        'Agent goes round in circles',
        `its agent told the same again and again, and was refused each time: ${printable(ended.looped ?? '', 500)}`,
        `'fed status ${team.id}' says what is missing; then ${goesOn}`,
      )
    case 'exhausted':
      return pause(
        'Agent used up too much of the machine',
        exceededInWords(launch.hold, ended.cause),
        `see to it, or raise confinement.limits in federate.config.json; then ${goesOn}`,
      )
    case 'refused':
      return cannotDoIt(ended)
        ? cannotDo(ended)
        : pause(
            'Agent needs a person',
            `${agent} will not work here: ${printable(ended.reported.refusal ?? '', 300)}`,
            `see to it; then ${goesOn}`,
          )
  }
}

/** The error for an agent that cannot do the mission: it would refuse the next time as well, so the launch ends. */
function cannotDo({ exit }: Pick<SessionOutcome, 'exit'>): RefusedError {
  const installed = installedAgents()
  const others =
    installed.length === 0
      ? 'no other agent that fed knows is on the PATH'
      : `on the PATH are ${installed.join(', ')}: try --agent ${installed[0]}`
  return new RefusedError(`${exit.lastWords || 'the agent refused the mission'}\n${others}`)
}

function codebaseChanged(team: Team, change: CodebaseChange): RefusedError {
  return new RefusedError(
    `${team.id} is paused: while its agent worked, which only reads, the codebase changed (${describeChanges(change)}); ` +
      `${change.whoDidIt}; nothing was undone, the patch is in ${change.patch}; ${choicesAfter(team)}`,
  )
}

function exceededInWords(hold: Hold, cause: SessionOutcome['cause']): string {
  const { limits } = 'config' in hold ? hold.config : {}
  return cause === 'too-many-processes'
    ? `its agent had more than ${limits?.processes} processes at once, which confinement.limits.processes allows, and was ended`
    : `its agent added more than ${limits?.disk} to its folders, which confinement.limits.disk allows, and was ended`
}
