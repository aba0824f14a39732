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

/** Stands for a category or a confidence that is none of fed's words. */
export const OTHER = 'other'

const text = z.string().check(z.regex(/\S/, 'is empty'))

/** One line of `.fed/learnings.jsonl` (spec §2.5), whoever wrote it. */
export const learningSchema = z.strictObject({
  timestamp: timestampSchema,
  /** The team that found it: its id, where fed wrote the line. */
  domain: text,
  category: text,
  content: text,
  tags: z.array(z.string()),
  confidence: text,
})
export type Learning = z.infer<typeof learningSchema>

/** A line that fed writes. */
export const ownLearningSchema = z.strictObject({
  ...learningSchema.shape,
  /** The team's id, not the name that people use. */
  domain: teamIdSchema,
  category: z.enum(learningCategories),
  confidence: z.enum(confidenceLevels),
})
export type OwnLearning = z.infer<typeof ownLearningSchema>

/** A finding's category among fed's words, in whatever case it was written; `other` where it is none. */
export function categoryOf({ category }: Pick<Learning, 'category'>): Category | typeof OTHER {
  return among(learningCategories, category)
}

/** A finding's confidence among fed's words, in whatever case it was written; `other` where it is none. */
export function confidenceOf({ confidence }: Pick<Learning, 'confidence'>): Confidence | typeof OTHER {
  return among(confidenceLevels, confidence)
}

function among<Word extends string>(words: readonly Word[], word: string): Word | typeof OTHER {
  const plain = word.trim().toLowerCase()
  return words.find((one) => one === plain) ?? OTHER
}

/** At most how many characters of a word that is none of fed's are shown. */
const longestShown = 24

/**
 * A category or a confidence as people are shown it: `known`, or `other: <word>` where `known` is `other`.
 * @param word as the log has it.
 */
export function shownWord(known: string, word: string): string {
  if (known !== OTHER) return known
  const characters = [...word.trim()]
  const shown =
    characters.length > longestShown ? `${characters.slice(0, longestShown - 1).join('')}…` : word.trim()
  return shown.toLowerCase() === OTHER ? OTHER : `${OTHER}: ${shown}`
}
