import type { AnyMachineSnapshot } from 'xstate'
import type { TeamEvent } from '../../../machines/team-event.ts'
import { decide, type Decision } from './decide.ts'
import type { Logic } from './logic.ts'

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
