// Proves that every transition of a machine that a federation's own hook brings happens in a real federation as
// the machine says, from one of the situations in which it can, another in each run, or all of them, with nothing
// kept between two events but files. Fails when fed prepares, persists or revives such a machine otherwise than
// those that ship.
import { initialTransition, transition, type AnyMachineSnapshot } from 'xstate'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Archetype } from '../../src/federation/archetypes.ts'
import { loadHook } from '../../src/federation/hooks/load-hook.ts'
import { newFederation } from '../support/federation.ts'
import { declaredTransitions, explore, modelEvent, situationOf } from '../support/graph.ts'
import { addAuditHook } from '../support/hook.ts'
import { findSomething, goodDocument, milestone, order, sample, type Sample } from '../support/samples.ts'
import { factsOf, TestTeam } from '../support/test-team.ts'
import { isThorough, oneOfEach, someOf } from '../support/thorough.ts'

const figures = { sizeBytes: 1, words: 1, sections: 1, codeExamples: 1, diagrams: 0 }

/** Signals that take the fixture's machine along every transition that it declares. */
const samples: readonly Sample[] = [
  order('Audit the app'),
  order('pause'),
  order('resume'),
  milestone('scope-set', '', { body: 'src/app.ts', evidence: { existingPaths: ['src/app.ts'] } }),
  milestone('risks-logged', '', {
    evidence: { findings: 2 },
    arrange(workspace, team) {
      for (let count = 0; count < 2; count += 1) findSomething(workspace, team)
    },
  }),
  milestone('audit-written', '', {
    body: 'verdict: fail',
    evidence: { deliverable: { problems: [], figures } },
    arrange: (workspace) => writeFileSync(path.join(workspace, 'deliverable.md'), goodDocument),
  }),
  sample('self', 'alert', 'information-missing'),
  sample('self', 'alert', 'session-exhausted'),
]

async function loaded(root: string): Promise<Archetype> {
  addAuditHook(root)
  const { archetypes } = await loadHook(root, 'hooks/fed.ts')
  return archetypes[0] as Archetype
}

const { machine } = (await loaded(newFederation())).logic
const { edges } = explore(machine, samples)
const walked = new Set<string>()

describe('audit', () => {
  let begin: AnyMachineSnapshot
  beforeAll(() => {
    begin = initialTransition(machine, { team: 'team' } as never)[0] as AnyMachineSnapshot
  })

  test.each(
    someOf(
      oneOfEach(edges, ({ declared }) => declared),
      12,
    ).map((edge) => ({
      ...edge,
      title: `${edge.source.name} to ${edge.target} on ${edge.sample.name}`,
    })),
  )('goes from $title', async ({ source, sample: last, target, declared }) => {
    const root = newFederation()
    await loaded(root)
    const team = await TestTeam.begin('audit', root)
    let model = begin
    for (const one of [...source.path, last]) {
      model = transition(machine, model, modelEvent(one))[0] as AnyMachineSnapshot
      await team.walk([one])
      const { snapshot, handled } = team.head()
      expect(handled).toMatchObject([{ outcome: 'accepted' }])
      expect(snapshot).toMatchObject({ value: model.value, status: model.status })
      expect(factsOf(snapshot)).toEqual(factsOf(model))
    }
    expect(situationOf(model)).toBe(target)
    walked.add(declared)
  })

  test.runIf(isThorough)('every declared transition was walked', () => {
    expect(declaredTransitions(machine).filter((one) => !walked.has(one))).toEqual([])
  })
})
