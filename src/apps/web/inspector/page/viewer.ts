import { ask } from '../../dashboard/page/shared-connection.ts'
import { update } from '../../dashboard/page/model-changes.ts'
import type { ShownChart } from '../../dashboard/shown.ts'
import type { WireMessage } from '../../../../engine/inspection/message.ts'
import { Sessions, type Session } from './inspected-sessions.ts'

/** Everything that the viewer shows. */
export const viewer = {
  sessions: new Sessions(),
  charts: new Map<string, ShownChart>(),
  source: '',
  isConnected: false,
  selected: undefined as string | undefined,
  /** How many messages of the session are looked at; undefined follows what comes. */
  cursor: undefined as number | undefined,
  /** Narrow pages show the list or one machine. */
  isListShown: true,
}

export function selectedSession(): Session | undefined {
  return viewer.sessions.of(viewer.selected)
}

export function hear(messages: readonly WireMessage[]): void {
  const { sessions } = viewer
  sessions.hear(messages)
  if (selectedSession() === undefined) choose(sessions.all.at(-1)?.id)
}

export function choose(id: string | undefined): void {
  update(() => {
    viewer.selected = id
    viewer.cursor = undefined
    viewer.isListShown = false
  })
  const session = selectedSession()
  if (session !== undefined) void loadChart(session.team)
}

export function moveTo({ messages }: Session, index: number): void {
  update(() => {
    viewer.cursor = index >= messages.length - 1 ? undefined : Math.max(0, index)
  })
}

const asked = new Set<string>()

async function loadChart(team: string): Promise<void> {
  if (asked.has(team)) return
  asked.add(team)
  try {
    viewer.charts.set(team, await ask<ShownChart>(`charts/${team}`))
  } catch {
    // a team that left has no chart any more, and a server that went away is asked when the team is chosen again
    asked.delete(team)
  }
  update()
}
