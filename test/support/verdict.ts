import type { AnyMachineSnapshot } from 'xstate'
import type { StateMeta, TeamEvent } from '../../machines/team-event.ts'
import type { RefusalKind } from '../../src/engine/decide/lifecycle.ts'

/** A state as its machine's literal writes it. */
interface StateLiteral {
  readonly on?: Record<string, unknown>
  readonly meta?: StateMeta
  readonly states?: Record<string, StateLiteral>
}

/** The literals of the active states, the root's first. */
function active({ machine, value }: AnyMachineSnapshot): StateLiteral[] {
  const path = typeof value === 'string' ? [value] : Object.entries(value).flat()
  const literals = [machine.config as StateLiteral]
  for (const key of path) literals.push(literals.at(-1)?.states?.[key as string] as StateLiteral)
  return literals
}

function everyEvent({ on = {}, states = {} }: StateLiteral): string[] {
  return [...Object.keys(on), ...Object.values(states).flatMap(everyEvent)]
}

function fits(descriptor: string, { type }: TeamEvent): boolean {
  return descriptor === type || (descriptor.endsWith('.*') && type.startsWith(descriptor.slice(0, -1)))
}

const control =
  /^directive\.(pause|resume|retire|merged|changes-requested|approve-plan|answer-gate|retry-task|settle-failures)$/

/** What must become of an event, read in the machine's literal without the code under test. */
export function verdictOn(
  snapshot: AnyMachineSnapshot,
  event: TeamEvent,
): 'accepted' | 'deferred' | RefusalKind {
  if (snapshot.status === 'done') return 'finished'
  if (snapshot.can(event)) return 'accepted'
  const isControl = control.test(event.type)
  const literals = active(snapshot)
  const deferred = literals.flatMap(({ meta }) => meta?.defers ?? [])
  const isDeferred = (descriptor: string) => (isControl ? descriptor === event.type : fits(descriptor, event))
  if (deferred.some(isDeferred)) return 'deferred'
  const known = everyEvent(snapshot.machine.config as StateLiteral)
  if (!known.some((descriptor) => fits(descriptor, event))) return 'unknown-event'
  const here = literals.flatMap(({ on = {} }) => Object.keys(on))
  const isMeant = isControl ? here.includes(event.type) : here.some((descriptor) => fits(descriptor, event))
  return isMeant ? 'guard-refused' : 'not-accepted-here'
}

/** What the present state declares, as a person is told it. */
export function declaredHere(snapshot: AnyMachineSnapshot): string[] {
  return active(snapshot).flatMap(({ on = {} }) => Object.keys(on))
}
