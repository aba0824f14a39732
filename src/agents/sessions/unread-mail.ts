import type { FiledSignal } from '../../records/signals/mailbox.ts'
import type { Team } from '../../federation/team.ts'

/** Signals that the team's agent has to read and acknowledge: the machine does not (design §2). */
export function unreadMail(team: Team): FiledSignal[] {
  return team.mailbox.unacknowledged().filter((signal) => !team.handles(signal))
}

/** Whether the team waits for somebody else, and no mail for its agent either. */
export function hasNothingToDo(team: Team): boolean {
  return team.present().waits && unreadMail(team).length === 0
}
