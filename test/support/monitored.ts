import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { identify } from '../../src/platform/process/process-identity.ts'
import { accepted, type Sample } from './samples.ts'
import type { CycleReport } from '../../src/index.ts'
import { fed, workspaceOf } from './fed.ts'
import { anySession, nobody } from './session-record.ts'
import { TestTeam } from './test-team.ts'

/** The environment of a process whose clock is so many minutes ahead. */
export function ahead(minutes: number): { readonly env: Readonly<Record<string, string>> } {
  const shift = `const now=Date.now;Date.now=()=>now()+${minutes * 60_000}`
  return { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` } }
}

/** One cycle of the built command, with its exit code, which must say the same as the report. */
export async function cycle(root: string, minutes = 0): Promise<CycleReport> {
  const { code, stdout, stderr } = await fed(root, ['monitor', '--json'], ahead(minutes))
  if (stderr !== '') throw new Error(stderr)
  const report = JSON.parse(stdout) as CycleReport
  if (code !== (report.healthy ? 0 : 1)) throw new Error(`exit code ${code}, healthy ${report.healthy}`)
  return report
}

/** What a cycle found, as `<team>: <kind>`. */
export function kindsOf({ findings }: CycleReport): string[] {
  return findings.map(({ team, kind }) => `${team}: ${kind}`)
}

/** A deliverable team that has walked its whole way. */
export async function completeTeam(): Promise<TestTeam> {
  const samples = accepted.deliverable as readonly Sample[]
  const team = await TestTeam.begin('deliverable')
  await team.walk(
    ['Document the storage', 'mission-planned', 'files-read', 'patterns-identified', 'document-written'].map(
      (subject) => samples.find((one) => one.subject === subject) as Sample,
    ),
  )
  return team
}

interface RecordedSession {
  readonly number?: number
  /** Its agent is this very process. */
  readonly isRunning?: boolean
  readonly end?: { readonly exitCode: number | null; readonly cause: string }
  /** What its agent printed. */
  readonly log?: string
}

/** Records a session of a team; returns its log. */
export function recordSession(
  root: string,
  team: string,
  { number = 1, isRunning = false, end, log = '' }: RecordedSession,
): string {
  const dir = path.join(workspaceOf(root, team), '.fed', 'sessions')
  mkdirSync(dir, { recursive: true })
  const at = new Date().toISOString()
  const held = isRunning ? identify(process.pid) : nobody
  const record = { format: 'fed-session-2', ...anySession, number, at, process: held }
  writeFileSync(path.join(dir, `1-${number}.json`), JSON.stringify(record))
  writeFileSync(path.join(dir, `1-${number}.log`), log)
  const ended = { format: 'fed-session-end-1', at, ...end }
  if (end !== undefined) writeFileSync(path.join(dir, `1-${number}.end.json`), JSON.stringify(ended))
  return path.join(dir, `1-${number}.log`)
}
