import path from 'node:path'
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_RESPONSE_MODEL,
  ATTR_PROCESS_EXIT_CODE,
} from '@opentelemetry/semantic-conventions/incubating'
import { EMBEDDED_AGENT } from '../protocol/config-schema.ts'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import { disk } from '../platform/storage/disk.ts'
import { isRunning } from '../platform/process/process-identity.ts'
import { knownAgents } from '../agents/drivers/presets.ts'
import { readSession, type Session } from '../agents/sessions/session-record.ts'
import { readReports, reportsFile, type Reported } from '../agents/sessions/session-reports.ts'
import { usageOf, type Spent } from '../agents/usage/session-usage.ts'
import { observed } from './histogram.ts'
import { count, type SpanRecord, type TeamLedger } from './telemetry-ledger.ts'
import { attribute } from './names.ts'
import { missionSpanId, spanIdOf } from './spans.ts'

/** Counts the sessions that ended since the last look; they run one after the other, and so they are read. */
export function readSessions(
  ledger: TeamLedger,
  team: { readonly id: string; readonly workspace: string },
): SpanRecord[] {
  const spans: SpanRecord[] = []
  const { sessions, missions } = workspaceLayout(team.workspace)
  for (;;) {
    const { mission, number } = ledger.session
    const next = { mission, number: number + 1 }
    // a reset puts the records away, and the end of a session that it met is written where it began
    const session = readSession([sessions, path.join(missions, String(mission), 'sessions')], next)
    const isOver = mission < ledger.begun
    if (session === undefined) {
      if (!isOver) break
      ledger.session = { mission: mission + 1, number: 0 }
      continue
    }
    const { end } = session
    // nobody records the end of one whose mission was over before its launcher died
    if (end === undefined && !(isOver && !isRunning(session.launcher))) break
    const cause = end?.cause ?? 'lost'
    count(ledger.totals.sessions, cause)
    ledger.session = next
    const trace = ledger.traces[mission]
    if (end === undefined) continue
    const lasted = Date.parse(end.at) - Date.parse(session.at)
    ledger.totals.sessionTime = observed(ledger.totals.sessionTime, lasted)
    const put = path.join(missions, String(mission), 'sessions')
    const dir = [sessions, put].find((folder) => disk.exists(reportsFile(folder, session))) ?? sessions
    const used = usageOf(dir, session)
    addUsed(ledger, nameOf(session.agent), used)
    if (trace !== undefined)
      spans.push(
        sessionSpan(
          trace,
          { ...session, ...readReports(dir, session), used },
          end,
          team.id,
          ledger.archetype,
        ),
      )
  }
  for (const mission of Object.keys(ledger.traces)) {
    if (Number(mission) < ledger.session.mission) delete ledger.traces[mission]
  }
  return spans
}

function addUsed({ totals }: TeamLedger, agent: string, used: Spent): void {
  for (const figure of ['tokens', 'cost'] as const) {
    const amount = used[figure]
    if (amount === undefined) continue
    const known = (totals[figure] ??= {})
    const sum = (known[agent] ?? 0) + amount
    known[agent] = Math.min(Number.MAX_SAFE_INTEGER, figure === 'tokens' ? Math.round(sum) : sum)
  }
}

function sessionSpan(
  trace: string,
  {
    mission,
    number,
    agent,
    at,
    profile,
    model,
    agentSession,
    used,
  }: Session & Reported & { readonly used: Spent },
  { at: end, cause, exitCode }: NonNullable<Session['end']>,
  team: string,
  archetype: string,
): SpanRecord {
  const isBad = cause === 'lost' || cause === 'error' || (cause === 'ended' && exitCode !== 0)
  return {
    trace,
    id: spanIdOf(trace, `session/${number}`),
    parent: missionSpanId(trace),
    name: 'session',
    start: at,
    end,
    attributes: {
      [attribute.team]: team,
      [attribute.archetype]: archetype,
      [attribute.missionNumber]: mission,
      [attribute.sessionNumber]: number,
      [attribute.sessionCause]: cause,
      [attribute.agent]: nameOf(agent),
      [ATTR_GEN_AI_AGENT_NAME]: nameOf(agent),
      ...(profile.model === null ? {} : { [ATTR_GEN_AI_REQUEST_MODEL]: profile.model }),
      ...(model === undefined ? {} : { [ATTR_GEN_AI_RESPONSE_MODEL]: model }),
      ...(agentSession === undefined ? {} : { [ATTR_GEN_AI_CONVERSATION_ID]: agentSession }),
      ...(used.tokens === undefined ? {} : { [attribute.tokens]: used.tokens }),
      ...(used.cost === undefined ? {} : { [attribute.cost]: used.cost }),
      ...(exitCode === null ? {} : { [ATTR_PROCESS_EXIT_CODE]: exitCode }),
    },
    events: [],
    droppedEvents: 0,
    ...(isBad ? { error: `the session ended with cause ${cause}` } : {}),
  }
}

/** A command line may hold a secret: only names that are known are told. */
function nameOf(agent: string): string {
  const names = [EMBEDDED_AGENT, ...knownAgents.flatMap(({ name }) => [name, `acp:${name}`])]
  return names.includes(agent) ? agent : 'custom'
}
