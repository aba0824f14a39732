import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { builtInGuards } from '../../../machines/guards.ts'
import type { StateMeta } from '../../../machines/team-event.ts'
import { partsOf } from '../../engine/decide/transitions.ts'
import { kebab } from '../../protocol/event-name.ts'
import { signalTypes } from '../../protocol/signal.ts'

/** Why fed cannot use a machine, in words. */
export interface MachineProblem {
  readonly message: string
  /** Text by which the place is looked for in the source, to name its line. */
  readonly about: string
}

/** A transition as xstate keeps it, in no public type. */
interface Transition {
  readonly eventType: string
  readonly guard?: unknown
  readonly target?: readonly AnyStateNode[]
  readonly actions: readonly unknown[]
}

interface Named {
  readonly type?: string
  readonly name?: string
  readonly params?: unknown
  readonly guards?: readonly unknown[]
}

/** All states of a machine, the root first. */
export function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  const below = (node: AnyStateNode): AnyStateNode[] => [
    node,
    ...(Object.values(node.states) as AnyStateNode[]).flatMap(below),
  ]
  return below(machine.root)
}

export function transitionsOf(node: AnyStateNode): Transition[] {
  return [...(node.transitions as unknown as Map<string, Transition[]>).values()].flat()
}

/**
 * Problems of a machine's literal: events that no signal makes, guards without a name or words, features and
 * actions that a pure step cannot run. Empty where there are none.
 */
export function brokenRules(machine: AnyStateMachine): MachineProblem[] {
  return [
    ...(machine.root.transitions.size > 0
      ? [
          problem(
            machine.root,
            'a transition at the root would also move finished teams; put it on a state',
            'on:',
          ),
        ]
      : []),
    ...nodesOf(machine).flatMap((node) => [
      ...shapeOf(machine, node),
      ...transitionsOf(node).flatMap((transition) => [
        ...eventRules(node, transition),
        ...guardRules(machine, node, transition),
        ...transition.actions.flatMap((action) => actionRule(machine, node, action)),
      ]),
      ...[...node.entry, ...node.exit].flatMap((action) =>
        node.after.length > 0 ? [] : actionRule(machine, node, action),
      ),
      ...deferRules(node),
    ]),
    ...wordRules(machine),
  ]
}

function problem(node: AnyStateNode, message: string, about: string): MachineProblem {
  return { message: node.parent === undefined ? message : `state '${node.key}': ${message}`, about }
}

/** Problems of one state: parallel regions, a final state not at the top, `after`, `invoke` or `always`. */
function shapeOf(machine: AnyStateMachine, node: AnyStateNode): MachineProblem[] {
  const found: MachineProblem[] = []
  const tell = (message: string, about: string) => found.push(problem(node, message, about))
  if (node.type === 'parallel')
    tell('a team is in one state at a time; parallel states cannot be told', `parallel`)
  if (node.type === 'final' && node.parent !== machine.root)
    tell('a final state ends the team only at the top level', `${node.key}:`)
  if (node.after.length > 0)
    tell("'after' needs a process that lives as long; a timer is a signal that somebody sends", 'after:')
  if (node.invoke.length > 0)
    tell("'invoke' starts something inside of a step; an agent or onTransition does that", 'invoke:')
  if ((node.always ?? []).length > 0)
    tell("'always' is asked without evidence; put the guard on the event's own transition", 'always:')
  return found
}

/** Why a transition's event is none that a signal makes. */
function eventRules(node: AnyStateNode, { eventType }: Transition): MachineProblem[] {
  // told by its state
  if (eventType.startsWith('xstate.after.')) return []
  const fault = faultOfEvent(eventType)
  return fault === undefined ? [] : [problem(node, `'${eventType}': ${fault}`, eventType)]
}

/** Why no signal can make such an event, or a machine may not take it; undefined where it may. */
function faultOfEvent(descriptor: string): string | undefined {
  if (descriptor.startsWith('xstate.done.')) return "'onDone' is xstate's own event; no signal can send it"
  if (descriptor.startsWith('xstate.')) return "xstate's own events are reserved; no signal can send them"
  if (descriptor === '*') return 'a wildcard alone would take everything; name a type, such as directive.*'
  const [, type, subject] = /^([a-z]+)\.(.+)$/.exec(descriptor) ?? []
  if (type === undefined || subject === undefined || !(signalTypes as readonly string[]).includes(type))
    return `no signal makes it; an event is one of ${signalTypes.join(', ')}, a dot, and the subject in kebab-case`
  if (subject !== '*' && kebab(subject) !== subject)
    return `no signal makes it; a subject like that becomes ${type}.${kebab(subject)}`
  return undefined
}

/**
 * Problems of the guards of a transition. Each needs a name and only `and` may combine them, because a
 * refusal names the guard that said no; directives and questions need guards on their sender.
 */
function guardRules(
  machine: AnyStateMachine,
  node: AnyStateNode,
  { eventType, guard }: Transition,
): MachineProblem[] {
  const found: MachineProblem[] = []
  const tell = (message: string, about: string) =>
    found.push(problem(node, `'${eventType}': ${message}`, about))
  const names: string[] = []
  for (const part of partsOf(guard)) {
    const { type, name, params, guards } = part as Named
    if (typeof part !== 'string' && guards !== undefined)
      tell(`'${name}' cannot be told in a refusal; write a guard of your own with a name`, `${name}(`)
    else if (typeof part === 'function')
      tell('a guard needs a name, by which a refusal tells it: declare it in setup', eventType)
    else if (params !== undefined)
      tell(`guard '${type}': parameters cannot be told; write a guard without`, String(type))
    else names.push(typeof part === 'string' ? part : String(type))
  }
  const own = machine.implementations.guards as Readonly<Record<string, unknown>>
  for (const name of names) {
    if (Object.hasOwn(builtInGuards, name) || typeof own[name] === 'function') continue
    const known = [...new Set([...Object.keys(builtInGuards), ...Object.keys(own)])].join(', ')
    tell(`there is no guard '${name}'; there are ${known}`, name)
  }
  const [type, subject] = eventType.split('.')
  const needed =
    type === 'directive'
      ? ['fromMeta', ...(subject === '*' ? ['isMission'] : [])]
      : type === 'question'
        ? ['fromRegistered']
        : []
  // meta and a coordinator are one for a machine
  const given = names.map((name) => (name === 'fromCoordinator' ? 'fromMeta' : name))
  for (const name of needed) if (!given.includes(name)) tell(`it needs the guard '${name}'`, eventType)
  return found
}

/** The only effect that a machine may ask for; the host carries it out. */
const askedEffect = 'answerAsker'

/** The problem of an action that is neither an `assign` nor the effect that a machine may ask for. */
function actionRule(machine: AnyStateMachine, node: AnyStateNode, action: unknown): MachineProblem[] {
  const name = typeof action === 'string' ? action : ((action as Named).type ?? (action as Named).name ?? '')
  if (name === askedEffect || name === 'xstate.assign') return []
  const own = machine.implementations.actions as Readonly<Record<string, unknown>>
  const meant = typeof action === 'function' ? action : own[name]
  if (meant === undefined) return [problem(node, `there is no action '${name}'`, name)]
  if ((meant as Named).type === 'xstate.assign') return []
  return [
    problem(
      node,
      `action '${name}' does something inside of the decision; only assign may stand there, onTransition does the rest`,
      name,
    ),
  ]
}

/** Problems of the events that a state defers. */
function deferRules(node: AnyStateNode): MachineProblem[] {
  const { defers = [] } = (node.meta ?? {}) as StateMeta
  return defers.flatMap((descriptor) => {
    const fault = faultOfEvent(descriptor)
    return fault === undefined ? [] : [problem(node, `defers '${descriptor}': ${fault}`, descriptor)]
  })
}

/** The machine's own guards without words for a refusal, and words for guards that it does not have. */
function wordRules(machine: AnyStateMachine): MachineProblem[] {
  const { guards: words = {} } = (machine.root.meta ?? {}) as StateMeta
  const own = Object.keys(machine.implementations.guards as object).filter(
    (name) => !Object.hasOwn(builtInGuards, name),
  )
  return [
    ...own
      .filter((name) => typeof words[name]?.needs !== 'string' || words[name].needs.trim() === '')
      .map((name) => ({
        message: `guard '${name}' has no words for a refusal; give the machine meta: { guards: { ${name}: { needs: '…' } } }`,
        about: name,
      })),
    ...Object.keys(words)
      .filter((name) => !own.includes(name))
      .map((name) => ({ message: `meta.guards: there is no guard '${name}' of its own`, about: name })),
  ]
}
