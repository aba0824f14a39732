import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import type { AskedEffect, TeamEvent } from '../../../machines/team-event.ts'
import { decide, type Decision } from './decide.ts'
import * as z from 'zod/mini'

/**
 * What the team's machine says to an event. A machine that does not ship with fed may throw, or make a context
 * that could not be read back: then the event is refused, and the team stays where it is.
 */
export function judge(logic: Logic, snapshot: AnyMachineSnapshot, event: TeamEvent): Decision {
  const { faultOf, reasonOf } = logic
  if (faultOf === undefined || reasonOf === undefined) return decide(snapshot, event)
  const faulty = (reason: string): Decision => ({
    outcome: 'refused',
    refusal: { kind: 'machine-fault', message: `the machine of ${snapshot.machine.id} failed: ${reason}` },
  })
  try {
    const decision = decide(snapshot, event)
    const fault = decision.outcome === 'accepted' ? faultOf(decision.next, decision.asked) : undefined
    return fault === undefined ? decision : faulty(fault)
  } catch (error) {
    return faulty(reasonOf(error))
  }
}

/** What makes an archetype's lifecycle: its machine, and what a persisted context of that machine must be. */
export interface Logic {
  readonly machine: AnyStateMachine
  readonly context: z.ZodMiniType
  /** Why what a decision led to may not be committed; only a machine that does not ship with fed is asked. */
  readonly faultOf?: (next: AnyMachineSnapshot, asked: readonly AskedEffect[]) => string | undefined
  /** What the machine's own code threw, in one line with its place. */
  readonly reasonOf?: (error: unknown) => string
}
