import * as z from 'zod/mini'
import { teamIdSchema } from './team-id.ts'
import { timestampSchema } from './time.ts'

/** Allowed values are not shown in the specification §2.5; these are ours. */
export const learningCategories = [
  'discovery',
  'pattern',
  'convention',
  'gotcha',
  'technique',
  'correction',
] as const
export const confidenceLevels = ['low', 'medium', 'high'] as const

/** One line of `.fed/learnings.jsonl` (spec §2.5). */
export const learningSchema = z.strictObject({
  timestamp: timestampSchema,
  domain: teamIdSchema,
  category: z.enum(learningCategories),
  content: z.string().check(z.regex(/\S/, 'is empty')),
  tags: z.array(z.string()),
  confidence: z.enum(confidenceLevels),
})
export type Learning = z.infer<typeof learningSchema>
