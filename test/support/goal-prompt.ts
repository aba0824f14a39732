import { planAgent, plannedFor } from '../../src/agents/sessions/launch-plan.ts'
import { briefingOf } from '../../src/agents/briefing/briefing.ts'
import { recordTestRun } from '../../src/engine/step/test-runs.ts'
import { git } from '../../src/platform/git/git.ts'
import { now } from '../../src/protocol/time.ts'
import { reload } from './federation.ts'

/** What an agent of a team would be told. */
export async function promptFor(root: string, id: string): Promise<string> {
  const team = await reload(root, id)
  return (await briefingOf(team, planAgent(plannedFor(team), {}))).prompt
}

/** Records that tests passed on what is committed in a worktree. */
export function runTestCommand(workspace: string): void {
  const commit = git(workspace, 'rev-parse', 'HEAD')
  recordTestRun(workspace, {
    at: now(),
    command: 'true',
    commit,
    exitCode: 0,
    uncommitted: [],
    log: '/dev/null',
  })
}
