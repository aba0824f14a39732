import * as z from 'zod/mini'
import type { Federation } from '../../federation/federation.ts'

/** Who calls a tool: a team's agent, or the coordinator's. */
export interface Caller {
  readonly federation: Federation
  /** A team's id, or `meta`. */
  readonly address: string
}

/** Something that an agent can do, by the same code as the command of that name. */
export interface AgentTool {
  readonly name: string
  /** For the agent: what it does and when to use it. */
  readonly description: string
  readonly input: z.ZodMiniType
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean
  /** @throws {FedError} that says what to do instead. */
  readonly call: (caller: Caller, input: unknown) => Promise<unknown>
}

/** A tool whose call gets its input as the schema reads it. */
export function defineTool<Input extends z.ZodMiniType>(tool: {
  readonly name: string
  readonly description: string
  readonly input: Input
  readonly isReadOnly?: boolean
  readonly call: (caller: Caller, input: z.infer<Input>) => Promise<unknown>
}): AgentTool {
  return {
    ...tool,
    isReadOnly: tool.isReadOnly ?? false,
    call: (caller, input) => tool.call(caller, tool.input.parse(input)),
  }
}

/** A field that the agent is told about. */
export function told<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  return schema.check(z.describe(description)) as Schema
}
