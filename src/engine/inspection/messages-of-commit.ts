import type { AnyStateMachine, AnyStateNode } from 'xstate'
import type { Handled, Lifecycle, PersistedSnapshot } from '../decide/lifecycle.ts'
import {
  PROTOCOL_VERSION,
  type ActorMessage,
  type WireEvent,
  type WireMessage,
  type WireSnapshot,
} from './message.ts'

type Commit = Pick<Lifecycle, 'version' | 'mission' | 'at' | 'team' | 'snapshot' | 'handled'>

/** A team's machine in one mission. */
function sessionOf({ team, mission }: Pick<Commit, 'team' | 'mission'>): string {
  return `${team}/${mission}`
}

function base(commit: Commit, index: number) {
  const { team, mission, version, at } = commit
  return {
    sessionId: sessionOf(commit),
    rootId: sessionOf(commit),
    createdAt: String(Date.parse(at)),
    id: `${team}/${version}/${index}`,
    _version: PROTOCOL_VERSION,
    fed: { team, mission, version, index },
  }
}

/** The message by which a wire first hears of a team's machine, as this commit left it. */
export function actorMessage(machine: AnyStateMachine, commit: Commit): ActorMessage {
  return {
    type: '@xstate.actor',
    name: commit.team,
    parentId: undefined,
    definition: definitionOf(machine),
    snapshot: snapshotOf(commit.snapshot),
    // before everything that the next commit tells
    ...base(commit, -1),
  }
}

/** What a commit tells: each signal that it handled, and where the machine stood after each that it accepted. */
export function messagesOf(machine: AnyStateMachine, commit: Commit): WireMessage[] {
  const last = commit.handled.findLastIndex(({ outcome }) => outcome === 'accepted')
  return commit.handled.flatMap((entry, index): WireMessage[] => {
    const event = eventOf(entry)
    const sourceId = entry.sender === commit.team ? sessionOf(commit) : entry.sender
    const told: WireMessage = { type: '@xstate.event', event, sourceId, ...base(commit, 2 * index) }
    if (entry.outcome !== 'accepted') return [told]
    const snapshot = index === last ? snapshotOf(commit.snapshot) : between(machine, entry.to)
    return [told, { type: '@xstate.snapshot', event, snapshot, ...base(commit, 2 * index + 1) }]
  })
}

function eventOf({ event, signal, sender, subject, file, outcome, refusal, evidence }: Handled): WireEvent {
  return {
    type: event,
    signal: { id: signal, from: sender, subject, file },
    outcome,
    ...(refusal === undefined ? {} : { refusal }),
    ...(evidence === undefined ? {} : { evidence }),
  }
}

function snapshotOf({ status, value, context, history }: PersistedSnapshot): WireSnapshot {
  return { status, value, context, historyValue: history }
}

/** A commit keeps its last snapshot only: of those before it, the state is known by its name. */
function between(machine: AnyStateMachine, leaf: string): WireSnapshot {
  const node = nodeNamed(machine.root, leaf)
  const value = (node?.path ?? [leaf]).reduceRight<unknown>(
    (inner, key) => (inner === undefined ? key : { [key]: inner }),
    undefined,
  )
  return { status: node?.type === 'final' ? 'done' : 'active', value }
}

function nodeNamed(node: AnyStateNode, leaf: string): AnyStateNode | undefined {
  const children = Object.values(node.states) as AnyStateNode[]
  if (children.length === 0) return node.key === leaf && node.type !== 'history' ? node : undefined
  for (const child of children) {
    const found = nodeNamed(child, leaf)
    if (found !== undefined) return found
  }
  return undefined
}

/** `and([...])`, `or([...])` and `not(...)` are functions that carry what they combine. */
interface Combination {
  readonly name: string
  readonly guards?: readonly unknown[]
}

const definitions = new WeakMap<AnyStateMachine, string>()

/** A machine's literal as the inspector takes it: JSON, functions by their names, combined guards spelled out. */
function definitionOf(machine: AnyStateMachine): string {
  const known = definitions.get(machine)
  if (known !== undefined) return known
  const definition = JSON.stringify(machine.config, (_, value: unknown) =>
    typeof value === 'function' ? { type: nameOf(value as unknown as Combination) } : value,
  )
  definitions.set(machine, definition)
  return definition
}

function nameOf(named: unknown): string {
  if (typeof named === 'string') return named
  const { name, guards, type } = named as Combination & { readonly type?: string }
  if (guards === undefined) return type ?? name
  const parts = guards.map(nameOf)
  return name === 'not' ? `not ${parts.join()}` : parts.join(` ${name} `)
}
