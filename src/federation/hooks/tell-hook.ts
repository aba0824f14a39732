import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { v5 as uuidOf } from 'uuid'
import type { Handled, Lifecycle } from '../../engine/decide/lifecycle.ts'
import type { Actor, Mark } from '../../engine/step/world.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { claim } from '../../platform/storage/claim.ts'
import type { HandledFacts, TransitionFacts } from './hook-definition.ts'
import { callHook, type HookCall } from './call-hook.ts'

/** Namespace of the ids by which a hook knows that it was told something already. */
const NAMESPACE = '1d1c5c6f-2a0b-4f55-8f3e-5b9f0b6f5a21'

/** Whoever waits for another process to tell the hook waits so long, in milliseconds, and then goes on without. */
const patienceMs = 30_000
const pollMs = 20

/**
 * Tells a federation's hook what a commit handled: each signal, and then the move that it made. At least once:
 * what a killed process did not finish telling is told again, with the same ids.
 */
export async function tellHook(actor: Actor, commit: Lifecycle, mark: Mark): Promise<void> {
  const { importHook } = actor.world.config
  // what asked for it may have been taken out of the configuration since
  if (importHook === undefined) return mark.finish()
  const { hookCalls } = workspaceLayout(actor.workspace)
  const release = await claimTelling(hookCalls, commit.version, mark)
  if (release === undefined) return
  try {
    const calls = commit.handled.flatMap((entry, index) => callsFor(actor, commit, entry, index))
    await callHook(actor.world.root, importHook, calls)
    mark.finish()
  } finally {
    release()
  }
}

/**
 * Of the processes that step a team at the same moment one tells the hook, and the others wait for it.
 * @returns how to give the claim back, or undefined when somebody else told it or still does.
 */
async function claimTelling(folder: string, version: number, mark: Mark): Promise<(() => void) | undefined> {
  const deadline = performance.now() + patienceMs
  while (!mark.isFinished() && performance.now() < deadline) {
    const release = claim(folder, String(version))
    if (release === undefined) {
      await sleep(pollMs)
      continue
    }
    // somebody may have finished, and given the claim back, since the look
    if (!mark.isFinished()) return release
    release()
  }
  return undefined
}

function callsFor(actor: Actor, commit: Lifecycle, entry: Handled, index: number): HookCall[] {
  const { team, archetype, workspace, mailbox, world } = actor
  const { version, mission, at } = commit
  const { signal, sender, type, subject, file, event, outcome, refusal, from, to } = entry
  const id = (name: string) => uuidOf(`${team}/${version}/${index}/${name}`, NAMESPACE)
  const about = { root: world.root, team, archetype, workspace, mission, version, at }
  const handled: HandledFacts = {
    id: id('signal'),
    ...about,
    signal: { id: signal, from: sender, type, subject, file: path.join(mailbox.inbox, file) },
    event,
    outcome,
    ...(refusal === undefined ? {} : { refusal: refusal.message }),
    from,
    to,
  }
  const moved: TransitionFacts = { id: id('transition'), ...about, event, from, to }
  return [
    { name: 'onSignal', facts: handled, team },
    ...(outcome === 'accepted' && from !== to ? [{ name: 'onTransition', facts: moved, team } as const] : []),
  ]
}
