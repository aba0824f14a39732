import { realpathSync } from 'node:fs'
import type { AnyStateMachine } from 'xstate'
import * as z from 'zod/mini'
import { builtInGuards } from '../../../machines/guards.ts'
import type { AskedEffect } from '../../../machines/team-event.ts'
import type { Logic } from '../../engine/decide/judge.ts'
import { maxBodyBytes } from '../../protocol/signal.ts'
import { addressSchema } from '../../protocol/team-id.ts'
import { teamContext } from '../archetypes.ts'
import type { ArchetypeDefinition, FieldSchema } from './hook-definition.ts'
import { faultOfSnapshot } from './machine-life.ts'
import { placedReason } from './source-place.ts'

/**
 * The lifecycle of a federation's own archetype. The names of built-in guards mean the built-in guards, whatever
 * the machine calls so; what its own code does wrong is told by file and line.
 */
export function ownLogic(root: string, { machine, fields = {} }: ArchetypeDefinition): Logic {
  const within = realpathSync(root)
  const own = machine.implementations.guards as Readonly<Record<string, Guard>>
  const guards = Object.fromEntries(
    Object.entries(own).map(([name, guard]) => [name, telling(guard, within)]),
  )
  const logic: Logic = {
    machine: machine.provide({ guards: { ...guards, ...builtInGuards } } as never) as AnyStateMachine,
    context: z.strictObject({
      ...teamContext,
      ...Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, fieldOf(schema)])),
    }),
    faultOf: (next, asked) => faultOfSnapshot(logic, next) ?? faultOfAsked(asked),
    reasonOf: (error) => placedReason(error, within),
  }
  return logic
}

type Guard = (asked: never, params: never) => unknown

/** xstate keeps no more of a guard's error than its message. */
function telling(guard: Guard, root: string): Guard {
  return (asked, params) => {
    try {
      return guard(asked, params)
    } catch (error) {
      throw new Error(placedReason(error, root), { cause: error })
    }
  }
}

/** A context is read as it was written: a schema checks it, and does not change it. */
function fieldOf(schema: FieldSchema): z.ZodMiniType {
  return z.unknown().check(
    z.check((asked) => {
      const verdict = schema['~standard'].validate(asked.value)
      const issues =
        verdict instanceof Promise ? [{ message: 'its schema is asynchronous' }] : (verdict.issues ?? [])
      for (const { message } of issues) asked.issues.push({ code: 'custom', input: asked.value, message })
    }),
  )
}

function faultOfAsked(asked: readonly AskedEffect[]): string | undefined {
  for (const { type, params } of asked) {
    const { to, subject, body } = (params ?? {}) as Partial<AskedEffect['params']>
    const isWhole =
      addressSchema.safeParse(to).success && typeof subject === 'string' && typeof body === 'string'
    if (!isWhole || Buffer.byteLength(body) > maxBodyBytes)
      return `${type} needs the params to (a team or meta), subject and body`
  }
  return undefined
}
