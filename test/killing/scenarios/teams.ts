import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { git } from '../../../src/platform/git/git.ts'
import { goodDocument } from '../../support/samples.ts'
import { fed, library } from '../counted-process.ts'
import { filesIn, signalsIn, type FederationFacts } from '../federation-facts.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf, repository, walk } from './prepared.ts'
import { isIn, team } from './steps.ts'

export const init: Scenario = {
  name: 'init',
  prepare: async (root) => repository(root),
  act: (root) => fed(root, 'init'),
  *told(_, now) {
    if (now.registry === undefined) yield 'it was told to be set up, and there is no registry'
  },
  *end({ root, registry }) {
    if (registry?.lockVersion !== 1) yield `the registry is at lockVersion ${registry?.lockVersion}`
    const rules = readFileSync(path.join(root, '.git', 'info', 'exclude'), 'utf8')
    if (rules.split('\n').filter((rule) => rule === '/.fed/').length !== 1)
      yield `git excludes: ${JSON.stringify(rules)}`
    JSON.parse(readFileSync(path.join(root, 'federate.config.json'), 'utf8'))
    if (!existsSync(path.join(root, '.fed', 'skills', 'orchestration.md'))) yield 'meta has no skill'
  },
}

export const registryUpdate: Scenario = {
  name: 'registry update',
  async prepare(root) {
    await federationOf(root, 'docs')
  },
  act: (root) => library(root, 'count'),
  *told(_, { newestRegistry }) {
    if (!newestRegistry?.counted) yield 'it was told to be counted, and is not'
  },
  *end({ newestRegistry }, before) {
    const counted = Number(newestRegistry?.counted)
    const versions = Number(newestRegistry?.lockVersion) - Number(before.newestRegistry?.lockVersion)
    if (counted < 1 || counted > 2) yield `two updates counted ${counted}`
    // a monitoring cycle writes once, when a team was active since the last one
    if (versions - counted < 0 || versions - counted > 1)
      yield `${counted} were counted, but lockVersion moved by ${versions}`
  },
}

/** A team is whole, and nothing of its making is left. */
function* isOnboarded(now: FederationFacts, id: string, workspace: string): Iterable<string> {
  const found = now.teams.find(({ address }) => address === id)
  if (found === undefined) yield `${id} is not registered`
  if (found !== undefined && found.workspace !== workspace) yield `${id} lives in ${found.workspace}`
  const files = ['team.json', 'skills', 'lifecycle.json']
  for (const name of [...files, 'signals/inbox', 'signals/outbox']) {
    if (!existsSync(path.join(workspace, '.fed', name))) yield `${id} has no ${name}`
  }
  for (const name of readdirSync(path.join(now.root, '.fed', 'teams'))) {
    if (name.startsWith('.')) yield `${name} is left of the making of ${id}`
  }
  for (const name of readdirSync(workspace)) {
    if (name.endsWith('.aside')) yield `${name} is left of the making of ${id}`
  }
}

function* isRegistered(now: FederationFacts, id: string): Iterable<string> {
  if (now.teams.every(({ address }) => address !== id)) yield `${id} was told to be onboarded, and is not`
}

export const onboardDirectory: Scenario = {
  name: 'onboard in a directory',
  async prepare(root) {
    await federationOf(root, 'docs')
  },
  act: (root) => fed(root, 'onboard', 'api', '--archetype', 'deliverable'),
  again: [2],
  told: (_, now) => isRegistered(now, 'api'),
  end: (now) => isOnboarded(now, 'api', path.join(now.root, '.fed', 'teams', 'api')),
}

export const onboardWorktree: Scenario = {
  name: 'onboard in a worktree',
  async prepare(root) {
    await federationOf(root, 'docs')
  },
  act: (root) => fed(root, 'onboard', 'api', '--archetype', 'coding'),
  again: [2],
  told: (_, now) => isRegistered(now, 'api'),
  *end(now) {
    const workspace = path.join(now.root, '.fed', 'worktrees', 'api')
    yield* isOnboarded(now, 'api', workspace)
    if (git(workspace, 'branch', '--show-current') !== 'fed/api') yield 'the worktree is not on its branch'
    if (git(workspace, 'status', '--porcelain') !== '') yield 'the worktree is not as its branch says'
    if (!existsSync(path.join(workspace, 'src', 'app.ts'))) yield 'the worktree does not hold the code'
  },
}

/** A session's files go with their mission. */
const sessionLog = '1-1.log'

export const reset: Scenario = {
  name: 'reset',
  async prepare(root) {
    const { actor } = await walk(await federationOf(root, 'docs'), 'docs', 'complete')
    mkdirSync(path.join(actor.workspace, '.fed', 'sessions'))
    writeFileSync(path.join(actor.workspace, '.fed', 'sessions', sessionLog), 'words\n')
  },
  act: (root) => library(root, 'reset', 'docs', '1'),
  told: (_, now) => isIn(now, 'docs', 'preparing'),
  *end(now) {
    yield* isIn(now, 'docs', 'preparing')
    const { workspace, inbox } = team(now, 'docs')
    const archive = path.join(workspace, '.fed', 'missions', '1')
    if (filesIn(archive).get('deliverable.md') !== goodDocument) yield 'the deliverable was not put away'
    if (existsSync(path.join(workspace, 'deliverable.md'))) yield 'the deliverable is still there'
    if (!existsSync(path.join(archive, 'sessions', sessionLog))) yield 'the session was not put away'
    const missions = [...signalsIn(inbox).values()].filter(
      ({ subject }) => subject === 'Document the storage',
    )
    if (missions.length !== 2) yield `the mission was given ${missions.length - 1} times again`
  },
}

export const archive: Scenario = {
  name: 'archive',
  async prepare(root) {
    await walk(await federationOf(root, 'docs'), 'docs', 'scanning')
  },
  act: (root) => fed(root, 'archive', 'docs'),
  again: [5],
  *end(now) {
    yield* isIn(now, 'docs', 'paused')
    const { status } = team(now, 'docs')
    if (status !== 'archived') yield `docs is ${status}`
  },
}
