import * as z from 'zod/mini'
import type { CycleReport } from './cycle-report.ts'
import type { HealthFinding } from './health-finding.ts'
import type { Config } from '../protocol/config-schema.ts'
import { problemsOf } from '../protocol/problems.ts'
import type { Registry } from '../protocol/registry-schema.ts'
import type { HealthFacts } from '../federation/hooks/hook-definition.ts'
import { recordFault } from '../federation/hooks/faults.ts'
import { hookFile } from '../federation/hooks/hook-file.ts'
import { callHook } from '../federation/hooks/call-hook.ts'

const words = z.string().check(z.regex(/\S/, 'is empty'), z.maxLength(2000))
const findingsSchema = z
  .array(z.strictObject({ team: z.string(), message: words, fix: words }))
  .check(z.maxLength(1000))

interface Asking {
  readonly root: string
  readonly config: Config
  readonly registry: { read(): Registry }
}

/** A cycle's report with what the federation's own checks found (`onHealth`); each finding is of one of its teams. */
export async function withOwnFindings(
  { root, config, registry }: Asking,
  report: CycleReport,
): Promise<CycleReport> {
  const { importHook } = config
  if (importHook === undefined) return report
  const places = new Map(registry.read().teams.map(({ domainId, location }) => [domainId, location]))
  const facts: HealthFacts = {
    root,
    at: report.at,
    teams: report.teams.map(({ team, archetype, state, status, since, waiting, working }) => ({
      team,
      archetype,
      workspace: places.get(team) ?? '',
      state,
      status,
      since,
      waiting,
      working,
    })),
  }
  const [returned] = await callHook(root, importHook, [{ name: 'onHealth', facts }])
  if (returned?.value === undefined) return report
  const own = checked(returned.value, facts)
  if (typeof own === 'string') {
    const file = hookFile(root, importHook)
    recordFault(root, file, { function: 'onHealth', file, message: own })
    return report
  }
  if (own.length === 0) return report
  const teams = report.teams.map((team) => {
    const found = own.filter((one) => one.team === team.team)
    return found.length === 0 ? team : { ...team, healthy: false, findings: [...team.findings, ...found] }
  })
  return { ...report, teams, healthy: false, findings: [...report.findings, ...own] }
}

/** The findings, or why they are none. */
function checked(value: unknown, { teams }: HealthFacts): HealthFinding[] | string {
  const parsed = findingsSchema.safeParse(value)
  if (!parsed.success) {
    const [first] = problemsOf(parsed.error)
    return `it must return findings, [{ team, message, fix }]: ${first?.path === '' ? '' : `${first?.path}: `}${first?.message}`
  }
  const stranger = parsed.data.find(({ team }) => !teams.some((one) => one.team === team))
  if (stranger !== undefined) return `it found something about '${stranger.team}', which is no team`
  return parsed.data.map((finding) => ({ kind: 'hook', ...finding }))
}
