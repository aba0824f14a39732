import type { CodingContext } from '../../machines/coding.ts'
import type { ConsultantContext } from '../../machines/consultant.ts'
import type { TeamContext } from '../../machines/team-event.ts'
import { acceptances, type Acceptance } from '../engine/step/acceptance.ts'
import { deliverableFileOf } from '../engine/step/deliverable-evidence.ts'
import { levelRegistry } from '../engine/step/effects.ts'
import { isEvent } from '../engine/step/fold.ts'
import { phaseOf } from '../engine/decide/phase.ts'
import { readPresent, type Present } from '../engine/step/present.ts'
import { proofNow } from '../engine/step/proof.ts'
import { reset } from '../engine/step/reset.ts'
import { step, stepped, type StepReport } from '../engine/step/step.ts'
import { tellAskers } from '../engine/step/tell-askers.ts'
import { tell, type Told } from '../engine/step/send-and-step.ts'
import { enteredAt } from '../engine/step/entered.ts'
import { acceptedEvents, knows, leafOf, waits } from '../engine/decide/transitions.ts'
import type { Actor } from '../engine/step/world.ts'
import { isSystemTrouble } from '../engine/step/unfinished.ts'
import { NotDoneError, RefusedError, UnfinishedError } from '../errors/fed-error.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { META } from '../protocol/team-id.ts'
import { now } from '../protocol/time.ts'
import { later } from '../records/registry/last-active.ts'
import { initialStatus, moveStatus } from '../records/registry/move-status.ts'
import type { SignalDraft } from '../records/signals/compose.ts'
import type { FiledSignal, Mailbox } from '../records/signals/mailbox.ts'
import type { Archetype } from './archetypes.ts'
import { missionHistories, presentHistory, type HistoryEntry } from './history-of-missions.ts'
import type { TeamStatus } from './team-status.ts'

/** How often archiving tries to pause a team that somebody keeps resuming. */
const mostAttempts = 5

/** Where a team stands. */
interface Standing {
  /** Leaf state of its machine. */
  readonly state: string
  readonly finished: boolean
  readonly paused: boolean
  readonly waits: boolean
  /** Counts the missions that were begun, from 1. */
  readonly missionNumber: number
  readonly context: TeamContext
}

function standing({ head, snapshot }: Present): Standing {
  const phase = phaseOf(head.content.snapshot)
  return {
    state: leafOf(snapshot),
    finished: phase === 'finished',
    paused: phase === 'paused',
    waits: waits(snapshot),
    missionNumber: head.content.mission,
    context: snapshot.context as TeamContext,
  }
}

/** A registered team: where it stands, what it handled, and what moves it. */
export class Team {
  readonly actor: Actor
  readonly archetype: Archetype

  constructor(actor: Actor, archetype: Archetype) {
    this.actor = actor
    this.archetype = archetype
  }

  get id(): string {
    return this.actor.team
  }

  get mailbox(): Mailbox {
    return this.actor.mailbox
  }

  get deliverableFile(): string {
    return deliverableFileOf(this.actor)
  }

  /** Handles every signal that waits; see `step` in `src/engine/step`. */
  step(): Promise<StepReport> {
    return step(this.actor)
  }

  /** Like `step`; returns where the team stands then. */
  async stepped(): Promise<Standing> {
    return standing(await stepped(this.actor))
  }

  /** Whether a signal is the machine's to handle and acknowledge; the rest is mail for the agent. */
  handles(signal: FiledSignal): boolean {
    return isEvent(signal, readPresent(this.actor).snapshot, this.actor)
  }

  /** Where the team stands, as committed. */
  present(): Standing {
    return standing(readPresent(this.actor))
  }

  /** Whether its machine takes questions; those to another team are mail. */
  takesQuestions(): boolean {
    return knows(readPresent(this.actor).snapshot, 'question.*')
  }

  /** Events that the present state declares; `status` says what is still missing for each. */
  acceptedEvents(): string[] {
    return acceptedEvents(readPresent(this.actor).snapshot)
  }

  /** Events that the present state declares, each with what is still missing for it. */
  accepts(): Promise<Acceptance[]> {
    return acceptances(this.actor, readPresent(this.actor).snapshot)
  }

  /**
   * Everything that `fed status` tells of the team.
   * @param entry of the registry, where it was read already.
   */
  async status(entry: RegistryEntry = this.actor.world.registry.entry(this.id)): Promise<TeamStatus> {
    const { actor } = this
    const { head, snapshot } = readPresent(actor)
    const context = snapshot.context as TeamContext
    return {
      team: actor.team,
      domain: entry.domain,
      archetype: actor.archetype,
      agent: entry.agent ?? actor.world.config.agentCommand,
      state: leafOf(snapshot),
      accepts: await acceptances(actor, snapshot),
      status: entry.status ?? initialStatus(),
      finished: snapshot.status !== 'active',
      since: enteredAt(actor, head.content),
      version: head.version,
      missionNumber: head.content.mission,
      mission: context.mission,
      target: (context as Partial<CodingContext>).base?.target ?? null,
      instructions: context.instructions,
      failure: context.failure,
      question: (context as Partial<ConsultantContext>).question ?? null,
      waits: waits(snapshot),
      checks: proofNow(actor, snapshot),
      mailbox: {
        unacknowledged: actor.mailbox.unacknowledged().length,
        misaddressed: actor.mailbox.misaddressed().length,
        quarantined: actor.mailbox.quarantined().length,
      },
      workspace: actor.workspace,
      deliverable: actor.world.config.deliverable,
    }
  }

  /** Every signal that the present mission handled, in order; or all missions, or one by its number. */
  history(of: 'present' | 'all' | number = 'present'): HistoryEntry[] {
    if (of === 'present') return presentHistory(this.actor)
    return missionHistories(this.actor)
      .filter(({ number }) => of === 'all' || of === number)
      .flatMap(({ entries }) => entries)
  }

  /** What was said when the team was paused; undefined when it is not, or when nothing was said. */
  reasonOfPause(): string | undefined {
    if (!this.present().paused) return undefined
    const pause = this.history().findLast(
      ({ event, outcome }) => event === 'directive.pause' && outcome === 'accepted',
    )
    const signal = this.mailbox.all().find(({ id }) => id === pause?.signal)
    return signal?.body.trim() || undefined
  }

  /** Ends a mission by its number and begins the next; see `reset` in `src/engine/step`. */
  async reset(mission: number = this.present().missionNumber, again = false): Promise<number> {
    return reset(this.actor, mission, again)
  }

  /** Names the branch into which the work of the next missions is to be merged. */
  aimAt(target: string): void {
    this.actor.world.registry.updateEntry(this.id, (entry) => ({ ...entry, into: target }))
  }

  /** A milestone or a failure that the team tells itself: what `fed report` and `fed alert` do. */
  tell(milestone: Pick<SignalDraft, 'type' | 'subject' | 'body'>): Promise<Told> {
    return tell(this.actor, this.mailbox, milestone)
  }

  /**
   * Sends a directive of `meta` and steps; see `tell` in `src/engine/step`.
   * @param id with it, the directive is handled once, however many processes send it.
   * @param timestamp ISO 8601; with it as well, it is one file.
   */
  direct(subject: string, body: string, id?: string, timestamp?: string): Promise<Told> {
    const meta = this.actor.world.mailboxOf(META) as Mailbox
    return tell(this.actor, meta, {
      type: 'directive',
      subject,
      body,
      ...(id === undefined ? {} : { id }),
      ...(timestamp === undefined ? {} : { timestamp }),
    })
  }

  /**
   * Pauses or resumes the team, in lifecycle and registry.
   * @throws {RefusedError} with the machine's reason.
   */
  async #control(subject: 'pause' | 'resume'): Promise<void> {
    if (this.#isArchived()) {
      throw new RefusedError(`${this.id} is archived; 'fed restore ${this.id}' takes it back`)
    }
    // what waits comes first
    const { finished, paused, state } = await this.stepped()
    // a directive that cannot be taken would be answered with an alert
    if (finished) throw new RefusedError(`${this.id} is ${state}: there is nothing to ${subject}`)
    if (paused === (subject === 'pause')) {
      const [isSo, other] = paused ? ['paused already', 'resume'] : ['not paused', 'pause']
      throw new RefusedError(`${this.id} is ${isSo}; 'fed ${other} ${this.id}' would ${other} it`)
    }
    const { entry } = await this.direct(subject, '')
    if (entry?.outcome === 'refused')
      throw new RefusedError(entry.refusal?.message ?? `${this.id} refused ${subject}`)
  }

  /** @throws {RefusedError} */
  pause(): Promise<void> {
    return this.#control('pause')
  }

  /** @throws {RefusedError} */
  resume(): Promise<void> {
    return this.#control('resume')
  }

  /**
   * Puts the team away; a working one is paused first. Whoever waits for an answer of it is told.
   * @throws {RefusedError} when it is put away already.
   */
  async archive(): Promise<void> {
    if (this.#isArchived()) {
      // whoever archived it may have been killed before it told them
      await this.#tellAskersOfArchived()
      throw new RefusedError(`${this.id} is archived already`)
    }
    // somebody else may resume it between its pause and its archiving
    for (let attempt = 1; ; attempt += 1) {
      const { finished, paused } = this.present()
      // what waited may finish the team first: the pause is refused then, and there is nothing left to pause
      if (!finished && !paused) await this.#beforeArchiving(() => this.direct('pause', ''))
      await this.#beforeArchiving(() => levelRegistry(this.actor))
      try {
        this.#moveStatus('archive')
      } catch (error) {
        if (!(error instanceof RefusedError) || this.#isArchived()) throw error
        if (attempt === mostAttempts)
          throw new RefusedError(`${this.id} is resumed by somebody each time that it is paused; try again`)
        continue
      }
      return await this.#tellAskersOfArchived()
    }
  }

  /**
   * Runs what comes before archiving.
   * @throws {UnfinishedError} when the disk fails after the team was told something: it is not archived then.
   */
  async #beforeArchiving(act: () => unknown): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof UnfinishedError)) throw error
      throw new UnfinishedError(
        `${error.stands}, and ${this.id} is not archived`,
        `'fed archive ${this.id}' does the rest`,
        error,
      )
    }
  }

  /**
   * Tells whoever waits for an answer of the team that it is archived.
   * @throws {UnfinishedError} when the disk fails: the team stays archived.
   */
  async #tellAskersOfArchived(): Promise<void> {
    try {
      await tellAskers(this.actor)
    } catch (error) {
      if (!isSystemTrouble(error)) throw error
      const next = "the next 'fed monitor' tells whoever waits for an answer of it"
      throw new UnfinishedError(`${this.id} is archived`, next, error)
    }
  }

  /**
   * Takes an archived team back, active or paused as its lifecycle says.
   * @throws {RefusedError} when it is not archived.
   */
  restore(): void {
    if (!this.#isArchived()) throw new RefusedError(`${this.id} is not archived`)
    this.#moveStatus('restore')
  }

  #isArchived(): boolean {
    return this.actor.world.registry.entry(this.id).status === 'archived'
  }

  #moveStatus(type: 'archive' | 'restore'): void {
    const { registry } = this.actor.world
    try {
      registry.updateEntry(this.id, (entry) => {
        const lifecycle = phaseOf(readPresent(this.actor).head.content.snapshot)
        const status = moveStatus(entry.status ?? initialStatus(), { type, lifecycle })
        return { ...entry, status, lastActive: later(entry.lastActive, now()) }
      })
    } catch (error) {
      if (!isSystemTrouble(error)) throw error
      // the registry may be written, and its copy for others may not
      if (this.#isArchived() === (type === 'archive'))
        throw new UnfinishedError(`${this.id} is ${type}d`, 'the next command publishes it', error)
      throw new NotDoneError(`${this.id} is ${this.present().state} and not ${type}d`, error)
    }
  }
}
