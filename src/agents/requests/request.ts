import * as z from 'zod/mini'
import type { CheckWatch } from '../../engine/checks/run-check.ts'
import { UsageError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { describeProblems } from '../../protocol/problems.ts'

/** Whoever asks: a team's agent, a person or a program for a team, or the coordinator. */
export interface Caller {
  readonly federation: Federation
  /** A team's id, or `meta`. */
  readonly address: string
  /** Who waits for what takes long. */
  readonly watch: CheckWatch
  /** The id and the time of the signal that the request makes: asked twice it is one. Without it they are new. */
  readonly once?: { readonly id: string; readonly timestamp: string }
}

/** Something that can be asked of fed by a command, by an agent's tool, and by a tray: one code for all three. */
export interface Request<Input extends z.ZodMiniType = z.ZodMiniType, Answer = unknown> {
  readonly name: string
  /** Its name among an agent's tools, where that is another. */
  readonly tool?: string
  /** For an agent: what it does and when to use it. */
  readonly description: string
  readonly input: Input
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean
  /** Whether it replaces what was there. */
  readonly isDestructive: boolean
  /** Whether asking again changes nothing more. */
  readonly isIdempotent: boolean
  /** @throws {FedError} that says what to do instead. */
  readonly carryOut: (caller: Caller, input: z.output<Input>) => Promise<Answer>
}

/** What a request answers. */
export type AnswerOf<One> = One extends Request<z.ZodMiniType, infer Answer> ? Answer : never

/** What a host may tell its person of a request. */
type Hint = 'isReadOnly' | 'isDestructive' | 'isIdempotent'

/** Declares a request, with the types of its schema and of what it answers. */
export function defineRequest<Input extends z.ZodMiniType, Answer>(
  request: Omit<Request<Input, Answer>, Hint> & Partial<Pick<Request, Hint>>,
): Request<Input, Answer> {
  const { isReadOnly = false } = request
  return { isReadOnly, isDestructive: false, isIdempotent: isReadOnly, ...request }
}

/**
 * What a request was given, as its schema reads it.
 * @throws {UsageError} naming every field that is wrong.
 */
export function inputFor<Input extends z.ZodMiniType>(
  { input }: Pick<Request<Input>, 'input'>,
  given: unknown,
): z.output<Input> {
  const read = input.safeParse(given)
  if (!read.success) throw new UsageError(describeProblems(read.error))
  return read.data
}

/** A field that the agent is told about. */
export function told<Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema {
  return schema.check(z.describe(description)) as Schema
}
