import { collect, commit, publish } from '../../src/platform/storage/versioned-commit.ts'
import { readHead, versionFile, versionsDirectory } from '../../src/platform/storage/versioned-steps.ts'
import type { Steps } from '../../src/platform/storage/disk-calls.ts'

/** The algorithms that a simulation runs: the real ones, or the real ones with one rule left out. */
export interface Rules {
  readonly readHead: typeof readHead
  readonly commit: typeof commit
  readonly publish: typeof publish
  readonly collect: typeof collect
}

export const allRules: Rules = { readHead, commit, publish, collect }

type Asked = Steps<unknown> extends Generator<infer Call, unknown, unknown> ? Call : never

/** Runs `steps`, but answers a call with what `instead` returns for it, and then does not make it. */
function* answering<Result>(
  steps: Steps<Result>,
  instead: (call: Asked) => { answer: unknown } | undefined,
  saw: (call: Asked, answer: unknown) => void = () => {},
): Steps<Result> {
  let turn = steps.next()
  while (!turn.done) {
    const lie = instead(turn.value)
    const answer: unknown = lie === undefined ? yield turn.value : lie.answer
    if (lie === undefined) saw(turn.value, answer)
    turn = steps.next(answer)
  }
  return turn.value
}

const isOf = (call: Asked, name: Asked[0], file: string) => call[0] === name && call[1] === file

/** After its link a commit does not look whether its predecessor is still there. */
const withoutPredecessorCheck: Rules['commit'] = (shape, head, content) => {
  let isLinked = false
  return answering(
    commit(shape, head, content),
    (call) => {
      if (!isLinked) return undefined
      if (head !== undefined && isOf(call, 'read', versionFile(shape.file, head.number))) {
        return { answer: head.text }
      }
      return isOf(call, 'list', versionsDirectory(shape.file))
        ? { answer: [`${(head?.version ?? 0) + 1}.json`] }
        : undefined
    },
    (call, answer) => {
      if (call[0] === 'link' && answer === true) isLinked = true
    },
  )
}

/** A reader that saw a version once believes that it is still there, or that what has its number is it. */
function withoutStillThereCheck(isNumberChecked: boolean): Rules['readHead'] {
  return function* (shape) {
    const known = new Map<string, string>()
    const steps = readHead(shape)
    let turn = steps.next()
    while (!turn.done) {
      const [name, file] = turn.value
      const text = name === 'read' ? known.get(file) : undefined
      let answer: unknown
      if (text === undefined) {
        answer = yield turn.value
        if (name === 'read' && typeof answer === 'string') {
          const { version } = JSON.parse(answer) as { version: number }
          known.set(file === shape.file ? versionFile(shape.file, version) : file, answer)
        }
      } else {
        answer = isNumberChecked && !(yield ['exists', file]) ? undefined : text
      }
      turn = steps.next(answer)
    }
    return turn.value
  }
}

/** A reader that finds the published version collected climbs from the lowest that is left. */
const withoutHighestRule: Rules['readHead'] = function* (shape) {
  const steps = readHead(shape)
  let turn = steps.next()
  while (!turn.done) {
    let answer: unknown = yield turn.value
    if (turn.value[0] === 'list') {
      const numbers = (answer as string[]).filter((name) => /^\d+\.json$/.test(name)).map(Number.parseFloat)
      answer = numbers.length === 0 ? [] : [`${Math.min(...numbers)}.json`]
    }
    turn = steps.next(answer)
  }
  return turn.value
}

/** A reader that read the highest version believes that it is the highest still. */
const withoutHighestAgain: Rules['readHead'] = (shape) => {
  let listed: unknown
  return answering(
    readHead(shape),
    (call) => {
      if (call[0] !== 'list' || listed === undefined) return undefined
      const answer = listed
      listed = undefined
      return { answer }
    },
    (call, answer) => {
      if (call[0] === 'list') listed = answer
    },
  )
}

/** A publisher does not look whether something newer was committed meanwhile. */
const withoutReadAfterPublish: Rules['publish'] = function* (shape, committed) {
  const steps = publish(shape, committed)
  let turn = steps.next()
  while (!turn.done) {
    const answer: unknown = yield turn.value
    if (turn.value[0] === 'rename') return
    turn = steps.next(answer)
  }
}

/** The newest of the old versions go first. */
const withoutAscendingOrder: Rules['collect'] = function* (file, retention) {
  const doomed: Asked[] = []
  const collected = yield* answering(collect(file, retention), (call) => {
    if (call[0] !== 'unlink') return undefined
    doomed.push(call)
    return { answer: true }
  })
  for (const call of doomed.toReversed()) yield call
  return collected
}

/** Whoever follows a commit does not tell its author so. */
const withoutTellingTheAuthor: Rules['commit'] = (shape, head, content) =>
  answering(commit(shape, head, content), (call) =>
    head?.commit !== undefined && call[0] === 'unlink' && call[1].includes(head.commit)
      ? { answer: false }
      : undefined,
  )

/** A commit takes a number that somebody else has. */
const withoutExclusiveLink: Rules['commit'] = function* (shape, head, content) {
  const steps = commit(shape, head, content)
  let turn = steps.next()
  while (!turn.done) {
    if (turn.value[0] === 'link') yield ['unlink', turn.value[2]]
    turn = steps.next(yield turn.value)
  }
  return turn.value
}

/** Each rule of the algorithm by name, and the algorithms without it. */
export const leftOut: ReadonlyMap<string, Rules> = new Map([
  ['a number is taken exclusively', { ...allRules, commit: withoutExclusiveLink }],
  ['after its link a commit checks its predecessor', { ...allRules, commit: withoutPredecessorCheck }],
  ['whoever follows a commit tells its author first', { ...allRules, commit: withoutTellingTheAuthor }],
  ['a climber looks again at what it stands on', { ...allRules, readHead: withoutStillThereCheck(false) }],
  ['a climber compares commits, not numbers', { ...allRules, readHead: withoutStillThereCheck(true) }],
  ['climbing begins at the highest version in the folder', { ...allRules, readHead: withoutHighestRule }],
  ['a highest version counts only while it is the highest', { ...allRules, readHead: withoutHighestAgain }],
  ['a publisher reads the head again', { ...allRules, publish: withoutReadAfterPublish }],
  ['versions are collected in ascending order', { ...allRules, collect: withoutAscendingOrder }],
])
