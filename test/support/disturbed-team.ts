import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, vi } from 'vitest'
import type { Federation } from '../../src/index.ts'
import { perform, type Act } from './acts.ts'
import { interrupted, type Interruption } from './interrupted-calls.ts'
import type { Neighbour } from './neighbour.ts'
import { observe, type Observed } from './observed-team.ts'
import { difference, expectPromisesKept, type Known } from './kept-promises.ts'
import { merged, type Event, type PossibleLives } from './possible-lives.ts'
import { goodDocument, type Sample } from './samples.ts'
import { TestTeam } from './test-team.ts'

/** An act, and what the model calls the signal in it. */
export interface Deed {
  readonly act: Act
  readonly sample?: Sample
}

/** Process ids above what any system gives: nobody who lives has one. */
let deadId = 5_000_000

/** A team to which two processes do things: one in this thread, which may be killed or overtaken, and a neighbour. */
export class DisturbedTeam {
  readonly #team: TestTeam
  readonly #neighbour: Neighbour
  #here: Federation
  /** A process was killed since the last whole step: what it left may be unfinished. */
  #isWounded = false
  readonly #known: Known = { sent: new Set(), read: new Set(), tried: new Set() }
  seen: Observed

  private constructor(team: TestTeam, neighbour: Neighbour, here: Federation, seen: Observed) {
    this.#team = team
    this.#neighbour = neighbour
    this.#here = here
    this.seen = seen
  }

  /** A team with all the evidence that its machine may ask for, so that only signals decide. */
  static async begin(archetype: string, neighbour: Neighbour): Promise<DisturbedTeam> {
    const team = await TestTeam.begin(archetype)
    writeFileSync(path.join(team.workspace, 'deliverable.md'), goodDocument)
    const finding = {
      timestamp: '2999-01-01T00:00:00.000Z',
      domain: 'team',
      category: 'pattern',
      content: 'X',
    }
    const line = JSON.stringify({ ...finding, tags: [], confidence: 'high' })
    appendFileSync(path.join(team.workspace, '.fed', 'learnings.jsonl'), `${line}\n`)
    neighbour.open(team.root)
    return new DisturbedTeam(team, neighbour, await opened(team.root), await observe(team))
  }

  /** The process in this thread ends in peace, and another one begins. */
  async restart(): Promise<void> {
    this.#here = await opened(this.#team.root)
  }

  async here(lives: PossibleLives, deed: Deed): Promise<void> {
    await perform(this.#here, deed.act)
    await this.#look(lives, [deed], ([events]) => [events as Event[]])
  }

  async there(lives: PossibleLives, deed: Deed): Promise<void> {
    this.#neighbour.perform([deed.act])
    await this.#look(lives, [deed], ([events]) => [events as Event[]])
  }

  /** The process in this thread is killed at one of its calls. */
  async killed(lives: PossibleLives, deed: Deed, interruption: Interruption): Promise<void> {
    const id = Object.getOwnPropertyDescriptor(process, 'pid') as PropertyDescriptor
    Object.defineProperty(process, 'pid', { ...id, value: (deadId += 1) })
    let isDead: boolean
    try {
      isDead = await interrupted(interruption, () => perform(this.#here, deed.act))
    } finally {
      Object.defineProperty(process, 'pid', id)
    }
    if (!isDead) return this.#look(lives, [deed], ([events]) => [events as Event[]])
    await this.restart()
    this.#isWounded = true
    await this.#look(lives, [], () => this.#beginnings(deed), [deed])
  }

  #beginnings(deed: Deed): Event[][] {
    const events = this.#events(deed)
    return events.map((_, index) => events.slice(0, index + 1)).concat(events[0]?.kind === 'send' ? [] : [[]])
  }

  /**
   * The process in this thread stands still at one of its calls while the neighbour does something, and goes on.
   * @returns whether it came to that call.
   */
  async overtaken(
    lives: PossibleLives,
    deed: Deed,
    others: readonly Deed[],
    interruption: Interruption,
  ): Promise<boolean> {
    let isMet = false
    const meanwhile = () => {
      isMet = true
      this.#neighbour.perform(others.map(({ act }) => act))
    }
    await interrupted({ ...interruption, meanwhile }, () => perform(this.#here, deed.act))
    await this.#look(lives, isMet ? [deed, ...others] : [deed], ([own, ...theirs]) =>
      // a step that finds something new goes round again
      merged(
        (own ?? []).flatMap((one): Event[] => (one.kind === 'step' ? [one, one] : [one])),
        theirs.flat(),
      ),
    )
    return isMet
  }

  #events({ act, sample }: Deed): Event[] {
    const time = 'draft' in act ? this.seen.inbox.get(act.draft.id as string)?.timestamp : undefined
    const send: Event[] =
      sample === undefined || time === undefined ? [] : [{ kind: 'send', sample, time: Date.parse(time) }]
    if (act.kind === 'tell') return send.length === 0 ? [] : [...send, { kind: 'step' }]
    return act.kind === 'step' || act.kind === 'monitor' ? [{ kind: 'step' }] : send
  }

  async #look(
    lives: PossibleLives,
    done: readonly Deed[],
    ways: (events: readonly Event[][]) => Event[][],
    tried: readonly Deed[] = done,
  ): Promise<void> {
    for (const { act } of tried) if (act.kind === 'acknowledge') this.#known.tried.add(act.signal)
    for (const { act } of done) {
      if (act.kind === 'acknowledge') this.#known.read.add(act.signal)
      if ('draft' in act) this.#known.sent.add(act.draft.id as string)
      if (['step', 'tell', 'monitor'].includes(act.kind)) this.#isWounded = false
    }
    this.seen = await observe(this.#team)
    lives.goOn(ways(done.map((deed) => this.#events(deed))), (model) =>
      difference(model, this.seen, this.#isWounded),
    )
    expectPromisesKept(this.seen, this.#known, this.#isWounded)
  }

  get mail(): string[] {
    return [...this.seen.inbox.values()].flatMap(({ id, from }) => (from === 'peer' ? [id] : []))
  }

  /** A cycle long afterwards puts everything right: each sender has its copies, and nothing else is left. */
  async end(lives: PossibleLives, time: number): Promise<void> {
    await this.restart()
    await this.here(lives, { act: { kind: 'monitor', time } })
    const senders = {
      meta: this.#team.root,
      team: this.#team.workspace,
      peer: `${this.#team.root}/.fed/teams/peer`,
    }
    for (const [sender, workspace] of Object.entries(senders)) {
      const kept = readdirSync(path.join(workspace, '.fed', 'signals', 'outbox'))
      const sent = [...this.seen.inbox.values()].filter(({ from }) => from === sender)
      expect(
        kept.filter((name) => !name.endsWith('.json')),
        'leftovers of senders',
      ).toEqual([])
      expect(kept, `copies of ${sender}`).toHaveLength(
        sent.length + (sender === 'team' ? this.seen.heard.length : 0),
      )
    }
  }
}

/** As a process that has just been started opens it: nothing of this project is in its memory. */
async function opened(root: string): Promise<Federation> {
  vi.resetModules()
  const { openFederation } = await import('../../src/index.ts')
  return openFederation(root)
}
