import { learn } from '../../../src/records/learnings/learning-log.ts'
import { fed } from '../counted-process.ts'
import { signalsIn, type FederationFacts, type TeamFacts } from '../federation-facts.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf, leafOf, walk } from './prepared.ts'

export function team(now: FederationFacts, id: string): TeamFacts {
  const found = now.teams.find(({ address }) => address === id)
  if (found === undefined) throw new Error(`there is no team ${id}`)
  return found
}

export function stateOf(now: FederationFacts, id: string): string {
  return leafOf(team(now, id).commits.at(-1)?.snapshot.value)
}

export function* isIn(now: FederationFacts, id: string, state: string): Iterable<string> {
  if (stateOf(now, id) !== state) yield `${id} is ${stateOf(now, id)}, not ${state}`
}

/** How often a signal with this subject was handled so. */
function handled(now: FederationFacts, id: string, outcome: string): number {
  return team(now, id).commits.flatMap((commit) => commit.handled.filter((one) => one.outcome === outcome))
    .length
}

const docsAt = (state: Parameters<typeof walk>[2]) => async (root: string) => {
  await walk(await federationOf(root, 'docs'), 'docs', state)
}

export const stepAccepted: Scenario = {
  name: 'step: accepted, with a report to meta',
  prepare: docsAt('preparing'),
  act: (root) => fed(root, 'report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'),
  again: [5],
  told: (_, now) => isIn(now, 'docs', 'scanning'),
  end: (now) => isIn(now, 'docs', 'scanning'),
}

export const stepRefused: Scenario = {
  name: 'step: refused, told by the command',
  prepare: docsAt('preparing'),
  act: (root) => fed(root, 'report', 'document-written', '--team', 'docs'),
  ends: 5,
  again: [5],
  *end(now, before) {
    yield* isIn(now, 'docs', 'preparing')
    const refusals = handled(now, 'docs', 'refused') - handled(before, 'docs', 'refused')
    if (refusals < 1 || refusals > 2) yield `two commands were refused ${refusals} times`
  },
}

/** The refusal of somebody else's signal is an alert to its sender. */
export const stepRefusedWithAlert: Scenario = {
  name: 'step: refused, with an alert',
  async prepare(root) {
    const federation = await federationOf(root, 'docs')
    await walk(federation, 'docs', 'scanning')
    await federation.send({ from: 'meta', to: 'docs', type: 'directive', subject: 'resume' })
  },
  act: (root) => fed(root, 'monitor'),
  // the alert waits for an answer
  ends: 1,
  again: [1],
  *end(now) {
    yield* isIn(now, 'docs', 'scanning')
    const alerts = [...signalsIn(now.meta.inbox).values()].filter(({ type }) => type === 'alert')
    if (alerts.length !== 1) yield `meta heard ${alerts.length} times that its directive was refused`
  },
}

export const stepMovesStatus: Scenario = {
  name: 'step: pause, in the registry too',
  prepare: docsAt('scanning'),
  act: (root) => fed(root, 'pause', 'docs'),
  again: [5],
  *told(_, now) {
    yield* isIn(now, 'docs', 'paused')
    if (team(now, 'docs').status !== 'paused')
      yield 'it was told to be paused, and the registry does not say so'
  },
  end: (now) => isIn(now, 'docs', 'paused'),
}

const several = [
  { from: 'meta', type: 'directive', subject: 'Document the storage', body: 'All of it' },
  { from: 'docs', type: 'report', subject: 'mission-planned', body: 'src/app.ts' },
  { from: 'docs', type: 'report', subject: 'document-written', body: '' },
  { from: 'docs', type: 'report', subject: 'files-read', body: '' },
  { from: 'meta', type: 'directive', subject: 'pause', body: '' },
] as const

export const stepSeveral: Scenario = {
  name: 'step: five signals in one commit',
  async prepare(root) {
    const federation = await federationOf(root, 'docs')
    const { actor } = await federation.team('docs')
    learn(actor.workspace, {
      domain: 'docs',
      category: 'pattern',
      content: 'A fact',
      tags: [],
      confidence: 'high',
    })
    for (const draft of several) await federation.send({ ...draft, to: 'docs' })
  },
  act: (root) => fed(root, 'monitor'),
  *end(now) {
    yield* isIn(now, 'docs', 'paused')
    const counts = team(now, 'docs').commits.map((commit) => commit.handled.length)
    if (counts.join() !== '0,5') yield `the commits handled ${counts.join(', ')} signals`
  },
}

/** The answer goes to the team that asked, beside the report to meta. */
export const stepAnswers: Scenario = {
  name: 'step: an answer to another team',
  async prepare(root) {
    const federation = await federationOf(root, 'docs')
    const { actor } = await federation.onboard({ domain: 'api', archetype: 'consultant' })
    const api = await federation.team('api')
    await api.direct('Know the code', 'All of it')
    await api.tell({ type: 'report', subject: 'domain-mapped', body: 'src/app.ts' })
    learn(actor.workspace, {
      domain: 'api',
      category: 'pattern',
      content: 'A fact',
      tags: [],
      confidence: 'high',
    })
    await api.tell({ type: 'report', subject: 'index-built', body: '' })
    await federation.send({ from: 'docs', to: 'api', type: 'question', subject: 'Which port' })
    await api.step()
  },
  act: (root) => fed(root, 'report', 'answer', '--team', 'api', '--body', 'Port 80'),
  again: [5],
  *end(now) {
    yield* isIn(now, 'api', 'ready')
    const answers = [...signalsIn(team(now, 'docs').inbox).values()].filter(({ body }) => body === 'Port 80')
    if (answers.length !== 1) yield `docs got ${answers.length} answers`
  },
}
