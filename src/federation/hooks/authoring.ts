/**
 * What the author of an `importHook` module needs (`import { defineHook } from 'fed/hook'`): the types, and what
 * the machines that ship with fed are made of.
 * @packageDocumentation
 */
import type { ArchetypeDefinition, Hook } from './hook-definition.ts'

export type {
  ArchetypeDefinition,
  FieldSchema,
  HealthFacts,
  Hook,
  OwnFinding,
  HandledFacts,
  TeamHealth,
  TransitionFacts,
} from './hook-definition.ts'
export type { OwnFacts } from '../../engine/step/own-facts.ts'
export * from '../../../machines/guards.ts'
export {
  blankContext,
  failureOf,
  instructionOf,
  type Evidence,
  type Failure,
  type GuardWords,
  type Instruction,
  type OtherTeam,
  type OwnFinding as OwnEvidenceFinding,
  type StateMeta,
  type TeamContext,
  type TeamEvent,
  type TeamInput,
} from '../../../machines/team-event.ts'

/**
 * A federation's own archetypes and hooks, with their types checked; the module's default export.
 * @example
 * export default defineHook({
 *   archetypes: { audit: { machine: audit, description: 'Audits one area of the code' } },
 *   onTransition: ({ root, team, from, to }) =>
 *     appendFile(path.join(root, '.fed', 'moves.log'), `${team}: ${from} to ${to}\n`),
 * })
 */
export function defineHook(hook: Hook): Hook {
  return hook
}

/** One archetype by itself, such as the default export of a file of its own. */
export function defineArchetype(archetype: ArchetypeDefinition): ArchetypeDefinition {
  return archetype
}
