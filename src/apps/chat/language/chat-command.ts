import * as z from 'zod/mini'

/** What moves teams. */
export const controlKinds = ['pause', 'resume', 'launch', 'archive', 'restore'] as const
export type ControlKind = (typeof controlKinds)[number]

/** Which of all teams are meant, as people tell them apart. */
const teamStates = ['paused', 'failed', 'complete', 'working', 'archived', 'blocked'] as const
export type TeamState = (typeof teamStates)[number]

/** What people ask about teams. */
export const topics = ['status', 'why', 'cost', 'needs'] as const
export type Topic = (typeof topics)[number]

const ids = z.readonly(z.array(z.string()))

/** Which teams a person means. Only ids of registered teams stand in it. */
const whomSchema = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('named'), teams: ids }),
  z.strictObject({
    of: z.literal('all'),
    except: z.optional(ids),
    state: z.optional(z.enum(teamStates)),
  }),
  /** Those of whom the conversation was last: `it`, `both`, `them`, `all of them`. */
  z.strictObject({
    of: z.literal('last'),
    number: z.enum(['one', 'two', 'some', 'all']),
    except: z.optional(ids),
  }),
])
export type Whom = z.infer<typeof whomSchema>

const orderSchema = z.strictObject({ kind: z.enum(controlKinds), whom: whomSchema })
/** What somebody wants to be done with teams. */
export type Order = z.infer<typeof orderSchema>

const unknownTeamSchema = z.strictObject({
  kind: z.literal('unknown-team'),
  given: z.string(),
  /** The team that was probably meant. */
  nearest: z.nullable(z.string()),
})
/** A name that no team has. */
export type UnknownTeam = z.infer<typeof unknownTeamSchema>

/** What a message asks for: what code understood, or why nothing is done for it. */
export const commandSchema = z.discriminatedUnion('kind', [
  orderSchema,
  z.strictObject({ kind: z.literal('several'), orders: z.readonly(z.array(orderSchema)) }),
  z.strictObject({ kind: z.enum(topics), whom: whomSchema }),
  z.strictObject({ kind: z.enum(['tell', 'ask']), whom: whomSchema, text: z.string() }),
  // who thanks is kind, and asks for nothing
  z.strictObject({ kind: z.enum(['inbox', 'help', 'thanks', 'too-long']) }),
  unknownTeamSchema,
  // it does not say which team, or what
  z.strictObject({ kind: z.literal('incomplete'), verb: z.string() }),
  // for whoever understands more than code does
  z.strictObject({ kind: z.literal('free'), text: z.string() }),
])
export type ChatCommand = z.infer<typeof commandSchema>

/** Every team that there is. */
export const everybody: Whom = { of: 'all' }

/** Teams by their names. */
export function named(teams: readonly string[]): Whom {
  return { of: 'named', teams: [...new Set(teams)] }
}
