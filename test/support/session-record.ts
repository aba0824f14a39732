import { writeFileSync } from 'node:fs'
import { recordEnd, recordSession, type SessionRecord } from '../../src/agents/sessions/session-record.ts'
import { reportsFile, type Usage } from '../../src/agents/sessions/session-reports.ts'

/** Larger than any process id that a kernel gives. */
export const nobody = { pid: 99_999_999, started: '1' }

/** The first session of a team, of an agent that may write and runs no more. */
export const anySession: SessionRecord = {
  mission: 1,
  number: 1,
  agent: 'scribe',
  command: ['scribe'],
  driver: 'raw',
  profile: {
    role: 'Scribe',
    model: null,
    temperature: 0.3,
    tools: [{ name: 'bash', readOnly: false }],
    responsibilities: [],
    untold: [],
  },
  open: 'confinement is off',
  at: '2026-11-20T10:00:00.000Z',
  process: nobody,
  launcher: nobody,
}

/** What an agent had used up at a time. */
export type Told = readonly [at: string, usage: Usage]

/** Records a session that is over, with what its agent told; it began with the first of that. */
export function recordUsage(
  dir: string,
  numbers: Pick<SessionRecord, 'mission' | 'number'> & Partial<SessionRecord>,
  told: readonly Told[],
): void {
  const at = told[0]?.[0] ?? new Date().toISOString()
  const one = { ...anySession, at, ...numbers }
  recordSession(dir, one)
  const lines = [
    { kind: 'session', id: 'a-session', model: 'opus', at },
    ...told.map(([time, usage]) => ({ at: time, kind: 'usage', usage })),
  ]
  writeFileSync(
    reportsFile(dir, one),
    lines.map((line) => `${JSON.stringify({ format: 'fed-session-report-1', ...line })}\n`).join(''),
  )
  recordEnd(dir, one, { at: told.at(-1)?.[0] ?? at, exitCode: 0, cause: 'ended' })
}
