import type { SessionRecord } from '../../src/agents/sessions/session-record.ts'

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
  sandboxed: false,
  at: '2026-11-20T10:00:00.000Z',
  process: nobody,
  launcher: nobody,
}
