// Proves that, whatever is sent in whatever order, with or without evidence, whoever steps and wherever a
// process dies after its commit, a team on the disk lives exactly the life of its machine in memory. Fails
// where any sequence makes the two differ in state, context, history, mail that waits, or registry.
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import type { AnyStateMachine } from 'xstate'
import { expect, test } from 'vitest'
import { coding, type CodingContext } from '../../../machines/coding.ts'
import { consultant } from '../../../machines/consultant.ts'
import { deliverable } from '../../../machines/deliverable.ts'
import type { Evidence } from '../../../machines/team-event.ts'
import { recordTestRun } from '../../../src/engine/step/test-runs.ts'
import { RefusedError } from '../../../src/errors/fed-error.ts'
import { git } from '../../../src/platform/git/git.ts'
import { uncommittedIn } from '../../../src/platform/git/work-tree-status.ts'
import { learn } from '../../../src/records/learnings/learning-log.ts'
import { now } from '../../../src/protocol/time.ts'
import type { FiledSignal } from '../../../src/records/signals/mailbox.ts'
import { modelEvent } from '../../support/graph.ts'
import { LifeModel } from '../../support/life-model.ts'
import { accepted, everySample, goodDocument, type Sample } from '../../support/samples.ts'
import { factsOf, TestTeam, toldBy } from '../../support/test-team.ts'
import { verdictOn } from '../../support/verdict.ts'
import { tries } from '../../support/thorough.ts'

/** What the model knows of the world besides the signals. */
class Model extends LifeModel {
  findings: number[] = []
  document: 'none' | 'poor' | 'good' = 'none'
  commits = 0
  /** So many of them are merged. */
  merged = 0
  /** A file that nobody committed. */
  scrap: string | undefined
  run: { at: number; commit: string; exitCode: number; uncommitted: string[] } | undefined
  sent: { id: number; sample: Sample }[] = []

  get uncommitted(): string[] {
    return this.scrap === undefined ? [] : [this.scrap]
  }

  get head(): string {
    return `commit ${this.commits}`
  }

  commit(): void {
    this.commits += 1
    this.scrap = undefined
  }

  runTests(exitCode: number): void {
    this.clock += 1
    this.run = { at: this.clock, commit: this.head, exitCode, uncommitted: this.uncommitted }
  }

  evidenceOf = (sample: Sample): Evidence => {
    const since = Date.parse(this.snapshot.context.mission?.at ?? '')
    const { existingPaths, senderRegistered } = sample.evidence
    const { base = null, testedCommit = null } = this.snapshot.context as Partial<CodingContext>
    const begun = Math.max(this.merged, Number(base?.tip ?? 0))
    const isMerged = this.merged === this.commits
    return {
      base: { target: 'main', start: 'start', tip: String(this.commits) },
      ...(testedCommit !== null && {
        merge: { branch: '', target: '', proof: isMerged ? 'commits' : null, missing: 0 },
      }),
      existingPaths,
      senderRegistered,
      findings: this.findings.filter((at) => at >= since).length,
      branch: {
        head: this.head,
        ahead: this.commits - begun,
        changes: this.commits - this.merged,
        uncommitted: this.uncommitted,
      },
      testRun: this.run !== undefined && this.run.at >= since ? { ...this.run, command: 'test' } : null,
      deliverable: { problems: this.document === 'good' ? [] : [{ line: 1, message: '' }], figures: null },
      // no agent is at work in these lives
      codebase: { verdict: 'no-session', changes: [] },
    }
  }
}

class Real {
  readonly team: TestTeam
  sent: FiledSignal[] = []

  constructor(team: TestTeam) {
    this.team = team
  }

  get inbox(): string {
    return path.join(this.team.workspace, '.fed', 'signals', 'inbox')
  }
}

function command(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): fc.AsyncCommand<Model, Real> {
  return { check, run, toString: () => name }
}

async function expectSame(model: Model, { team }: Real): Promise<void> {
  const present = await team.open()
  expect(present.present().state).toBe(model.state)
  const { measured: _figures, ...facts } = factsOf(team.head().snapshot)
  expect({ ...facts, measured: undefined }).toEqual({ ...factsOf(model.snapshot), measured: undefined })
  expect(await toldBy(team)).toEqual(model.history)
  expect(present.mailbox.unacknowledgedFiles()).toHaveLength(model.waiting.length)
  // whoever decides that a status changes is whoever moves the lifecycle
  expect(team.status()).toBe(model.snapshot.value === 'paused' ? 'paused' : 'active')
}

const step = command('step', async (model, real) => {
  model.step(model.evidenceOf)
  await (await real.team.open()).step()
  await expectSame(model, real)
})

const stepsAtOnce = command('step three times at once', async (model, real) => {
  model.step(model.evidenceOf)
  const teams = await Promise.all([1, 2, 3].map(() => real.team.open()))
  await Promise.all(teams.map((team) => team.step()))
  await expectSame(model, real)
})

const send = (sample: Sample) =>
  command(`send ${sample.name}`, async (model, { team, ...real }) => {
    model.sent.push({ id: model.send(sample), sample })
    real.sent.push(await team.send(sample))
  })

/** What leads on from here, with its evidence: without it, random lives would end in their first state. */
const goOn = (choice: number) =>
  command(
    `go on (${choice})`,
    (model, real) => takeOn(forward(model)[choice % forward(model).length] as Sample, model, real),
    (model) => forward(model).length > 0,
  )

/** The way of an archetype whose lives would seldom come far by chance. */
const ways: Readonly<Record<string, readonly string[]>> = {
  coding: ['Document the storage', 'plan-ready', 'changes-committed', 'tests-passed', 'pr-opened'],
}

const goTheWay = ({ id }: AnyStateMachine, steps: number) =>
  (ways[id] ?? []).slice(0, steps).map((subject) => {
    const sample = accepted[id]?.find((one) => one.subject === subject) as Sample
    return command(`go on with ${subject}`, (model, real) => takeOn(sample, model, real))
  })

/** Makes true what a sample says, sends it and steps. */
async function takeOn(sample: Sample, model: Model, real: Real): Promise<void> {
  real.team.arrange(sample)
  model.clock += 1
  if (sample.evidence.findings !== undefined) model.findings.push(model.clock)
  if (sample.evidence.deliverable !== undefined) model.document = 'good'
  if (sample.evidence.testRun != null) model.runTests(0)
  else if (sample.subject === 'changes-committed') model.commit()
  else if (sample.subject === 'merged') model.merged = model.commits
  await send(sample).run(model, real)
  await step.run(model, real)
}

function forward({ machine, snapshot, evidenceOf }: Readonly<Model>): Sample[] {
  return (accepted[machine.id] ?? []).filter((sample) => {
    if (sample.type === 'alert' || ['pause', 'retire'].includes(sample.subject)) return false
    const event = modelEvent(sample)
    return [event, { ...event, evidence: evidenceOf(sample) }].some(
      (one) => verdictOn(snapshot, one) === 'accepted',
    )
  })
}

const copy = (choice: number) =>
  command(
    `deliver signal ${choice} again under another name`,
    async (model, real) => {
      const which = choice % model.sent.length
      const { id, sample } = model.sent[which] as { id: number; sample: Sample }
      model.send(sample, id)
      const { file } = real.sent[which] as FiledSignal
      copyFileSync(path.join(real.inbox, file), path.join(real.inbox, `copy-${model.clock}-${file}`))
    },
    ({ sent }) => sent.length > 0,
  )

/** As a process leaves it that is killed after its commit: nothing acknowledged, no effect known to be done. */
const crash = command('lose every acknowledgment and mark of effects done', async (_model, real) => {
  for (const dir of [real.inbox, path.join(real.team.workspace, '.fed', 'lifecycle.d')]) {
    for (const name of readdirSync(dir).filter((one) => /\.(ack|done)$/.test(one)))
      rmSync(path.join(dir, name))
  }
})

const find = command('log a finding', async (model, { team }) => {
  model.clock += 1
  model.findings.push(model.clock)
  learn(team.workspace, { domain: 'team', category: 'pattern', content: 'X', tags: [], confidence: 'low' })
})

const document = (quality: 'poor' | 'good') =>
  command(`write a ${quality} document`, async (model, { team }) => {
    model.document = quality
    const file = path.join(team.workspace, 'deliverable.md')
    writeFileSync(file, quality === 'good' ? goodDocument : '# Poor\n')
  })

const reset = command('reset', async (model, real) => {
  model.reset()
  model.document = 'none'
  await (await real.team.open()).reset()
  await expectSame(model, real)
})

const control = (subject: 'pause' | 'resume') =>
  command(`fed ${subject}`, async (model, real) => {
    const sample = accepted.deliverable?.find((one) => one.subject === subject) as Sample
    model.step(model.evidenceOf)
    const team = await real.team.open()
    const isPaused = model.snapshot.value === 'paused'
    if (model.snapshot.status !== 'active' || isPaused === (subject === 'pause')) {
      // it would change nothing, and nothing is sent
      await expect(team[subject]()).rejects.toThrow(RefusedError)
      return expectSame(model, real)
    }
    const id = model.send(sample)
    model.sent.push({ id, sample })
    model.step(model.evidenceOf)
    await team[subject]()
    const signal = team.mailbox
      .all()
      .filter((one) => one.subject === subject && one.from === 'meta')
      .at(-1)
    real.sent.push(signal as FiledSignal)
    await expectSame(model, real)
  })

const commit = command('commit everything', async (model, { team }) => {
  model.commit()
  const change = accepted.coding?.find(({ subject }) => subject === 'changes-committed')
  team.arrange(change as Sample)
})

const scrap = command('leave something uncommitted, or take it back', async (model, { team }) => {
  const { scrap: left } = model
  if (left !== undefined) rmSync(path.join(team.workspace, left))
  // what was committed meanwhile has its name
  model.scrap = left === undefined ? `scrap-${(model.clock += 1)}.ts` : undefined
  if (model.scrap !== undefined) writeFileSync(path.join(team.workspace, model.scrap), '')
})

const runTests = (exitCode: 0 | 1) =>
  command(`run tests that exit ${exitCode}`, async (model, { team: { workspace } }) => {
    model.runTests(exitCode)
    const head = git(workspace, 'rev-parse', 'HEAD')
    const uncommitted = uncommittedIn(workspace)
    recordTestRun(workspace, {
      at: now(),
      command: 'test',
      commit: head,
      exitCode,
      uncommitted,
      log: '/dev/null',
    })
  })

/** What changes the world of an archetype beside the signals. */
const worlds: Readonly<Record<string, readonly fc.AsyncCommand<Model, Real>[]>> = {
  deliverable: [find, document('poor'), document('good')],
  coding: [commit, scrap, runTests(0), runTests(1)],
  consultant: [find],
}

function commandsFor(machine: AnyStateMachine) {
  const anything = fc.constantFrom(...everySample(machine.id))
  return fc.commands(
    [
      fc.nat(50).map(goOn),
      fc.nat(50).map(goOn),
      anything.map(send),
      fc.constantFrom(step, stepsAtOnce, crash),
      fc.constantFrom(...(worlds[machine.id] ?? [])),
      fc.constantFrom(control('pause'), control('resume'), reset),
      fc.nat(50).map(copy),
    ],
    { maxCommands: 30, size: 'max' },
  )
}

test.each([
  { machine: deliverable, numRuns: tries(64) },
  { machine: coding, numRuns: tries(40) },
  { machine: consultant, numRuns: tries(48) },
])(
  '$machine.id: $numRuns random lives on the disk are those of the machine',
  async ({ machine, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(commandsFor(machine), fc.nat(5), async (commands, way) => {
        const team = await TestTeam.begin(machine.id)
        await fc.asyncModelRun(
          () => ({ model: new Model(machine), real: new Real(team) }),
          [...goTheWay(machine, way), ...commands, step],
        )
      }),
      // shrinking a life that fails could take longer than a test may
      { numRuns, interruptAfterTimeLimit: 40_000 },
    )
  },
)
