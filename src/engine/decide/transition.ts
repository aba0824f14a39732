import {
  createActor,
  fromTransition,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ExecutableActionsFrom,
} from 'xstate'
import type { TeamEvent } from '../../../machines/team-event.ts'

type Action = ExecutableActionsFrom<AnyStateMachine>

/** Stands where a running machine's actor would. It does nothing, and has nothing to begin with. */
const nobody = fromTransition((state: null) => state, null)
const nothing = () => {}

/**
 * The snapshot after an event, and the actions that the machine asks for, none of them carried out: as xstate's
 * `transition`. That one begins an actor of the machine for each event, whose first snapshot takes three times as long
 * as the event itself, and which nobody looks at.
 */
export function transition(
  snapshot: AnyMachineSnapshot,
  event: TeamEvent,
): readonly [next: AnyMachineSnapshot, actions: readonly Action[]] {
  const { machine } = snapshot
  const actions: Action[] = []
  const self = createActor(nobody)
  const scope: AnyActorScope = {
    ...{ self, system: self.system, id: '', sessionId: '' },
    ...{ logger: nothing, defer: nothing, emit: nothing, stopChild: nothing },
    actionExecutor: (action) => void actions.push(action as Action),
  }
  return [machine.transition(snapshot, event, scope) as AnyMachineSnapshot, actions]
}
