import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import { goodDocument } from '../../support/samples.ts'
import { fed } from '../counted-process.ts'
import { signalsIn, type FederationFacts } from '../federation-facts.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf, walk } from './prepared.ts'
import { team } from './steps.ts'

/** The registry does not know it, and what it left lies in the archive and nowhere else. */
function* isOffboarded(now: FederationFacts, id: string): Iterable<string> {
  yield* isUnregistered(now, id)
  const fedFolder = path.join(now.root, '.fed')
  const archive = path.join(fedFolder, 'archive')
  if (team(now, id).workspace !== path.join(archive, id)) yield `${id} is not in the archive`
  for (const name of readdirSync(archive)) {
    if (name !== id && name !== `${id}.json`) yield `${name} is left in the archive`
  }
  for (const parent of ['teams', 'worktrees'].map((name) => path.join(fedFolder, name))) {
    const left = existsSync(parent) ? readdirSync(parent) : []
    for (const name of left.filter((one) => one.includes(id))) yield `${name} is left in ${parent}`
  }
  const missions = [...signalsIn(team(now, id).inbox).values()].filter(({ type }) => type === 'directive')
  if (missions.length === 0) yield `${id} lost its mission`
}

function* isUnregistered({ newestRegistry }: FederationFacts, id: string): Iterable<string> {
  if (newestRegistry?.teams.some(({ domainId }) => domainId === id)) yield `${id} is registered`
}

export const offboardDirectory: Scenario = {
  name: 'offboard from a directory',
  async prepare(root) {
    await walk(await federationOf(root, 'docs', 'api'), 'api', 'complete')
  },
  act: (root) => fed(root, 'offboard', 'api'),
  told: (_, now) => isUnregistered(now, 'api'),
  *end(now) {
    yield* isOffboarded(now, 'api')
    const document = path.join(now.root, '.fed', 'archive', 'api', 'deliverable.md')
    if (readFileSync(document, 'utf8') !== goodDocument) yield 'the deliverable is another'
  },
}

const staged = 'export const answer = 43\n'
const unstaged = 'export const answer = 44\n'

export const offboardWorktree: Scenario = {
  name: 'offboard from a worktree',
  async prepare(root) {
    await federationOf(root, 'docs')
    const api = await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
    await beginMission(api, 'Change the answer')
    const { workspace } = api.actor
    writeFileSync(path.join(workspace, 'src', 'new.ts'), 'export {}\n')
    git(workspace, 'add', '.')
    git(workspace, 'commit', '--quiet', '--message', 'Work')
    writeFileSync(path.join(workspace, 'src', 'app.ts'), staged)
    git(workspace, 'add', '.')
    writeFileSync(path.join(workspace, 'src', 'app.ts'), unstaged)
    writeFileSync(path.join(workspace, 'notes.txt'), 'never added\n')
    await api.archive()
  },
  act: (root) => fed(root, 'offboard', 'api'),
  told: (_, now) => isUnregistered(now, 'api'),
  *end(now) {
    yield* isOffboarded(now, 'api')
    const { root } = now
    if (git(root, 'worktree', 'list').split('\n').length !== 1) yield 'git still knows a worktree'
    if (git(root, 'branch', '--list', 'fed/*') !== '') yield 'the branch is left'
    const refs = git(root, 'for-each-ref', '--format=%(refname)', 'refs/fed')
    if (refs !== 'refs/fed/rescue/api/1') {
      yield `rescued were ${JSON.stringify(refs.split('\n'))}`
      return
    }
    const show = (what: string) => git(root, 'show', `${refs}${what}`)
    if (`${show(':src/app.ts')}\n` !== unstaged) yield 'what was not staged is lost'
    if (`${show('^2:src/app.ts')}\n` !== staged) yield 'what was staged is lost'
    if (show(':notes.txt') !== 'never added') yield 'what was never added is lost'
    if (git(root, 'log', '--format=%s', '--max-count=1', `${refs}^`) !== 'Work') yield 'the commit is lost'
    if (git(root, 'status', '--porcelain', '--untracked-files=no') !== '') yield 'the codebase is changed'
  },
}
