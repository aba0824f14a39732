import { unless } from '../../errors/unless.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { later } from '../../records/registry/last-active.ts'
import { initialStatus, levelled } from '../../records/registry/move-status.ts'
import { deliverAll, type Dispatch } from '../../records/signals/deliver.ts'
import { disk } from '../../platform/storage/disk.ts'
import { versionFile } from '../../platform/storage/versioned-steps.ts'
import { archiveMission } from './archive-mission.ts'
import type { Effect, Lifecycle } from '../decide/lifecycle.ts'
import { phaseOf } from '../decide/phase.ts'
import type { Actor } from './world.ts'

function doneMark(actor: Actor, version: number): string {
  return versionFile(workspaceLayout(actor.workspace).lifecycle, version).replace(/\.json$/, '.done')
}

/** Whether all effects of a commit were carried out. */
export function isFinished(actor: Actor, commit: Lifecycle): boolean {
  return commit.effects.length === 0 || disk.exists(doneMark(actor, commit.version))
}

/**
 * Carries out what a commit asks of the world, unless that was finished before. Whoever steps next finishes
 * what a killed process left, so every effect may run again, and run late, without harm.
 */
export async function finishEffects(actor: Actor, commit: Lifecycle): Promise<void> {
  if (isFinished(actor, commit)) return
  // all signals in one round: they are what the others wait for
  await deliverAll(commit.effects.flatMap((effect) => dispatchOf(actor, effect) ?? []))
  for (const effect of commit.effects) carryOut(actor, commit, effect)
  const finish = () => mark(actor, commit)
  if (!commit.effects.some(({ kind }) => kind === 'call-hook')) return finish()
  // last, because a hook may take its time; its errors are recorded, and stop nobody
  await actor.world.tellHook(actor, commit, { isFinished: () => isFinished(actor, commit), finish })
}

function mark(actor: Actor, commit: Lifecycle): void {
  unless(['EEXIST', 'ENOENT'], () => {
    // a mark that a power cut takes is made again
    disk.create(doneMark(actor, commit.version), '', { isDurable: false })
  })
}

function dispatchOf({ world }: Actor, effect: Effect): Dispatch | undefined {
  if (effect.kind !== 'send') return undefined
  const to = world.mailboxOf(effect.signal.to)
  const from = world.mailboxOf(effect.signal.from)
  // a team that was removed since then, or whose workspace is gone, reads no mail
  const [sender, recipient] = [from, to].map((mailbox) => (mailbox?.isThere() ? mailbox : undefined))
  return sender === undefined || recipient === undefined
    ? undefined
    : { signal: effect.signal, from: sender, to: recipient }
}

function carryOut(actor: Actor, commit: Lifecycle, effect: Effect): void {
  switch (effect.kind) {
    // these two wait for something, and are done beside the others
    case 'send':
    case 'call-hook':
      return
    case 'level-registry':
      levelRegistry(actor)
      return
    case 'archive-mission':
      archiveMission(actor, effect, commit.version)
      return
    default:
      effect satisfies never
  }
}

/**
 * Sets the status and `lastActive` of a team in the registry from its newest commit (spec §2.4). It reads the
 * newest commit, not the one that asks for this, so that a late process writes nothing old.
 */
export function levelRegistry(actor: Actor): void {
  actor.world.registry.updateEntry(actor.team, (entry) => {
    const head = actor.lifecycle.read()
    if (head === undefined) return entry
    const present = entry.status ?? initialStatus()
    const status = levelled(present, phaseOf(head.content.snapshot))
    const lastActive = later(entry.lastActive, head.content.at)
    return status === entry.status && lastActive === entry.lastActive
      ? entry
      : { ...entry, status, lastActive }
  })
}
