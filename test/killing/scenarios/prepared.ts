import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { learn } from '../../../src/records/learnings/learning-log.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import { initialize } from '../../../src/federation/onboarding/set-up.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import type { Team } from '../../../src/federation/team.ts'
import { goodDocument } from '../../support/samples.ts'

/** A git repository with one file and one commit. */
export function repository(root: string): void {
  mkdirSync(path.join(root, 'src'), { recursive: true })
  git(root, 'init', '--quiet', '--initial-branch=main', '--template=')
  git(root, 'config', 'user.name', 'Tester')
  git(root, 'config', 'user.email', 'tester@example.org')
  writeFileSync(path.join(root, 'src', 'app.ts'), 'export const answer = 42\n')
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '--message', 'Begin')
}

/** A federation with these deliverable teams, which nobody has given a mission. */
export async function federationOf(root: string, ...teams: string[]): Promise<Federation> {
  repository(root)
  initialize(root)
  const federation = new Federation(root)
  for (const domain of teams) await federation.onboard({ domain, archetype: 'deliverable' })
  return federation
}

const states = ['preparing', 'scanning', 'distilling', 'aggregating', 'complete'] as const

/** Takes a deliverable team to a state of its mission. */
export async function walk(federation: Federation, id: string, last: (typeof states)[number]): Promise<Team> {
  const team = await federation.team(id)
  await beginMission(team, 'Document the storage')
  const { workspace } = team.actor
  const milestones: Record<string, () => Promise<unknown>> = {
    preparing: () => team.tell({ type: 'report', subject: 'mission-planned', body: 'src/app.ts' }),
    scanning() {
      learn(workspace, { domain: id, category: 'pattern', content: 'A fact', tags: [], confidence: 'high' })
      return team.tell({ type: 'report', subject: 'files-read', body: '' })
    },
    distilling: () => team.tell({ type: 'report', subject: 'patterns-identified', body: 'One pattern' }),
    aggregating() {
      writeFileSync(path.join(workspace, 'deliverable.md'), goodDocument)
      return team.tell({ type: 'report', subject: 'document-written', body: '' })
    },
  }
  for (const state of states.slice(0, states.indexOf(last))) await milestones[state]?.()
  const { state } = team.present()
  if (state !== last) throw new Error(`${id} is ${state}, not ${last}`)
  return team
}

/** Makes a file look as if nobody had written to it for a minute. */
export function settle(file: string): void {
  const minuteAgo = Date.now() / 1000 - 60
  utimesSync(file, minuteAgo, minuteAgo)
}

/** A team as its files say. */
export function leafOf(value: unknown): string {
  return typeof value === 'string' ? value : leafOf(Object.values(value as object)[0])
}
