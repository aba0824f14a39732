import type { FiledSignal } from '../../records/signals/mailbox.ts'
import type { Team } from '../../federation/team.ts'

/** Unacknowledged signals that the team's agent has to read; the machine handles all others (design §2). */
export function unreadMail(team: Team): FiledSignal[] {
  return team.mailbox.unacknowledged().filter((signal) => !team.handles(signal))
}

/** Whether the team is in a state that waits for somebody else, and has no unread mail for its agent. */
export function hasNothingToDo(team: Team): boolean {
  return team.present().waits && unreadMail(team).length === 0
}
