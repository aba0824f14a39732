import { ask, type Steps } from '../../src/platform/storage/disk-calls.ts'
import type { Retention } from '../../src/platform/storage/versioned-commit.ts'
import type { DocumentShape, Head } from '../../src/platform/storage/versioned-steps.ts'
import { Violation, type History } from './history.ts'
import type { Random } from './random.ts'
import type { Rules } from './rules.ts'

/** What the processes change: a counter, and who counted last. */
export interface Counter {
  readonly value: number
  readonly by: string
}

/** One simulated federation: a document, what happens to it, and the algorithms that touch it. */
export interface World {
  readonly shape: DocumentShape<Counter>
  readonly history: History
  readonly random: Random
  readonly rules: Rules
  readonly collection: Retention
}

export const counterShape: DocumentShape<Counter> = {
  file: '/federation/counter.json',
  versionField: 'version',
  decode: (json) => json as Counter,
  handEdits: 'keep',
}

/** Reads the head and holds it against what had happened before the read began. */
function* readChecked({ shape, history, rules }: World): Steps<Head<Counter> | undefined> {
  const begunAt = history.accepted.length
  const head = yield* rules.readHead(shape)
  const isOthers = head !== undefined && head.commit === undefined
  if (!isOthers) history.wasRead(head?.commit, begunAt)
  else if (head.below !== undefined) history.wasRead(head.below.commit, begunAt)
  return head
}

/** Counts `quota` times, each time until its commit is done; calls `counted` after each. */
export function* writer(world: World, name: string, quota: number, counted: () => void): Steps<void> {
  const { shape, history, random, rules } = world
  for (let turn = 0; turn < quota; turn += 1) {
    const by = `${name}:${turn}`
    for (let isDone = false; !isDone;) {
      const head = yield* readChecked(world)
      const next = { ...head?.content, value: (head?.content.value ?? 0) + 1, by }
      const committed = yield* rules.commit(shape, head, next)
      if (committed === undefined) continue
      history.wasReportedDone(committed.commit)
      yield* rules.publish(shape, committed)
      isDone = true
    }
    if (!history.counts(by)) throw new Violation(`${by} is not counted`)
    if (random.chance(0.3)) yield* rules.collect(shape.file, world.collection)
    counted()
  }
}

/** Only reads, and now and then publishes for a writer that was killed before it could. */
export function* reader(world: World, isOver: () => boolean): Steps<void> {
  while (!isOver()) {
    const head = yield* readChecked(world)
    if (head?.commit !== undefined && head.published !== head.version && world.random.chance(0.5)) {
      yield* world.rules.publish(world.shape, head)
    }
  }
}

export function* collector(world: World, isOver: () => boolean): Steps<void> {
  while (!isOver()) yield* world.rules.collect(world.shape.file, world.collection)
}

/** An editor, or a program that knows only the specification: replaces the published file and knows no versions. */
export function* otherProgram(
  { shape, random }: World,
  kind: 'edits' | 'increments',
  times: number,
): Steps<void> {
  for (let turn = 0; turn < times; turn += 1) {
    const text = yield* ask('read', shape.file)
    const present = text === undefined ? { version: random.integer(0, 3), value: 0 } : JSON.parse(text)
    const mark = `other-${kind}:${turn}`
    if (kind === 'increments') {
      present.by = mark
      present.version += random.integer(1, 4)
      if (random.chance(0.5)) delete present.commit
    } else if (text === undefined) continue
    else present.note = mark
    yield* ask('create', `/elsewhere/${mark}`, JSON.stringify(present))
    yield* ask('rename', `/elsewhere/${mark}`, shape.file)
  }
}
