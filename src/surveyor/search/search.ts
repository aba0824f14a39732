import { posix } from 'node:path'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import { carried, once } from './carry.ts'
import type { Found, Read, Term } from './found.ts'
import { holding } from './held-terms.ts'
import { isVague } from './question.ts'
import { rankFiles } from './rank-files.ts'
import { rankSymbols } from './rank-symbols.ts'
import { spread } from './twins.ts'
import { tokensOf } from './word-forms.ts'

/** A word that stands in one file alone leads no further than this: else one rare word outweighs all others together. */
const mostTelling = 2.5

/**
 * Looks the words of a question up in names, comments, bodies and prose, and follows calls to what does it. What code
 * calls its phrases is looked up as well, weighs a little less, and is not told.
 */
export function search(
  survey: Survey,
  searched: readonly SurveyedFile[],
  topics: readonly string[],
  hints: readonly string[] = [],
): Found {
  const baseOfWord = (word: string): string => tokensOf(word).join(' ')
  const own = new Set(topics.map(baseOfWord))
  const words = [...topics, ...hints.filter((word) => !own.has(baseOfWord(word)))]
  const bases = words.map(baseOfWord)
  const named = wordsOfNames(searched)
  const held = holding(
    bases,
    bases.map((base) => ((named.get(base) ?? 0) >= 8 ? 0.5 : 1)),
  )
  const texts = searched.map((file): Read => ({
    file,
    hits: held.hits(survey.source(file.path)),
    name: held.text(posix.basename(file.path).replace(/\.[^.]+$/, '')),
    folders: held.text(posix.dirname(file.path)),
    doc: held.text(
      [file.facts.code?.doc ?? file.facts.title ?? '', ...(file.facts.headings ?? [])].join(' '),
    ),
  }))
  const terms = words.map((word, at): Term => {
    const files = texts.filter(
      ({ hits, name, folders }) =>
        hits.some(({ term, near }) => term === at && near === 1) || name[at] === 1 || folders[at] === 1,
    ).length
    const some = texts.filter(({ hits }) => hits.some(({ term }) => term === at)).length
    const rare = Math.log(1 + (texts.length - some + 0.5) / (some + 0.5))
    const telling = some === 0 ? 0 : Math.min(mostTelling, Math.max(rare, 0.2))
    const isHint = at >= topics.length
    const weight = telling * (isVague(word) ? 0.25 : 1) * (isHint ? 0.8 : 1)
    return { word, base: bases[at] ?? '', files, weight, isHint }
  })
  const symbols = spread(once(carried(survey, rankSymbols(texts, terms, held))))
  return {
    terms: terms.filter(({ isHint }) => !isHint),
    files: rankFiles(texts, terms, symbols),
    symbols,
  }
}

/** How many symbols of the project have each word in their names. */
function wordsOfNames(searched: readonly SurveyedFile[]): ReadonlyMap<string, number> {
  const named = new Map<string, number>()
  for (const { role, facts } of searched)
    if (role === 'source')
      for (const { name } of facts.code?.symbols ?? [])
        for (const base of new Set(tokensOf(name))) named.set(base, (named.get(base) ?? 0) + 1)
  return named
}
