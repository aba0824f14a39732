import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { recordTestRun } from '../../src/engine/step/test-runs.ts'
import { Federation } from '../../src/federation/federation.ts'
import { git } from '../../src/platform/git/git.ts'
import { now } from '../../src/protocol/time.ts'
import { beginMission } from '../../src/federation/mission.ts'
import { newFederation } from './fed.ts'

export interface CodingTeam {
  readonly root: string
  readonly workspace: string
}

/** Writes a file into a worktree and commits it; returns the commit. */
export function commitFile(workspace: string, name: string, text: string): string {
  writeFileSync(path.join(workspace, name), text)
  git(workspace, 'add', '--', name)
  git(workspace, 'commit', '--quiet', '--message', `Write ${name}`)
  return git(workspace, 'rev-parse', 'HEAD')
}

/** A federation with a coding team `api` that has committed its change and has to prove it. */
export async function codingTeam(): Promise<CodingTeam> {
  const root = await newFederation()
  const team = await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
  const { workspace } = team.actor
  await beginMission(team, 'Change the answer')
  await team.tell({ type: 'report', subject: 'plan-ready', body: 'Change src/app.ts' })
  commitFile(workspace, 'src/app.ts', 'export const answer = 43\n')
  await team.tell({ type: 'report', subject: 'changes-committed' })
  const { state } = team.present()
  if (state !== 'testing') throw new Error(`api is ${state}, not testing`)
  return { root, workspace }
}

/** A federation with a coding team `api` that was put away in the middle of its mission. */
export async function putAwayTeam(): Promise<CodingTeam> {
  const root = await newFederation()
  const team = await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
  await beginMission(team, 'Change the answer')
  await team.archive()
  return { root, workspace: team.actor.workspace }
}

/** Records that tests passed on what is committed in a worktree. */
export function noteTestsPassed(workspace: string): void {
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
