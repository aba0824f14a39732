import * as z from 'zod/mini'
import { addressSchema } from './team-id.ts'
import { timestampSchema } from './time.ts'
import { wrong } from './zod-messages.ts'

/** The transport that every signal names in `protocol` (spec §9). */
export const PROTOCOL = 'file-signal-v1'

export const signalTypes = ['directive', 'question', 'report', 'alert'] as const
export type SignalType = (typeof signalTypes)[number]

/** Longest subject that `send` takes, in characters: subjects are to be kept short (spec §8). */
export const maxSubjectLength = 200

/** Longest body that `send` takes, in bytes of UTF-8; what is longer belongs into a file that the body names. */
export const maxBodyBytes = 1_048_576

/** A file in an inbox that is larger, in bytes, is no signal: the longest body fits however JSON escapes it. */
export const largestSignalFile = 8 * 1_048_576

/** What is wrong with a text as a signal's body, if anything; `name` says where it came from. */
export function faultOfBody(body: string, name = 'it'): string | undefined {
  const bytes = Buffer.byteLength(body)
  return bytes > maxBodyBytes ? tooLong(`${name} is ${bytes} bytes`) : undefined
}

/** The same for a text that was not read to its end, because it is too long anyway. */
export function tooLong(what: string): string {
  return `${what}, more than the ${maxBodyBytes} a signal may have; write it to a file and name the file in the body`
}

/** Content of every signal file, exactly (spec §2.1). */
export const signalSchema = z.strictObject({
  id: z.guid(wrong('is not a UUID')),
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
