import { initialTransition, transition, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate'
import type { Evidence, TeamEvent } from '../../machines/team-event.ts'
import { modelEvent, situationOf } from './graph.ts'
import type { Sample } from './samples.ts'
import { verdictOn } from './verdict.ts'

interface Waiting {
  readonly id: number
  readonly sample: Sample
}

/** What became of a signal, as a team's history tells it. */
export interface Told {
  readonly event: string
  readonly outcome: string
  readonly kind: string | undefined
  readonly from: string
  readonly to: string
}

/** A team's life in memory: its machine as xstate runs it, a queue and a history; no file, no commit, no crash. */
export class LifeModel {
  readonly machine: AnyStateMachine
  snapshot: AnyMachineSnapshot
  waiting: Waiting[] = []
  history: Told[] = []
  /** Rises with everything that happens; stands for the time. */
  clock = 0
  readonly #seen = new Set<number>()
  /** The question that was taken up last. */
  #taken: Waiting | undefined
  /** The same when its mission was given up before it was answered: it is asked again, before all others. */
  #left: Waiting | undefined

  constructor(machine: AnyStateMachine) {
    this.machine = machine
    this.snapshot = this.#fresh()
  }

  #fresh(question?: unknown): AnyMachineSnapshot {
    return initialTransition(this.machine, { team: 'team', question } as never)[0] as AnyMachineSnapshot
  }

  get state(): string {
    return situationOf(this.snapshot).split(' ')[0] as string
  }

  /** Puts a signal into the queue, in which the order of sending rules; returns its id. */
  send(sample: Sample, id?: number): number {
    this.clock += 1
    const signal = { id: id ?? this.clock, sample }
    this.waiting = [...this.waiting, signal].toSorted((a, b) => a.id - b.id)
    return signal.id
  }

  /** @param evidenceOf what the world holds for a sample now, if not what the sample itself says. */
  step(evidenceOf: (sample: Sample) => Evidence = ({ evidence }) => evidence): void {
    this.#askAgain(evidenceOf)
    for (let index = 0; index < this.waiting.length;) {
      const { id, sample } = this.waiting[index] as Waiting
      const plain = modelEvent(sample)
      const at = new Date(id).toISOString()
      const event = { ...plain, signal: { ...plain.signal, at }, evidence: evidenceOf(sample) } as TeamEvent
      const from = this.state
      const verdict = this.#seen.has(id) ? 'duplicate' : verdictOn(this.snapshot, event)
      if (verdict === 'deferred') {
        index += 1
        continue
      }
      this.#seen.add(id)
      this.waiting = this.waiting.toSpliced(index, 1)
      if (verdict === 'accepted') {
        this.snapshot = transition(this.machine, this.snapshot, event)[0] as AnyMachineSnapshot
        if (sample.type === 'question') this.#taken = { id, sample }
      }
      const isRefused = verdict !== 'accepted' && verdict !== 'duplicate'
      const outcome = isRefused ? 'refused' : verdict
      const kind = isRefused ? verdict : undefined
      this.history.push({ event: event.type, outcome, kind, from, to: this.state })
      if (this.state === from) continue
      index = 0
      this.#askAgain(evidenceOf)
    }
  }

  #askAgain(evidenceOf: (sample: Sample) => Evidence): void {
    if (this.#left === undefined) return
    const { id, sample } = this.#left
    const plain = modelEvent(sample)
    const at = new Date(id).toISOString()
    const event = { ...plain, signal: { ...plain.signal, at }, evidence: evidenceOf(sample) } as TeamEvent
    if (verdictOn(this.snapshot, event) !== 'accepted') return
    const from = this.state
    this.snapshot = transition(this.machine, this.snapshot, event)[0] as AnyMachineSnapshot
    this.history.push({ event: event.type, outcome: 'accepted', kind: undefined, from, to: this.state })
    this.#left = undefined
  }

  /** The next mission: milestones that wait belong to the last one, everything else goes on waiting. */
  reset(): void {
    const from = this.state
    const over = this.waiting.filter(({ sample }) => sample.from === 'self')
    this.waiting = this.waiting.filter(({ sample }) => sample.from !== 'self')
    for (const { id } of over) this.#seen.add(id)
    const { question, leftQuestion } = this.snapshot.context
    const left = this.snapshot.status === 'active' ? (question ?? leftQuestion) : null
    this.#left = left == null ? undefined : (this.#left ?? this.#taken)
    this.snapshot = this.#fresh(left ?? undefined)
    this.history = over.map(({ sample }) => ({
      event: modelEvent(sample).type,
      outcome: 'refused',
      kind: 'earlier-mission',
      from,
      to: this.state,
    }))
  }
}
