import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import type * as z from 'zod/mini'
import type { AskedEffect } from '../../../machines/team-event.ts'

/** What makes an archetype's lifecycle: its machine, and what a persisted context of that machine must be. */
export interface Logic {
  readonly machine: AnyStateMachine
  readonly context: z.ZodMiniType
  /** Why what a decision led to may not be committed; only a machine that does not ship with fed is asked. */
  readonly faultOf?: (next: AnyMachineSnapshot, asked: readonly AskedEffect[]) => string | undefined
  /** What the machine's own code threw, in one line with its place. */
  readonly reasonOf?: (error: unknown) => string
}
