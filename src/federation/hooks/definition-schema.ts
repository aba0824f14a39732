import * as z from 'zod/mini'
import { placementTypes } from '../../protocol/registry-schema.ts'
import { teamIdSchema } from '../../protocol/team-id.ts'
import { agentToolNames } from '../lead-agent.ts'
import type { ArchetypeDefinition, FieldSchema, Hook } from './hook-definition.ts'

const words = z.string().check(z.regex(/\S/, 'is empty'))
const oneLine = words.check(z.regex(/^[^\r\n]*$/, 'has more than one line'))
const isFunction = (value: unknown) => typeof value === 'function'
const call = z.optional(z.custom<never>(isFunction, 'is no function'))

/** What the module exports by default. */
export const hookSchema = z.strictObject({
  archetypes: z.optional(z.record(z.string(), z.unknown())),
  onInit: call,
  onTransition: call,
  onSignal: call,
  onHealth: call,
}) as unknown as z.ZodMiniType<Omit<Hook, 'archetypes'> & { readonly archetypes?: Record<string, unknown> }>

const isMachine = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  ['root', 'implementations', 'idMap', 'transition', 'provide'].every((part) => part in value)

const isFieldSchema = (value: unknown) => {
  const standard = (value as Partial<FieldSchema> | null)?.['~standard']
  return standard?.version === 1 && typeof standard.validate === 'function'
}

/** One archetype of `archetypes`. */
export const archetypeSchema = z.strictObject({
  machine: z.custom<never>(isMachine, 'is no machine of xstate 5 (setup({ … }).createMachine({ … }))'),
  description: oneLine,
  fields: z.optional(
    z.record(
      z.string(),
      z.custom<FieldSchema>(isFieldSchema, 'is no schema, such as z.nullable(z.string())'),
    ),
  ),
  evidence: z.optional(
    z.record(
      z.string().check(z.regex(/^[a-z][A-Za-z0-9]*$/, 'is no name such as reviewedCommit')),
      z.custom<never>(isFunction, 'is no function'),
    ),
  ),
  placement: z.optional(z.enum(placementTypes, `is neither ${placementTypes.join(' nor ')}`)),
  defaultTeam: z.optional(teamIdSchema),
  skills: z.optional(z.array(words)),
  milestones: z.optional(
    z.array(z.strictObject({ state: words, subject: words, options: z.optional(oneLine), task: oneLine })),
  ),
  leadAgent: z.optional(
    z.strictObject({
      role: z.optional(oneLine),
      temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
      tools: z.optional(z.array(z.strictObject({ name: z.enum(agentToolNames), readOnly: z.boolean() }))),
      responsibilities: z.optional(z.array(oneLine)),
    }),
  ),
}) as unknown as z.ZodMiniType<ArchetypeDefinition>
