import {
  initialTransition,
  matchesState,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type StateValue,
} from 'xstate'
import type { Question, TeamInput } from '../../../machines/team-event.ts'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import type { PersistedSnapshot } from './lifecycle.ts'
import type { Logic } from './judge.ts'
import { declaredTransitions, leafOf } from './transitions.ts'

/** A machine's snapshot as JSON, history included. */
export function encodeSnapshot(snapshot: AnyMachineSnapshot): PersistedSnapshot {
  return {
    status: snapshot.status === 'done' ? 'done' : 'active',
    value: snapshot.value,
    context: snapshot.context as Record<string, unknown>,
    history: Object.fromEntries(
      Object.entries(snapshot.historyValue).map(([id, nodes]) => [
        id,
        (nodes as AnyStateNode[]).map((node) => node.id),
      ]),
    ),
  }
}

/**
 * The snapshot in which a mission begins.
 * @param question what the mission before left, for a machine that takes it on.
 */
export function initialSnapshot(
  { machine }: Logic,
  team: string,
  question: Question | null = null,
): AnyMachineSnapshot {
  const input: TeamInput = question === null ? { team } : { team, question }
  return initialTransition(machine, input)[0] as AnyMachineSnapshot
}

const firstLeaves = new WeakMap<AnyStateMachine, string>()

/** The leaf in which a mission begins. */
export function firstLeaf(logic: Logic): string {
  const { machine } = logic
  let leaf = firstLeaves.get(machine)
  if (leaf === undefined) firstLeaves.set(machine, (leaf = leafOf(initialSnapshot(logic, machine.id))))
  return leaf
}

/**
 * The machine's snapshot from JSON. xstate takes several corruptions in silence (a renamed history target, a
 * final state that is still active, half a value): each is refused here by name.
 * @throws {CorruptDocumentError} saying what is wrong in `file`.
 */
export function decodeSnapshot(logic: Logic, persisted: PersistedSnapshot, file: string): AnyMachineSnapshot {
  const { machine } = logic
  const refuse = (reason: string, cause?: unknown) =>
    Object.assign(new CorruptDocumentError(file, reason), { cause })

  const context = logic.context.safeParse(persisted.context)
  if (!context.success) {
    const [first] = context.error.issues
    throw refuse(`snapshot.context.${first?.path.join('.')}: ${first?.message}`)
  }
  const position = JSON.stringify([persisted.status, persisted.value, persisted.history])
  const checked = positionsOf(machine)
  const known = checked.get(position)
  if (known !== undefined) return { ...known, context: context.data, children: {} } as AnyMachineSnapshot
  const historyValue: Record<string, AnyStateNode[]> = {}
  for (const [id, targets] of Object.entries(persisted.history)) {
    const memory = nodeById(machine, id)
    if (memory?.type !== 'history' || memory.parent === undefined) {
      throw refuse(`snapshot.history: '${id}' is no history state of '${machine.id}'`)
    }
    const nodes = targets.flatMap((target) => nodeById(machine, target) ?? [])
    if (nodes.length < targets.length || !canRemember(memory, nodes)) {
      throw refuse(`snapshot.history: '${targets.join("', '")}' is no whole state of '${memory.parent.id}'`)
    }
    historyValue[id] = nodes
  }
  let snapshot: AnyMachineSnapshot
  try {
    snapshot = machine.resolveState({
      value: persisted.value as never,
      context: context.data,
      status: persisted.status,
      historyValue,
    })
  } catch (error) {
    throw refuse(`snapshot.value: ${(error as Error).message}`, error)
  }
  const active = new Set(snapshot._nodes as AnyStateNode[])
  const { value } = persisted
  if (!isStateValue(value) || !isSameValue(snapshot.value, value) || !isWhole(machine.root, active)) {
    throw refuse(`snapshot.value: ${JSON.stringify(persisted.value)} names no whole state of '${machine.id}'`)
  }
  const final = snapshot._nodes.some((node) => node.type === 'final' && node.parent === machine.root)
  if (final !== (persisted.status === 'done')) {
    throw refuse(
      `snapshot.status: '${persisted.status}' does not fit the state ${JSON.stringify(persisted.value)}`,
    )
  }
  for (const { target } of declaredTransitions(snapshot)) {
    const forgotten = target?.find((node) => node.type === 'history' && historyValue[node.id] === undefined)
    if (forgotten !== undefined) throw refuse(`snapshot.history: nothing is remembered for '${forgotten.id}'`)
  }
  if (checked.size < mostPositions) checked.set(position, snapshot)
  return snapshot
}

/** Positions that a machine can take are few, and most teams of a federation stand in the same ones. */
const mostPositions = 1000
const positions = new WeakMap<AnyStateMachine, Map<string, AnyMachineSnapshot>>()

/** Positions of a machine (all of a snapshot but its context) that were checked and found whole. */
function positionsOf(machine: AnyStateMachine): Map<string, AnyMachineSnapshot> {
  let known = positions.get(machine)
  if (known === undefined) positions.set(machine, (known = new Map()))
  return known
}

function nodeById(machine: AnyStateMachine, id: string): AnyStateNode | undefined {
  // the machine's own look-up throws for an unknown id and also takes paths: only exact ids are meant here
  return (machine as unknown as { idMap: Map<string, AnyStateNode> }).idMap.get(id)
}

/** Whether a history state can have remembered these: its siblings, or leaves below them when it is deep. */
function canRemember({ history, parent }: AnyStateNode, targets: readonly AnyStateNode[]): boolean {
  const active = new Set<AnyStateNode>()
  for (const target of targets) {
    let node: AnyStateNode | undefined = target
    for (; node !== undefined && node !== parent; node = node.parent as AnyStateNode | undefined)
      active.add(node)
    if (node === undefined || (history !== 'deep' && target.parent !== parent)) return false
  }
  active.add(parent as AnyStateNode)
  const isTwice = new Set(targets).size < targets.length
  return !isTwice && isWhole(parent as AnyStateNode, active, history === 'deep' ? [] : targets)
}

/** Whether exactly one child of each compound state is active and all of each parallel one, down to the ends. */
function isWhole(
  node: AnyStateNode,
  active: ReadonlySet<AnyStateNode>,
  ends: readonly AnyStateNode[] = [],
): boolean {
  if (ends.includes(node)) return node.type !== 'history'
  const children = (Object.values(node.states) as AnyStateNode[]).filter(({ type }) => type !== 'history')
  const present = children.filter((child) => active.has(child))
  const isComplete =
    present.length === (node.type === 'parallel' ? children.length : Math.min(1, children.length))
  return isComplete && node.type !== 'history' && present.every((child) => isWhole(child, active, ends))
}

function isStateValue(value: unknown): value is StateValue {
  if (typeof value !== 'object' || value === null) return typeof value === 'string'
  return Object.values(value).every(isStateValue)
}

function isSameValue(one: StateValue, other: StateValue): boolean {
  return matchesState(one, other) && matchesState(other, one)
}
