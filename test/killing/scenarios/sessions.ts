import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../../src/platform/process/package.ts'
import { identify } from '../../../src/platform/process/process-identity.ts'
import { goodDocument } from '../../support/samples.ts'
import { fed } from '../counted-process.ts'
import { filesIn, type FederationFacts } from '../federation-facts.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf, repository, walk } from './prepared.ts'
import { isIn, team } from './steps.ts'

/** The command line of an agent that gives `fed` these arguments and ends. */
function agent(...args: string[]): string {
  const words = [process.execPath, path.join(packageRoot, 'test', 'killing', 'agent.mjs'), ...args]
  return words.map((word) => `'${word}'`).join(' ')
}

/** Within walls an agent knows itself by another number than whoever looks for it here. */
export const open = ['--confinement', 'off'] as const

interface AgentNote {
  readonly started?: number
  readonly gate?: number
  readonly beside?: readonly number[]
}

/** Each agent that began has its record, none had another beside it, and none is left. */
export function* agentsAreKnown(now: FederationFacts, id: string): Iterable<string> {
  const { workspace } = team(now, id)
  const log = path.join(workspace, 'agents.jsonl')
  if (!existsSync(log)) return
  const notes = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AgentNote)
  const gates = recordedGates(workspace)
  for (const { started, gate, beside } of notes) {
    if (beside !== undefined) yield `agents ${beside.join(', ')} worked for ${id} at the same time as another`
    if (started !== undefined && !gates.includes(gate as number))
      yield `agent ${started} of ${id} has no record of its session`
    if (started !== undefined && identify(started) !== undefined) yield `agent ${started} of ${id} is left`
  }
}

function recordedGates(workspace: string): number[] {
  const missions = path.join(workspace, '.fed', 'missions')
  const archives = existsSync(missions) ? readdirSync(missions) : []
  const folders = [
    path.join(workspace, '.fed', 'sessions'),
    ...archives.map((name) => path.join(missions, name, 'sessions')),
  ]
  return folders.flatMap((dir) =>
    [...filesIn(dir)].flatMap(([name, text]) =>
      /^\d+-\d+\.json$/.test(name) ? [(JSON.parse(text) as { process: { pid: number } }).process.pid] : [],
    ),
  )
}

export const launch: Scenario = {
  name: 'launch',
  varies: true,
  async prepare(root) {
    const { actor } = await walk(await federationOf(root, 'docs'), 'docs', 'aggregating')
    writeFileSync(path.join(actor.workspace, 'deliverable.md'), goodDocument)
  },
  act: (root) =>
    fed(root, 'launch', ...open, '--team', 'docs', '--agent', agent('report', 'document-written')),
  again: [5],
  told: (_, now) => isIn(now, 'docs', 'complete'),
  *end(now) {
    yield* isIn(now, 'docs', 'complete')
    yield* agentsAreKnown(now, 'docs')
  },
}

/** An agent that gives its mission up at once. */
export const failing = agent('alert', 'information-missing', '--body', 'There is nothing to document')

export const launchReset: Scenario = {
  name: 'launch --reset',
  varies: true,
  async prepare(root) {
    await walk(await federationOf(root, 'docs'), 'docs', 'complete')
  },
  act: (root) => fed(root, 'launch', ...open, '--team', 'docs', '--reset', '--agent', failing),
  ends: 1,
  again: [1],
  *end(now) {
    yield* isIn(now, 'docs', 'failed')
    yield* agentsAreKnown(now, 'docs')
    const archive = path.join(team(now, 'docs').workspace, '.fed', 'missions', '1')
    if (filesIn(archive).get('deliverable.md') !== goodDocument) yield 'the deliverable was not put away'
  },
}

export const runFromNothing: Scenario = {
  name: 'run, from a bare repository',
  varies: true,
  prepare: async (root) => repository(root),
  act: (root) => fed(root, 'run', 'Document the storage', ...open, '--agent', failing),
  ends: 1,
  again: [1],
  *end(now) {
    yield* isIn(now, 'docs', 'failed')
    yield* agentsAreKnown(now, 'docs')
  },
}
