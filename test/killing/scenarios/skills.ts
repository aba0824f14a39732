import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../../src/platform/process/package.ts'
import { fed } from '../counted-process.ts'
import { filesIn } from '../federation-facts.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf } from './prepared.ts'
import { team } from './steps.ts'

const shipped = (skill: string) =>
  readFileSync(path.join(packageRoot, 'src', 'records', 'skills', 'shipped', skill), 'utf8')

const outdated = 'diagram-tools.md'
const changed = 'domain-playbook.md'
const removed = 'report-templates.md'
/** As if the release before had said something else at its end. */
const former = (skill: string) => `${shipped(skill)}\nA sentence of an earlier release.\n`
const words = '# The shop, in our words'
const inOurWords = (text: string) => text.replace(/^# .*$/m, words)

function replace(file: string, text: string): void {
  rmSync(file)
  writeFileSync(file, text)
}

/** A team whose skills are of an earlier release: one it changed, one it removed. */
export async function withEarlierSkills(root: string): Promise<string> {
  await federationOf(root, 'docs')
  const skills = path.join(root, '.fed', 'teams', 'docs', '.fed', 'skills')
  const original = (skill: string) => path.join(skills, '.original', skill)
  for (const skill of [outdated, changed, removed]) replace(original(skill), former(skill))
  replace(path.join(skills, outdated), former(outdated))
  replace(path.join(skills, changed), inOurWords(former(changed)))
  rmSync(path.join(skills, removed))
  return skills
}

/** What is wrong with them after a synchronization. */
export function* faultsOfSkills(workspace: string): Iterable<string> {
  const skills = filesIn(path.join(workspace, '.fed', 'skills'))
  if (skills.get(outdated) !== shipped(outdated)) yield `${outdated} is not what ships`
  if (skills.get(changed) !== inOurWords(former(changed))) yield `${changed} is not the team's any more`
  if (skills.get(`${changed}.new`) !== shipped(changed)) yield `the newer ${changed} does not lie beside it`
  if (skills.has(removed)) yield `${removed} is back`
  for (const name of skills.keys())
    if (!name.endsWith('.md') && name !== `${changed}.new`) yield `${name} lies among the skills`
  const originals = filesIn(path.join(workspace, '.fed', 'skills', '.original'))
  for (const skill of [outdated, changed])
    if (originals.get(skill) !== shipped(skill)) yield `the original of ${skill} is not what ships`
  for (const name of originals.keys()) {
    if (name.endsWith('.taken')) yield `${name} was never put back`
    if (name.endsWith('.tmp')) yield `${name} is left`
  }
}

export const skillsSync: Scenario = {
  name: 'skills sync',
  async prepare(root) {
    await withEarlierSkills(root)
  },
  act: (root) => fed(root, 'skills', 'sync', 'docs'),
  end: (now) => faultsOfSkills(team(now, 'docs').workspace),
}
