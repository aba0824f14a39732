import * as z from 'zod/mini'
import { addressSchema } from './team-id.ts'
import { timestampSchema } from './time.ts'

/** The transport that every signal names in `protocol` (spec §9). */
export const PROTOCOL = 'file-signal-v1'

export const signalTypes = ['directive', 'question', 'report', 'alert'] as const
export type SignalType = (typeof signalTypes)[number]

/** Longest subject that `send` takes, in characters: subjects are to be kept short (spec §8). */
export const maxSubjectLength = 200

/** Content of every signal file, exactly (spec §2.1). */
export const signalSchema = z.strictObject({
  id: z.guid('is not a UUID'),
  timestamp: timestampSchema,
  from: addressSchema,
  to: addressSchema,
  type: z.enum(signalTypes),
  subject: z.string(),
  body: z.string(),
  protocol: z.literal(PROTOCOL),
  acknowledged: z.optional(z.boolean()),
  acknowledged_at: z.optional(timestampSchema),
})
export type SignalMessage = z.infer<typeof signalSchema>

/** Content of `<signal-file>.ack` (spec §2.2). */
export const acknowledgmentSchema = z.strictObject({
  acknowledged: z.literal(true),
  acknowledged_at: timestampSchema,
})
export type Acknowledgment = z.infer<typeof acknowledgmentSchema>
