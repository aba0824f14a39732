import { initialTransition, transition } from 'xstate'
import {
  registryStatus,
  type LifecyclePhase,
  type RegistryStatusEvent,
} from '../../../machines/registry-status.ts'
import { RefusedError } from '../../errors/fed-error.ts'
import type { RegistryStatus } from '../../protocol/registry-schema.ts'

function snapshotOf(status: RegistryStatus) {
  return registryStatus.resolveState({ value: status })
}

/** The status of a team that was just onboarded. */
export function initialStatus(): RegistryStatus {
  return initialTransition(registryStatus)[0].value
}

/**
 * Moves a status by the machine.
 * @throws {RefusedError} when the machine does not take the event in this status.
 */
export function moveStatus(status: RegistryStatus, event: RegistryStatusEvent): RegistryStatus {
  const snapshot = snapshotOf(status)
  if (!snapshot.can(event)) {
    throw new RefusedError(
      `a team that is ${status} and whose lifecycle is ${event.lifecycle} takes no '${event.type}'`,
    )
  }
  return transition(registryStatus, snapshot, event)[0].value
}

const events = ['pause', 'resume', 'archive', 'restore'] as const

/** Whether the machine moves a team from one status to the other while its lifecycle stands there. */
export function mayMove(from: RegistryStatus, to: RegistryStatus, lifecycle: LifecyclePhase): boolean {
  const snapshot = snapshotOf(from)
  return events.some(
    (type) => snapshot.can({ type, lifecycle }) && moveStatus(from, { type, lifecycle }) === to,
  )
}

/** What the machine makes of each status and phase, which is asked for every team of every cycle. */
const levels = new Map<string, RegistryStatus>()

/** What the status must become so that it says what the lifecycle says; an archived team stays archived. */
export function levelled(status: RegistryStatus, lifecycle: LifecyclePhase): RegistryStatus {
  const asked = `${status} ${lifecycle}`
  let level = levels.get(asked)
  if (level === undefined) levels.set(asked, (level = levelOf(status, lifecycle)))
  return level
}

function levelOf(status: RegistryStatus, lifecycle: LifecyclePhase): RegistryStatus {
  for (const type of ['pause', 'resume'] as const) {
    if (snapshotOf(status).can({ type, lifecycle })) return moveStatus(status, { type, lifecycle })
  }
  return status
}
