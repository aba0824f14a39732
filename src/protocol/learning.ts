import * as z from 'zod/mini'
import { teamIdSchema } from './team-id.ts'
import { timestampSchema } from './time.ts'

/** The words that fed's own commands write; the specification (§2.5) shows none, so a log may hold others. */
export const learningCategories = [
  'discovery',
  'pattern',
  'convention',
  'gotcha',
  'technique',
  'correction',
] as const
export const confidenceLevels = ['low', 'medium', 'high'] as const

export type Category = (typeof learningCategories)[number]
export type Confidence = (typeof confidenceLevels)[number]

/** Under what a finding stands whose word is none of fed's. */
export const OTHER = 'other'

const text = z.string().check(z.regex(/\S/, 'is empty'))

/** One line of `.fed/learnings.jsonl` (spec §2.5), whoever wrote it. */
export const learningSchema = z.strictObject({
  timestamp: timestampSchema,
  domain: text,
  category: text,
  content: text,
  tags: z.array(z.string()),
  confidence: text,
})
export type Learning = z.infer<typeof learningSchema>

/** One that fed writes. */
export const ownLearningSchema = z.strictObject({
  ...learningSchema.shape,
  domain: teamIdSchema,
  category: z.enum(learningCategories),
  confidence: z.enum(confidenceLevels),
})
export type OwnLearning = z.infer<typeof ownLearningSchema>

/** A finding's kind among fed's words, in whatever case it was written. */
export function categoryOf({ category }: Pick<Learning, 'category'>): Category | typeof OTHER {
  return among(learningCategories, category)
}

/** How sure it is, likewise. */
export function confidenceOf({ confidence }: Pick<Learning, 'confidence'>): Confidence | typeof OTHER {
  return among(confidenceLevels, confidence)
}

function among<Word extends string>(words: readonly Word[], word: string): Word | typeof OTHER {
  const plain = word.trim().toLowerCase()
  return words.find((one) => one === plain) ?? OTHER
}

/** Longest part of a foreign word that is shown beside others. */
const longestShown = 24

/** A word as people are shown it: its own, and that it is none of fed's. */
export function shownWord(known: string, word: string): string {
  if (known !== OTHER) return known
  const characters = [...word.trim()]
  const shown =
    characters.length > longestShown ? `${characters.slice(0, longestShown - 1).join('')}…` : word.trim()
  return shown.toLowerCase() === OTHER ? OTHER : `${OTHER}: ${shown}`
}
