import type { AnyStateMachine } from 'xstate'

/** `and([...])`, `or([...])` and `not(...)` are functions that carry what they combine. */
interface Combination {
  readonly name: string
  readonly guards?: readonly unknown[]
}

const definitions = new WeakMap<AnyStateMachine, string>()

/** A machine's literal as the inspector takes it: JSON, functions by their names, combined guards spelled out. */
export function definitionOf(machine: AnyStateMachine): string {
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
