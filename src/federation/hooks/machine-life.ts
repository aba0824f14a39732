import { isDeepStrictEqual } from 'node:util'
import { initialTransition, transition, type AnyMachineSnapshot } from 'xstate'
import type { TeamContext, TeamEvent } from '../../../machines/team-event.ts'
import type { PersistedSnapshot } from '../../engine/decide/lifecycle.ts'
import type { Logic } from '../../engine/decide/judge.ts'
import { decodeSnapshot, encodeSnapshot } from '../../engine/decide/snapshot.ts'
import { FedError } from '../../errors/fed-error.ts'
import type { MachineProblem } from './machine-rules.ts'

const team = 'a-team'

const order = (subject: string): TeamEvent => ({
  type: `directive.${subject}`,
  signal: {
    id: '00000000-0000-4000-8000-000000000000',
    at: '2026-01-01T00:00:00.000Z',
    from: 'meta',
    subject,
    body: `About ${subject}`,
  },
  evidence: {},
})

/**
 * Problems of a machine that begins, gets a mission, is paused and is resumed; each snapshot on the way is
 * written and read back. Returns the first problem found, or none.
 */
export function brokenLife(logic: Logic): MachineProblem[] {
  const about = 'context:'
  try {
    // a pure transition builds the context without input
    for (const input of [undefined, { team }]) {
      const [{ status, error }] = initialTransition(logic.machine, input as never) as [
        AnyMachineSnapshot,
        unknown,
      ]
      if (status === 'error')
        return [
          {
            message: `its context cannot be made${input === undefined ? ' without input' : ''}: ${logic.reasonOf?.(error)}`,
            about,
          },
        ]
    }
    const [begun] = initialTransition(logic.machine, { team } as never) as [AnyMachineSnapshot, unknown]
    const { team: self, mission } = begun.context as Partial<TeamContext>
    if (self !== team || mission !== null) {
      const message =
        "the context must begin with what every team's does: ({ input }) => ({ ...blankContext(input), … })"
      return [{ message, about }]
    }
    let snapshot = begun
    for (const subject of ['', 'look-at-it', 'pause', 'resume']) {
      if (subject !== '') {
        if (!snapshot.can(order(subject))) return [refusedOrder(subject)]
        snapshot = transition(logic.machine, snapshot, order(subject))[0] as AnyMachineSnapshot
      }
      const fault = faultOfSnapshot(logic, snapshot)
      if (fault !== undefined) return [{ message: fault, about }]
      const adopted = (snapshot.context as TeamContext).mission?.body
      if (subject === 'look-at-it' && adopted !== 'About look-at-it') return [refusedOrder(subject)]
    }
    return []
  } catch (error) {
    return [{ message: `it does not begin: ${(error as Error).message}`, about }]
  }
}

function refusedOrder(subject: string): MachineProblem {
  if (subject !== 'look-at-it')
    return {
      message: `its first state does not take directive.${subject} of meta`,
      about: `directive.${subject}`,
    }
  const message =
    "its first state does not take a mission: give it 'directive.*' with the guards fromMeta, isMission and hasNoMission, and an assign of mission: instructionOf(event)"
  return { message, about: 'directive.*' }
}

/** Why a snapshot could not be read back as it is now; undefined when it could. */
export function faultOfSnapshot(logic: Logic, snapshot: AnyMachineSnapshot): string | undefined {
  const persisted = encodeSnapshot(snapshot)
  const written = JSON.parse(JSON.stringify(persisted)) as PersistedSnapshot
  if (!isDeepStrictEqual(written, persisted))
    return `the context holds what is no JSON: ${unequal(persisted.context, written.context)}`
  try {
    decodeSnapshot(logic, written, 'snapshot')
    return undefined
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    return error instanceof Error && 'reason' in error ? String(error.reason) : error.message
  }
}

/** Names of the fields that JSON does not hold as they are, with commas between them. */
function unequal(context: Record<string, unknown>, written: Record<string, unknown>): string {
  return Object.keys(context)
    .filter((field) => !isDeepStrictEqual(context[field], written[field]))
    .join(', ')
}
