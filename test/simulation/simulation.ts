import { perform, performOne, type Steps } from '../../src/platform/storage/disk-calls.ts'
import { listVersions } from '../../src/platform/storage/versioned-steps.ts'
import { History, Violation } from './history.ts'
import { collector, counterShape, otherProgram, reader, writer, type World } from './processes.ts'
import { Random } from './random.ts'
import type { Rules } from './rules.ts'
import { SimulatedDisk } from './simulated-disk.ts'

type Call = Parameters<typeof performOne>[1]

interface Process {
  readonly name: string
  readonly isWriter: boolean
  readonly steps: Steps<void>
  /** The call that it makes when it is scheduled next; undefined when it is at its end or killed. */
  call: Call | undefined
  /** When it goes on after a stop; 0 when it was not stopped. */
  wakesAt: number
  counted: number
  /** Above 0 for the first calls after a stop. */
  late: number
}

const trapped: Call[0][] = ['link', 'read', 'unlink', 'list', 'rename', 'create']

/** How rough one run is. */
interface Weather {
  readonly stop: number
  readonly kill: number
  readonly longestStop: number
  /** Before these calls every fourth process stops. */
  readonly traps: readonly Call[0][]
}

/** Calls that one process needs at most for an update when nobody else moves, and for each version there. */
const callsAlone = 80
const callsForEach = 6
/** Calls that all writers together make at most before one of them has committed. */
const callsForACommit = 3000

/**
 * Lets several processes count in one document, with a random choice of who makes the next file system call.
 * Some stop for long between two calls, some never go on, and old versions are collected as soon as possible.
 * @returns how many commits there were.
 * @throws {Violation} when the document broke a promise.
 */
export class Simulation {
  readonly #random: Random
  readonly #disk = new SimulatedDisk()
  readonly #history = new History(counterShape.file)
  readonly #weather: Weather
  readonly #processes: Process[] = []
  readonly #writers: Process[] = []
  readonly #world: World
  #callsSinceCommit = 0
  /** Nobody was killed who might have had to publish, and no other program wrote. */
  #isPublished = true

  constructor(seed: number, rules: Rules) {
    const random = (this.#random = new Random(seed))
    this.#weather = {
      stop: random.pick([0, 0.002, 0.01, 0.05]),
      kill: random.pick([0, 0, 0.0005, 0.003]),
      longestStop: random.pick([30, 300, 3000, 30_000]),
      traps: trapped.filter(() => random.chance(0.2)),
    }
    const world: World = (this.#world = {
      shape: counterShape,
      random,
      rules,
      history: this.#history,
      collection: {
        keep: random.pick([1, 1, 2, 5, 20]),
        minimumAgeMs: random.pick([0, 0, 10, 100]),
        // a version has about 100 bytes; by the seed, so that a seed's other choices stay the same
        keepBytes: [undefined, 150, 1000, 1, undefined, undefined][seed % 6],
      },
    })
    const isOver = () => this.#writers.every(({ call }) => call === undefined)
    const quota = random.integer(5, 40)
    for (let index = random.integer(2, 6); index > 0; index -= 1) {
      const process = this.#start(`writer-${index}`, (self) =>
        writer(world, `writer-${index}`, quota, () => (self().counted += 1)),
      )
      this.#writers.push(process)
    }
    if (random.chance(0.5)) this.#start('reader', () => reader(world, isOver))
    if (random.chance(0.5)) this.#start('collector', () => collector(world, isOver))
    for (const kind of ['edits', 'increments'] as const) {
      if (!random.chance(0.2)) continue
      this.#start(kind, () => otherProgram(world, kind, 5))
      this.#isPublished = false
    }
  }

  #start(name: string, make: (self: () => Process) => Steps<void>): Process {
    const steps = make(() => process)
    const process: Process = {
      name,
      isWriter: name.startsWith('writer'),
      steps,
      call: undefined,
      wakesAt: 0,
      counted: 0,
      late: 0,
    }
    this.#processes.push(process)
    return process
  }

  run(): number {
    for (const process of this.#processes) this.#resume(process, undefined)
    for (let awake = this.#awake(); awake.length > 0; awake = this.#awake()) {
      let process = this.#random.pick(awake)
      // readers and collectors never end by themselves: without this they would make most of the calls
      if (!process.isWriter) process = this.#random.pick(awake)
      if (this.#random.chance(0.001) && process.isWriter) this.#alone(process)
      else this.#schedule(process)
    }
    this.#end()
    return this.#history.accepted.length
  }

  /** Who may be scheduled; when everybody sleeps, time passes. Nobody when all are at their end. */
  #awake(): Process[] {
    const awake: Process[] = []
    let isWriterAwake = false
    let left = Infinity
    for (const process of this.#processes) {
      if (process.call === undefined) continue
      const sleeps = process.wakesAt - this.#disk.now
      if (sleeps > 0) left = Math.min(left, sleeps)
      else {
        awake.push(process)
        isWriterAwake ||= process.isWriter
      }
    }
    if (isWriterAwake || left === Infinity) return awake
    // while all writers sleep for long, readers and collectors alone would make thousands of calls
    this.#disk.now += awake.length === 0 ? left : Math.ceil(left / 32)
    return awake.length === 0 ? this.#awake() : awake
  }

  #schedule(process: Process): void {
    const { stop, kill, longestStop, traps } = this.#weather
    const isTrapped =
      process.call !== undefined && traps.includes(process.call[0]) && this.#random.chance(0.25)
    if (process.wakesAt > 0) {
      process.wakesAt = 0
      process.late = 6
    } else if (isTrapped || this.#random.chance(stop)) {
      process.wakesAt = this.#disk.now + Math.ceil(longestStop ** this.#random.next())
      return
    }
    process.late -= 1
    // what a process does late is worst when it cannot undo it any more
    if (
      this.#random.chance(process.late > 0 ? 20 * kill : kill) &&
      this.#writers.filter(({ call }) => call !== undefined).length > 1
    ) {
      process.call = undefined
      this.#isPublished = false
      return
    }
    this.#step(process)
  }

  /** Makes the call that a process waits for, and lets it go on to its next. */
  #step(process: Process): void {
    const call = process.call as Call
    const target = call[0] === 'link' || call[0] === 'rename' ? call[2] : call[1]
    const answer = performOne(this.#disk, call)
    this.#disk.now += 1
    const before = this.#history.accepted.length
    this.#history.saw(this.#disk, call[0], target, answer)
    if (this.#history.accepted.length > before) this.#callsSinceCommit = 0
    else if (process.isWriter) this.#callsSinceCommit += 1
    if (this.#callsSinceCommit > callsForACommit) throw new Violation('nobody gets on')
    this.#resume(process, answer)
  }

  #resume(process: Process, answer: unknown): void {
    const turn = process.steps.next(answer)
    process.call = turn.done ? undefined : turn.value
  }

  /** All others stop where they are: one process must still finish an update, soon. */
  #alone(process: Process): void {
    const goal = process.counted + 1
    const versions = perform(listVersions(counterShape.file), this.#disk).length
    for (let calls = 0; process.call !== undefined && process.counted < goal; calls += 1) {
      if (calls > callsAlone + callsForEach * versions) {
        throw new Violation(`${process.name} is blocked by others that are stopped`)
      }
      this.#step(process)
    }
  }

  /** When all is done, the disk holds the newest, and shows it as soon as anybody looks. */
  #end(): void {
    const { rules, shape } = this.#world
    const head = perform(rules.readHead(shape), this.#disk)
    const isOthers = head?.commit === undefined
    this.#history.wasRead(isOthers ? head?.below?.commit : head.commit, this.#history.accepted.length)
    this.#history.ends(this.#disk)
    if (head === undefined || isOthers) return
    if (head.published !== head.version) {
      if (this.#isPublished) throw new Violation('the published file is behind for good')
      perform(rules.publish(shape, head), this.#disk)
    }
    const published = JSON.parse(this.#disk.read(shape.file) ?? 'null')
    if (published?.commit.id !== head.commit) throw new Violation('the published file is not the newest')
  }
}
