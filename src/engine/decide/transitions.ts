import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from 'xstate'
import { requirements } from '../../../machines/guards.ts'
import type { StateMeta, TeamEvent } from '../../../machines/team-event.ts'

/** A transition as the machine declares it: xstate keeps these on its nodes, in no public type. */
export interface Declared {
  readonly eventType: string
  readonly guard?: unknown
  readonly target?: readonly AnyStateNode[]
}

/** The guard that xstate's `and([...])` makes: it keeps the guards that it combines. */
interface CombinedGuard {
  readonly name?: string
  readonly guards?: readonly unknown[]
}

/** The guards that a guard combines by `and`, at any depth; itself where it combines none. */
export function partsOf(guard: unknown): unknown[] {
  if (guard === undefined) return []
  const { name, guards } = guard as CombinedGuard
  return guards !== undefined && name === 'and' ? guards.flatMap(partsOf) : [guard]
}

type Predicate = (asked: { context: unknown; event: unknown }, params: unknown) => boolean

/** Every transition that the active states declare, the innermost state's first. */
export function declaredTransitions(snapshot: AnyMachineSnapshot): Declared[] {
  return (snapshot._nodes as AnyStateNode[])
    .toSorted((a, b) => b.order - a.order)
    .flatMap((node) => [...(node.transitions as unknown as Map<string, Declared[]>).values()].flat())
}

/** The leaf's name: what people call the state. */
export function leafOf(snapshot: AnyMachineSnapshot): string {
  return (snapshot._nodes as AnyStateNode[]).toSorted((a, b) => b.order - a.order)[0]?.key ?? ''
}

/** Whether a descriptor such as `report.files-read` or `directive.*` covers an event. */
export function covers(descriptor: string, event: string): boolean {
  return descriptor.endsWith('.*') ? event.startsWith(descriptor.slice(0, -1)) : descriptor === event
}

/** Names of a transition's guards, those that an `and` combines taken one by one. */
export function guardNames({ guard }: Declared): string[] {
  return partsOf(guard).map((part) =>
    typeof part === 'string' ? part : ((part as { type?: string }).type ?? String(part)),
  )
}

/** Whether any transition of the machine asks a guard. */
export function asksGuard({ root }: AnyStateMachine, guard: string): boolean {
  const asks = (node: AnyStateNode): boolean =>
    [...(node.transitions as unknown as Map<string, Declared[]>).values()]
      .flat()
      .some((declared) => guardNames(declared).includes(guard)) || Object.values(node.states).some(asks)
  return asks(root)
}

/** The guards of a transition that this event does not meet, by name. */
export function unmetGuards(snapshot: AnyMachineSnapshot, declared: Declared, event: TeamEvent): string[] {
  const guards = snapshot.machine.implementations.guards as unknown as Record<string, Predicate | undefined>
  return guardNames(declared).filter((name) => !holds(guards[name], snapshot, event))
}

/** Whether a guard holds: one that is not declared does, one that throws does not. */
function holds(guard: Predicate | undefined, { context }: AnyMachineSnapshot, event: TeamEvent): boolean {
  try {
    return guard?.({ context, event }, undefined) !== false
  } catch {
    return false
  }
}

/** What a machine says of its own guards, by their names; empty where it has none. */
export function ownGuards(machine: AnyStateMachine): NonNullable<StateMeta['guards']> {
  return (machine.root.meta as StateMeta | undefined)?.guards ?? {}
}

/** What a guard needs, in words; its name where nobody gave it any. */
function requirementOf(machine: AnyStateMachine, guard: string): string {
  return (requirements as Record<string, string>)[guard] ?? ownGuards(machine)[guard]?.needs ?? guard
}

/** The same, with what failed when a function of the archetype's own was to find it out. */
export function needOf(machine: AnyStateMachine, guard: string, { own = {} }: TeamEvent['evidence']): string {
  const asked = ownGuards(machine)[guard]?.evidence ?? []
  const faults = Object.entries(own).flatMap(([name, found]) =>
    'fault' in found && asked.some((kind) => kind === `own.${name}`) ? `${name} failed: ${found.fault}` : [],
  )
  const needs = requirementOf(machine, guard)
  return faults.length === 0 ? needs : `${needs} (${faults.join('; ')})`
}

/**
 * Whether the present state keeps such an event waiting instead of refusing it.
 * @param isExact whether the state must name this very event: wildcards do not count then.
 */
export function defers(snapshot: AnyMachineSnapshot, event: string, isExact: boolean): boolean {
  return (snapshot._nodes as AnyStateNode[]).some((node) =>
    (node.meta as StateMeta | undefined)?.defers?.some((descriptor) =>
      isExact ? descriptor === event : covers(descriptor, event),
    ),
  )
}

/** Whether the present state waits for somebody else. */
export function waits(snapshot: AnyMachineSnapshot): boolean {
  return (snapshot._nodes as AnyStateNode[]).some(
    (node) => (node.meta as StateMeta | undefined)?.waits === true,
  )
}

/** Whether any state of the machine takes such an event. */
export function knows(snapshot: AnyMachineSnapshot, event: string): boolean {
  return (snapshot.machine.events as string[]).some((descriptor) => covers(descriptor, event))
}

/** Events that the present state declares, in the order in which it declares them. */
export function acceptedEvents(snapshot: AnyMachineSnapshot): string[] {
  if (snapshot.status !== 'active') return []
  return [...new Set(declaredTransitions(snapshot).map(({ eventType }) => eventType))]
}
