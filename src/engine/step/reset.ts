import path from 'node:path'
import type { AnyMachineSnapshot } from 'xstate'
import { controlSubjects } from '../../../machines/guards.ts'
import type { TeamContext } from '../../../machines/team-event.ts'
import { kebab } from '../../protocol/event-name.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { META } from '../../protocol/team-id.ts'
import { now } from '../../protocol/time.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { disk } from '../../platform/storage/disk.ts'
import { assertNoLinkTo } from '../../platform/storage/without-links.ts'
import { backOff } from '../../platform/storage/versioned-document.ts'
import { repeatedMission } from './outgoing-signals.ts'
import { finishEffects } from './effects.ts'
import { entryFor, hookCall } from './fold.ts'
import { heldQuestion, lastWord } from './held-question.ts'
import type { Effect, Handled, Lifecycle } from '../decide/lifecycle.ts'
import { remember, sortOut } from './handled-signals.ts'
import { readPresent } from './present.ts'
import { encodeSnapshot, initialSnapshot } from '../decide/snapshot.ts'
import { tellWire } from './tell-wire.ts'
import { leafOf } from '../decide/transitions.ts'
import { following } from './unfinished.ts'
import type { Actor } from './world.ts'

/**
 * Begins the next mission: a commit like any other, with a fresh snapshot. Milestones of the old mission that
 * were not handled yet are refused by it; the old versions, the deliverable and the sessions are put away
 * under `.fed/missions/<n>/`, and nothing is deleted. A question that was being researched is kept for the next
 * mission; where its machine takes none on, whoever asked hears so.
 * @param mission number of the mission that is over; when another process began the next already, nothing is done.
 * @param again the old mission's words become the new mission, unless another directive of meta waits already.
 * @returns the number of the present mission.
 * @throws {NotPlainFileError} when a link lies where it is put away.
 */
export async function reset(actor: Actor, mission: number, again = false): Promise<number> {
  assertNoLinkTo(workspaceLayout(actor.workspace).missions)
  for (let lost = 0; ;) {
    const { head, snapshot } = readPresent(actor)
    await following(actor.team, leafOf(snapshot), () => {
      actor.lifecycle.catchUp(head)
      return finishEffects(actor, head.content)
    })
    if (head.content.mission !== mission) return head.content.mission
    const signals = actor.mailbox.unacknowledged()
    const { fresh: unhandled, settled } = sortOut(actor, head.content, signals, snapshot)
    actor.mailbox.acknowledgeFiles(settled, false)
    const unacknowledged = new Set(signals.map(({ file }) => file))
    for (const file of settled) unacknowledged.delete(file)
    const milestones = unhandled.filter(({ from }) => from === actor.team)
    const { commit: _stamped, version: _number, ...last } = head.content
    const at = now()
    const isActive = snapshot.status === 'active'
    const lettingGo = { actor, snapshot, waiting: milestones, why: 'began a new mission', at }
    const told = isActive ? await lastWord(lettingGo) : undefined
    // an answer that waited is told, and the question with it over
    const question = isActive && told?.type !== 'report' ? heldQuestion(snapshot) : null
    const fresh = initialSnapshot(actor.logic, actor.team, question)
    const isKept = question !== null && heldQuestion(fresh)?.signal === question.signal
    const states = { from: leafOf(snapshot), to: leafOf(fresh) }
    const handled = milestones.map((signal): Handled => ({
      ...entryFor(signal, states),
      outcome: 'refused',
      refusal: { kind: 'earlier-mission', message: `it belongs to mission ${last.mission}, which is over` },
    }))
    const committed = actor.lifecycle.commit(head, {
      ...last,
      at,
      mission: last.mission + 1,
      snapshot: encodeSnapshot(fresh),
      handled,
      effects: [
        { kind: 'archive-mission', mission: last.mission, hasDeliverable: hasDeliverable(actor) },
        ...(again && !unhandled.some((signal) => isMissionDirective(signal, actor))
          ? sameMission(snapshot, head.version + 1, at)
          : []),
        ...(told === undefined || isKept ? [] : [{ kind: 'send' as const, signal: told }]),
        { kind: 'level-registry' },
        ...(handled.length > 0 ? hookCall(actor) : []),
      ],
      ...remember(head.content, handled, unacknowledged),
    } as Lifecycle)
    if (committed === undefined) {
      backOff((lost += 1))
      continue
    }
    await following(actor.team, leafOf(fresh), async () => {
      await tellWire(actor, head.content, committed.content)
      await finishEffects(actor, committed.content)
      actor.mailbox.acknowledgeFiles(
        milestones.map(({ file }) => file),
        false,
      )
    })
    return committed.content.mission
  }
}

function hasDeliverable({ workspace, world }: Actor): boolean {
  return disk.exists(path.join(workspace, world.config.deliverable))
}

/** Whether a signal gives a team a mission, or an instruction for the one that it has. */
export function isMissionDirective(
  { type, from, subject }: FiledSignal,
  { coordinator }: Pick<Actor, 'coordinator'>,
): boolean {
  if (type !== 'directive' || controlSubjects.includes(kebab(subject))) return false
  return from === META || from === coordinator
}

/** The mission as a directive once more; part of the commit, so that a kill cannot lose it. */
function sameMission(snapshot: AnyMachineSnapshot, version: number, at: string): Effect[] {
  const { team, mission } = snapshot.context as TeamContext
  return mission === null ? [] : [{ kind: 'send', signal: repeatedMission(team, mission, { version, at }) }]
}
