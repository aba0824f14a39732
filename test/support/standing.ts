import { openFederation, type FiledSignal, type HistoryEntry, type TeamStatus } from '../../src/index.ts'

// What a test looks at beside what it proves: as a process finds it that has just started, by the library and not by
// a command, whose start takes many times as long.

/** Where a team stands. */
export async function statusOf(root: string, team: string): Promise<TeamStatus> {
  return (await (await openFederation(root)).team(team)).status()
}

/** What a team handled, in order. */
export async function historyOf(root: string, team: string): Promise<HistoryEntry[]> {
  return (await (await openFederation(root)).team(team)).history()
}

/** The signals of a mailbox that wait, or all. */
export async function mailOf(root: string, address: string, which?: 'all'): Promise<FiledSignal[]> {
  const mailbox = (await openFederation(root)).mailbox(address)
  return which === 'all' ? mailbox.all() : mailbox.unacknowledged()
}
