import { count } from '../report/wording.ts'
import type { Survey } from '../survey.ts'
import { isVague } from './question.ts'
import { baseOf, isIrregular, likeness, nearness, partsOf, tokensOf } from './word-forms.ts'

/** A word that a question is about, and that stands nowhere. */
export interface Absent {
  readonly word: string
  /** How many files were looked through. */
  readonly files: number
  /** Words of the code that come nearest, best first. */
  readonly near: readonly string[]
}

/** What was left out is read for this all the same, where it is text. */
const readable = new Set(['vendored', 'generated', 'lock file'])

/**
 * The words that a question is about and that no identifier, comment or document has in any form of grammar. A word
 * that only comes along, as the circumstances of what is asked, may be missing; and so may what is done, where what it
 * is done to is there. Of a question whose other words are there, a word may be missing that the code has another for.
 */
export function absentFrom(
  survey: Survey,
  subject: readonly string[],
  topics: readonly string[] = subject,
): Absent[] {
  const asked = subject.filter((word) => !isVague(word))
  const paths = [
    ...survey.files.map(({ path }) => path),
    ...survey.leftOut.filter(({ reason }) => readable.has(reason)).map(({ path }) => path),
  ]
  const missing = missingFrom(survey, paths, asked)
  if (missing.size === 0) return []
  const things = [...missing].filter((word) => !isDone(word))
  const told = missing.size === asked.length ? [...missing] : things
  const isOtherwise = hasOthers(survey, paths, missing, topics)
    ? (word: string): boolean => isPlain(word) && hasMeaning(survey, word)
    : (): boolean => false
  return told
    .filter((word) => !isOtherwise(word))
    .map((word) => ({ word, files: paths.length, near: nearestTo(survey, word) }))
}

/** Whether most of what a question says beside the words that are missing stands in the files: of two words at least. */
function hasOthers(
  survey: Survey,
  paths: readonly string[],
  missing: ReadonlySet<string>,
  topics: readonly string[],
): boolean {
  const others = topics.filter((word) => !isVague(word) && !missing.has(word))
  if (others.length < 2) return false
  return missingFrom(survey, paths, others).size * 2 <= others.length
}

/** Whether a word is no name: names have no other words that mean the same. */
const isPlain = (word: string): boolean => /^\p{Ll}+$/u.test(word)

/** Whether a name of the code has a word of the same meaning. */
function hasMeaning(survey: Survey, word: string): boolean {
  const base = baseOf(word)
  return survey.files.some(({ facts }) =>
    (facts.code?.symbols ?? []).some(({ name }) =>
      partsOf(name).some((part) => nearness(base, baseOf(part)) > 0),
    ),
  )
}

/** Whether a word says what is done to something, or how: a participle or an adverb. */
const isDone = (word: string): boolean => /(?:ed|ly)$/.test(word) || isIrregular(word)

function missingFrom(survey: Survey, paths: readonly string[], words: readonly string[]): Set<string> {
  const missing = new Set(words)
  // a name such as GraphQL or __init__ stands for itself, in whatever case
  const asked = words.map((word) => ({
    word,
    base: /^[\p{L}\p{N}]+$/u.test(word) && partsOf(word).length === 1 ? baseOf(word) : undefined,
  }))
  for (const path of paths) {
    if (missing.size === 0) return missing
    const text = `${path}\n${survey.source(path)}`
    const open = asked.filter(({ word }) => missing.has(word))
    const lower = text.toLowerCase()
    for (const { word, base } of open)
      if (base === undefined && lower.includes(word.toLowerCase())) missing.delete(word)
    // most files have none of them: the start of a word is looked for before the words are taken apart
    const some = open.filter(
      ({ base }) => base !== undefined && lower.includes(base.slice(0, Math.max(3, base.length - 1))),
    )
    if (some.length === 0) continue
    const bases = new Set(tokensOf(text))
    for (const { word, base = '' } of some) if (bases.has(base)) missing.delete(word)
  }
  return missing
}

/** The words of names that are most like a word: of its root, of its meaning, or spelled like it. */
function nearestTo(survey: Survey, word: string): string[] {
  const base = baseOf(word)
  const best = new Map<string, number>()
  for (const { path, facts } of survey.files)
    for (const name of [
      path,
      ...(facts.code?.symbols ?? []).map((symbol) => symbol.name),
      ...(facts.headings ?? []),
    ])
      for (const part of partsOf(name)) {
        if (part.length < 3 || best.has(part)) continue
        best.set(part, likeness(base, baseOf(part)))
      }
  return [...best]
    .filter(([, near]) => near > 0)
    .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, 3)
    .map(([part]) => part)
}

/** What was looked for, where, and what there is instead. */
export function inWords({ word, files, near }: Absent): string {
  const instead = near.length === 0 ? '' : ` (the nearest words are ${near.join(', ')})`
  return `“${word}” stands in no identifier, comment or document of ${count(files, 'file')}${instead}`
}
