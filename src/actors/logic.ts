import type { AnyStateMachine } from 'xstate'
import type * as z from 'zod/mini'

/** What makes an archetype's lifecycle: its machine, and what a persisted context of that machine must be. */
export interface Logic {
  readonly machine: AnyStateMachine
  readonly context: z.ZodMiniType
}
