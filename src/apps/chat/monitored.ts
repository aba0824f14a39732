import type { Federation } from '../../federation/federation.ts'
import type { CycleReport } from '../../monitor/cycle-report.ts'

/**
 * One monitoring cycle (spec §4.4): steps every team, acknowledges meta's reports, notes in one write of the
 * registry what changed, and tells what is not healthy. With `chatConfig`, a summary for the chat is committed;
 * the bridge posts it, or `postSummary`.
 * @example
 * const { healthy, findings } = await monitor(await openFederation(process.cwd()))
 */
export async function monitor(federation: Federation): Promise<CycleReport> {
  const { runCycle } = await import('../../monitor/cycle.ts')
  const report = await runCycle(federation)
  if (federation.config.chatConfig === undefined) return report
  const { noteCycle } = await import('./after-cycle.ts')
  return noteCycle(federation, report)
}
