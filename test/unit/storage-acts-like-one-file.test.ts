// Proves that, whatever is done to it in whatever order, a versioned document reads as one plain variable
// would, with a history; fails where any sequence of calls makes the two differ.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { beforeEach, afterEach, expect, test } from 'vitest'
import type { Head } from '../../src/platform/storage/versioned-steps.ts'
import { counter, newFile, type Counter } from '../support/counter.ts'
import { tries } from '../support/thorough.ts'

let durability: string | undefined
beforeEach(() => {
  durability = process.env.FED_DURABILITY
  process.env.FED_DURABILITY = 'process'
})
afterEach(() => {
  if (durability === undefined) delete process.env.FED_DURABILITY
  else process.env.FED_DURABILITY = durability
})

/** What a document should be: its content without what storage stamps on it. */
class Model {
  content: unknown
  version = 0
  oldest = 1
}

class World {
  readonly document = counter(newFile())
  /** A head that some process read, maybe long ago. */
  earlier: { head: Head<Counter> | undefined; version: number } = { head: undefined, version: 0 }
}

function plain(content: Counter | undefined): unknown {
  if (content === undefined) return undefined
  const { version: _version, commit: _commit, ...rest } = content
  return rest
}

type Command = fc.Command<Model, World>

function checked(
  describe: string,
  run: (model: Model, world: World) => void,
  check: (model: Readonly<Model>) => boolean = () => true,
) {
  return {
    check,
    run(model: Model, world: World) {
      run(model, world)
      const head = world.document.read()
      assert.equal(head?.version ?? 0, model.version)
      assert.deepEqual(plain(head?.content), model.content)
    },
    toString: () => describe,
  } satisfies Command
}

const isThere = ({ version }: Readonly<Model>) => version > 0
// JSON itself drops these two from what it reads and writes
const content = fc
  .dictionary(
    fc.string().filter((key) => !['version', 'commit', '__proto__'].includes(key)),
    fc.jsonValue(),
    { maxKeys: 4 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Counter)

const commands = [
  content.map((next) =>
    checked(`update ${JSON.stringify(next)}`, (model, { document }) => {
      const committed = document.update((present) => {
        assert.deepEqual(plain(present), model.content)
        return next
      })
      model.content = next
      model.version += 1
      assert.equal(committed.version, model.version)
      assert.deepEqual(plain(document.version(model.version)), next)
    }),
  ),
  fc.constant(
    checked('remember the head', (model, world) => {
      world.earlier = { head: world.document.read(), version: model.version }
    }),
  ),
  content.map((next) =>
    checked(`commit ${JSON.stringify(next)} on the remembered head`, (model, { document, earlier }) => {
      const committed = document.commit(earlier.head, next)
      assert.equal(committed !== undefined, earlier.version === model.version)
      if (committed === undefined) return
      model.content = next
      model.version += 1
    }),
  ),
  fc.integer({ min: 0, max: 4 }).map((keep) =>
    checked(`collect all but ${keep}`, (model, { document }) => {
      const oldest = Math.max(model.oldest, model.version - Math.max(1, keep) + 1)
      assert.equal(document.collect({ keep, minimumAgeMs: 0 }), oldest - model.oldest)
      model.oldest = oldest
      assert.equal(document.versions()[0] ?? 1, oldest)
    }),
  ),
  content.map((next) =>
    checked(
      `edit to ${JSON.stringify(next)}`,
      (model, { document }) => {
        const { version, commit } = (document.read() as Head<Counter>).content
        rmSync(document.shape.file)
        writeFileSync(document.shape.file, JSON.stringify({ ...next, version, commit }))
        model.content = next
      },
      isThere,
    ),
  ),
  fc.constant(
    checked(
      'lose the published file',
      (model, { document }) => {
        const head = document.read() as Head<Counter>
        rmSync(document.shape.file)
        const left = document.read() as Head<Counter>
        // an edit by hand was only there
        model.content = plain(left.content)
        assert.equal(left.version, head.version)
        assert.equal(left.published, undefined)
        document.catchUp(left)
        assert.equal(document.read()?.published, head.version)
      },
      isThere,
    ),
  ),
]

test('any sequence of updates, late commits, collections, edits and losses reads like a plain variable', () => {
  const sequences = fc.commands(commands, { maxCommands: 30 })
  const property = fc.property(sequences, (sequence) =>
    fc.modelRun(() => ({ model: new Model(), real: new World() }), sequence),
  )
  expect(fc.defaultReportMessage(fc.check(property, { numRuns: tries(300) }))).toBeUndefined()
})
