import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { listSessions } from '../sessions/session-record.ts'
import { readReports, type Usage } from '../sessions/session-reports.ts'

/**
 * What an agent's own session had used up before it is resumed, as far as the runs before told that.
 * @param dir folder of the team's session records.
 * @param resumed the agent's own name of that session.
 */
export function totalsBefore(dir: string, mission: number, resumed: string): Usage {
  return listSessions(dir)
    .filter((session) => session.mission === mission)
    .flatMap((session) => unless(FedError, () => readReports(dir, session)) ?? [])
    .reduce<Usage>(
      (totals, { agentSession, total }) => (agentSession === resumed ? { ...totals, ...total } : totals),
      {},
    )
}
