import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { GuardName } from '../../machines/guards.ts'
import type { Evidence } from '../../machines/team-event.ts'
import { recordTestRun } from '../../src/engine/step/test-runs.ts'
import { git } from '../../src/platform/git/git.ts'
import { uncommittedIn } from '../../src/platform/git/work-tree-status.ts'
import type { RegistryEntry } from '../../src/protocol/registry-schema.ts'
import { TeamRegistry } from '../../src/records/registry/team-registry.ts'
import { learn } from '../../src/records/learnings/learning-log.ts'
import type { SignalType } from '../../src/protocol/signal.ts'
import { now } from '../../src/protocol/time.ts'

/** A signal to send, and the world in which it arrives: once as the model is told it, once on the disk. */
export interface Sample {
  readonly name: string
  readonly from: 'meta' | 'self' | 'peer' | 'stranger'
  readonly type: SignalType
  readonly subject: string
  readonly body: string
  /** What a model's guards see. */
  readonly evidence: Evidence
  /** Makes the same true in a real workspace. */
  readonly arrange?: (workspace: string, team: string) => void
  /** The guard that says no where the event is meant but refused. */
  readonly misses?: GuardName
}

type Rest = Partial<Omit<Sample, 'name' | 'from' | 'type' | 'subject'>>

export function sample(
  from: Sample['from'],
  type: SignalType,
  subject: string,
  note = '',
  rest: Rest = {},
): Sample {
  const name = `${type}.${subject}${note === '' ? '' : ` ${note}`}`
  return { name, from, type, subject, body: `About ${subject}`, evidence: {}, ...rest }
}

export const order = (subject: string, note?: string, rest?: Rest) =>
  sample('meta', 'directive', subject, note, rest)
export const milestone = (subject: string, note?: string, rest?: Rest) =>
  sample('self', 'report', subject, note, rest)

export function findSomething(workspace: string, team: string): void {
  learn(workspace, { domain: team, category: 'pattern', content: 'A fact', tags: [], confidence: 'high' })
}

export const goodDocument = [
  '# The storage',
  'The storage keeps every version. It loses none of them.',
  '## How it works',
  '```ts\nexport const answer = 42\n```',
  '## Next steps',
  '- Read the code.\n',
].join('\n\n')

function write(workspace: string, text: string): void {
  writeFileSync(path.join(workspace, 'deliverable.md'), text)
}

let commits = 0
function commitChange(workspace: string): void {
  commits += 1
  writeFileSync(path.join(workspace, 'change.ts'), `export const change = ${commits}\n`)
  git(workspace, 'add', '.')
  git(workspace, 'commit', '--quiet', '--message', `Change ${commits}`)
}

function rootOf(workspace: string): string {
  return path.resolve(workspace, '..', '..', '..')
}

function aimNowhere(entry: RegistryEntry): RegistryEntry {
  return { ...entry, into: 'gone' }
}

/** Merges the branch into what the root has checked out. */
function mergeBranch(workspace: string): void {
  const root = rootOf(workspace)
  git(root, 'merge', '--quiet', '--no-edit', git(workspace, 'rev-parse', 'HEAD'))
}

/** Really runs a command on the present commit and records how it ended. */
function runTests(workspace: string, command: string, commit = git(workspace, 'rev-parse', 'HEAD')): void {
  const { status } = spawnSync(command, { cwd: workspace })
  const uncommitted = uncommittedIn(workspace)
  recordTestRun(workspace, {
    at: now(),
    command,
    commit,
    exitCode: status ?? 1,
    uncommitted,
    log: '/dev/null',
  })
}

const openSession = (workspace: string) => path.join(workspace, '.fed', 'sessions', '1-1.json')

/** A session runs of which nothing is remembered: nobody knows what its agent wrote. */
function beginUnremembered(workspace: string): void {
  mkdirSync(path.dirname(openSession(workspace)), { recursive: true })
  writeFileSync(openSession(workspace), '{}')
}

function endSession(workspace: string): void {
  rmSync(openSession(workspace), { force: true })
}

const alerts = ['information-missing', 'source-inaccessible', 'structure-undetermined', 'session-exhausted']
const failures = (...subjects: string[]) => subjects.map((subject) => sample('self', 'alert', subject))
const steering = [order('Document the storage'), order('pause'), order('resume')]

const figures = { sizeBytes: 1, words: 1, sections: 1, codeExamples: 1, diagrams: 0 }
const alone = { verdict: 'unchanged', changes: [] } as const
const branch = { head: 'tested', ahead: 1, changes: 1, uncommitted: [] }
const base = { target: 'main', start: 'a'.repeat(40), tip: 'a'.repeat(40) }
const merge = { branch: 'fed/team', target: 'main', proof: 'commits', missing: 0 } as const
const passed = { commit: 'tested', command: 'true', exitCode: 0 }

/** For each archetype, signals that take its machine along every transition that it declares. */
export const accepted: Record<string, readonly Sample[]> = {
  deliverable: [
    ...steering,
    milestone('mission-planned', '', {
      body: 'Read src/app.ts',
      evidence: { existingPaths: ['src/app.ts'] },
      misses: 'hasMission',
    }),
    milestone('files-read', '', { evidence: { findings: 1 }, arrange: findSomething }),
    milestone('patterns-identified'),
    milestone('document-written', '', {
      evidence: { deliverable: { problems: [], figures }, codebase: alone },
      arrange(workspace) {
        write(workspace, goodDocument)
        endSession(workspace)
      },
    }),
    ...failures(...alerts, 'codebase-modified'),
  ],
  coding: [
    order('Document the storage', '', { evidence: { base } }),
    ...steering.slice(1),
    milestone('plan-ready', '', { misses: 'hasMission' }),
    milestone('changes-committed', '', { evidence: { branch }, arrange: commitChange }),
    milestone('tests-failed'),
    milestone('tests-passed', '', {
      evidence: { branch, testRun: passed },
      arrange: (workspace) => runTests(workspace, 'true'),
    }),
    milestone('pr-opened', '', { evidence: { branch }, misses: 'headIsTested' }),
    order('changes-requested'),
    order('merged', '', { evidence: { merge }, arrange: mergeBranch }),
    ...failures(...alerts),
  ],
  consultant: [
    ...steering,
    milestone('domain-mapped', '', { misses: 'hasMission' }),
    milestone('index-built', '', {
      evidence: { findings: 1, codebase: alone },
      arrange(workspace, team) {
        findSomething(workspace, team)
        endSession(workspace)
      },
    }),
    sample('peer', 'question', 'Which port', '', { evidence: { senderRegistered: true } }),
    milestone('answer', '', { evidence: { codebase: alone }, arrange: endSession }),
    order('retire'),
    ...failures(...alerts, 'codebase-modified'),
  ],
}

/** Signals from the right sender that miss what one guard asks for, each guard in turn. */
const withoutEvidence: Record<string, readonly Sample[]> = {
  deliverable: [
    milestone('mission-planned', 'naming no path', {
      body: 'Read src/nothing.ts',
      misses: 'namesExistingPath',
    }),
    milestone('mission-planned', 'naming a path outside', { body: '/etc ../', misses: 'namesExistingPath' }),
    milestone('files-read', 'without a finding', { misses: 'hasFindings' }),
    milestone('patterns-identified', 'without a body', { body: ' \n', misses: 'hasBody' }),
    milestone('document-written', 'without a document', { misses: 'meetsStandards' }),
    milestone('document-written', 'with an empty document', {
      misses: 'meetsStandards',
      arrange: (workspace) => write(workspace, ''),
    }),
    milestone('document-written', 'with a document below the standards', {
      misses: 'meetsStandards',
      arrange: (workspace) => write(workspace, '# The storage\n\nIt is good.\n'),
    }),
    milestone('document-written', 'while nobody knows what its agent wrote', {
      misses: 'leftCodebaseAlone',
      evidence: { deliverable: { problems: [], figures }, codebase: { verdict: 'unknown', changes: [] } },
      arrange(workspace) {
        write(workspace, goodDocument)
        beginUnremembered(workspace)
      },
    }),
  ],
  coding: [
    milestone('plan-ready', 'without a body', { body: '', misses: 'hasBody' }),
    milestone('changes-committed', 'with no commit', { misses: 'hasOwnWork' }),
    milestone('changes-committed', 'with a commit that changes nothing', {
      misses: 'hasOwnWork',
      evidence: { branch: { ...branch, changes: 0 } },
      arrange: (workspace) =>
        void git(workspace, 'commit', '--quiet', '--allow-empty', '--message', 'Nothing'),
    }),
    order('merged', 'before it is', { misses: 'isMerged' }),
    order('Document the parser', 'into a branch that is gone', {
      misses: 'knowsTarget',
      arrange: (workspace, team) => new TeamRegistry(rootOf(workspace)).updateEntry(team, aimNowhere),
    }),
    milestone('changes-committed', 'with a file uncommitted', {
      misses: 'isCommitted',
      evidence: { branch: { ...branch, uncommitted: ['scrap.ts'] } },
      arrange(workspace) {
        commitChange(workspace)
        writeFileSync(path.join(workspace, 'scrap.ts'), '')
      },
    }),
    milestone('tests-passed', 'without a run', {
      misses: 'testsPassedOnHead',
      arrange: (workspace) => rmSync(path.join(workspace, '.fed', 'test-runs.jsonl'), { force: true }),
    }),
    milestone('tests-passed', 'after a run that failed', {
      misses: 'testsPassedOnHead',
      arrange(workspace) {
        for (const command of ['true', 'false']) runTests(workspace, command)
      },
    }),
    milestone('tests-passed', 'after a run on another commit', {
      misses: 'testsPassedOnHead',
      arrange: (workspace) => runTests(workspace, 'true', git(workspace, 'rev-parse', 'HEAD~1')),
    }),
    milestone('pr-opened', 'of another commit than the tested', {
      misses: 'headIsTested',
      evidence: { branch: { ...branch, head: 'later' } },
      arrange: commitChange,
    }),
  ],
  consultant: [
    milestone('index-built', 'without a finding', { misses: 'hasFindings' }),
    milestone('answer', 'without a body', { body: '\t', misses: 'hasBody', evidence: { codebase: alone } }),
    milestone('answer', 'while nobody knows what its agent wrote', {
      misses: 'leftCodebaseAlone',
      arrange: beginUnremembered,
    }),
    sample('stranger', 'question', 'Who am I', '', { misses: 'fromRegistered' }),
  ],
}

const controls = [
  ...['pause', 'resume', 'retire', 'merged', 'changes-requested'],
  // those of a goal are taken for control words as one is
  'answer-gate',
]

/** What no team takes from this sender, or not under this name. */
const never: readonly Sample[] = [
  sample('self', 'directive', 'Document the storage', 'from itself', { misses: 'fromCoordinator' }),
  ...controls.map((subject) =>
    sample('self', 'directive', subject, 'from itself', {
      misses: subject === 'resume' ? 'liftsOwnPause' : 'fromCoordinator',
      ...(subject === 'merged' && { evidence: { merge }, arrange: mergeBranch }),
    }),
  ),
  ...controls.map((subject) => order(subject)),
  milestone('nobody-heard-of-it'),
  milestone('xstate.done.state.x'),
  milestone('*'),
  milestone('report.files-read'),
  milestone('🎉'),
  milestone('файлы прочитаны'),
  sample('self', 'alert', 'nobody-heard-of-it'),
  sample('self', 'alert', 'xstate.error.actor.1'),
]

/** Everything that is tried in every state of an archetype; most states refuse most of it. */
export function everySample(archetype: string): readonly Sample[] {
  const all = [...(accepted[archetype] ?? []), ...(withoutEvidence[archetype] ?? []), ...never]
  // the first of a name: it may know how to make itself true
  return [...new Map(all.toReversed().map((one) => [one.name, one])).values()].toReversed()
}
