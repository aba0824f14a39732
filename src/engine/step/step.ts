import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { now } from '../../protocol/time.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { LastChange } from '../../platform/storage/last-change.ts'
import { backOff } from '../../platform/storage/versioned-document.ts'
import { versionsDirectory } from '../../platform/storage/versioned-steps.ts'
import { finishEffects } from './effects.ts'
import { fold } from './fold.ts'
import type { Handled, Lifecycle } from '../decide/lifecycle.ts'
import { remember, sortOut } from './handled-signals.ts'
import { mendOutbox } from './mend-outbox.ts'
import { keepSnapshot, readPresent, type Present } from './present.ts'
import { encodeSnapshot } from '../decide/snapshot.ts'
import { tellWire } from './tell-wire.ts'
import { leafOf } from '../decide/transitions.ts'
import { following } from './unfinished.ts'
import type { Actor } from './world.ts'

/** What one step of a team did. */
export interface StepReport {
  readonly team: string
  /** Leaf state after the step. */
  readonly state: string
  /** Version of the lifecycle after the step. */
  readonly version: number
  readonly handled: readonly Handled[]
  /** Signals that wait for a state that takes them. */
  readonly deferred: readonly FiledSignal[]
  /** How many signals are unacknowledged: the deferred, and the mail that the team's agent has not read. */
  readonly waiting: number
}

/** What a team's step reads, on the disk. While none of it changes, another step would find nothing to do. */
class WatchedPaths {
  readonly #changes: readonly LastChange[]
  /** Result of the last step, if it left nothing to do. */
  atRest: Stepped | undefined

  constructor({ workspace, mailbox }: Actor) {
    const { lifecycle } = workspaceLayout(workspace)
    const read = [mailbox.inbox, lifecycle, versionsDirectory(lifecycle)]
    this.#changes = read.map((file) => new LastChange(file))
  }

  haveChanged(): boolean {
    // each is asked, whatever the others say: from now on it is watched
    return this.#changes.map((change) => change.happened()).includes(true)
  }
}

const watchedPaths = new WeakMap<Actor, WatchedPaths>()

function watchedPathsOf(actor: Actor): WatchedPaths {
  const known = watchedPaths.get(actor) ?? new WatchedPaths(actor)
  watchedPaths.set(actor, known)
  return known
}

/**
 * Handles every signal that waits when it is called: decode, decide, commit, effects, acknowledge. Any
 * process may step any team at any time. A process that loses the race for a version starts over from the
 * newer one, and what a killed process left unfinished is finished first.
 */
export async function step(actor: Actor): Promise<StepReport> {
  return (await stepped(actor)).report
}

/** What a step did, and the commit and snapshot that the team has after it. */
interface Stepped extends Present {
  readonly report: StepReport
}

/** Like `step`; also returns where the team stands then. */
export async function stepped(actor: Actor): Promise<Stepped> {
  const isRepaired = mendOutbox(actor.world, actor.mailbox)
  const watched = watchedPathsOf(actor)
  if (!watched.haveChanged() && watched.atRest !== undefined) return watched.atRest
  watched.atRest = undefined
  const handled: Handled[] = []
  for (let lost = 0; ;) {
    const pass = await handleWaiting(actor)
    handled.push(...pass.handled)
    if (pass.isLost) {
      backOff((lost += 1))
      continue
    }
    const report = {
      team: actor.team,
      state: leafOf(pass.snapshot),
      version: pass.head.version,
      handled,
      deferred: pass.rest,
      waiting: pass.waiting,
    }
    const { head, snapshot } = pass
    if (isRepaired && actor.mailbox.isWhole())
      watched.atRest = { report: { ...report, handled: [] }, head, snapshot }
    return { report, head, snapshot }
  }
}

interface Pass extends Present {
  readonly handled: readonly Handled[]
  /** Signals that are not handled yet. */
  readonly rest: readonly FiledSignal[]
  readonly waiting: number
  /** Whether another process committed first: everything is to be read again. */
  readonly isLost: boolean
}

/** Handles what waits now, with as many commits as it takes. */
async function handleWaiting(actor: Actor): Promise<Pass> {
  // the head before the inbox: what is handled later than the head was read cannot be listed as unhandled
  let { head, snapshot } = readPresent(actor)
  await following(actor.team, leafOf(snapshot), () => {
    actor.lifecycle.catchUp(head)
    return finishEffects(actor, head.content)
  })
  const signals = actor.mailbox.unacknowledged()
  const { fresh, settled, seen } = sortOut(actor, head.content, signals, snapshot)
  const unacknowledged = new Set(signals.map(({ file }) => file))
  const acknowledge = (files: readonly string[]) => {
    // an acknowledgment that a power cut takes is written again: the commit knows what it handled
    actor.mailbox.acknowledgeFiles(files, false)
    for (const file of files) unacknowledged.delete(file)
  }
  acknowledge(settled)
  const handled: Handled[] = []
  let rest = fresh
  for (;;) {
    const at = now()
    const batch = await fold(actor, snapshot, rest, { version: head.version + 1, at, seen })
    rest = batch.rest
    const present = { head, snapshot, handled, rest, waiting: unacknowledged.size }
    if (batch.handled.length === 0) return { ...present, isLost: false }
    const { commit: _stamped, version: _number, ...last } = head.content
    const committed = actor.lifecycle.commit(head, {
      ...last,
      at,
      snapshot: encodeSnapshot(batch.snapshot),
      handled: [...batch.handled],
      effects: [...batch.effects],
      ...remember(head.content, batch.handled, unacknowledged),
    } as Lifecycle)
    if (committed === undefined) return { ...present, isLost: true }
    keepSnapshot(committed.content, batch.snapshot)
    const before = head.content
    await following(actor.team, leafOf(batch.snapshot), async () => {
      await tellWire(actor, before, committed.content)
      // nobody commits on a version whose effects are not done
      await finishEffects(actor, committed.content)
      acknowledge(batch.decided)
    })
    handled.push(...batch.handled)
    for (const { signal } of batch.handled) seen.add(signal)
    // what was listed stays unhandled as long as nobody else commits, and then the next commit is lost
    head = { ...committed, published: committed.version, isBehind: false }
    snapshot = batch.snapshot
  }
}
