import { posix } from 'node:path'
import { holds, patternOf } from './focus-terms.ts'
import type { Term, Weights } from './focus-terms.ts'
import type { Mission } from './read-mission.ts'
import { findNamed, nearestNames } from './named-paths.ts'
import { rankSymbols } from './rank-symbols.ts'
import type { FocusedSymbol } from './rank-symbols.ts'
import type { Survey } from './survey.ts'
import type { SurveyedFile } from './surveyed-file.ts'
import { stem, stemsOf, wordsOf } from './word-stems.ts'

export interface FocusedFile {
  file: SurveyedFile
  score: number
  /** Words of the mission that it holds, in the mission's order. */
  words: string[]
  /** The mission names it, or a folder above it. */
  named: boolean
  /** Lines, from 1, on which the words stand, together and by word. */
  hits: number[]
  lines: ReadonlyMap<string, readonly number[]>
}

/** What the words of a mission lead to. */
export interface Focus {
  terms: Term[]
  namedPaths: string[]
  /** Paths that the mission names and the repository does not have, with the most similar that it has. */
  missingPaths: { path: string; near: string[] }[]
  /** Code of the project, best first; then tests and documents that speak of it. */
  files: FocusedFile[]
  tests: FocusedFile[]
  documents: FocusedFile[]
  symbols: FocusedSymbol[]
}

const focuses = new WeakMap<Survey, { asked: string; focus: Focus }>()

/**
 * Ranks files and symbols by the words of a mission. Undefined where the mission names nothing of its own. The
 * last answer on a survey is remembered: to find it, every file is searched.
 */
export function focusOn(survey: Survey, mission: Mission): Focus | undefined {
  if (mission.topics.length === 0 && mission.paths.length === 0) return undefined
  const asked = JSON.stringify([mission.topics, mission.paths])
  const known = focuses.get(survey)
  if (known?.asked === asked) return known.focus
  const focus = focusAnew(survey, mission)
  focuses.set(survey, { asked, focus })
  return focus
}

function focusAnew(survey: Survey, mission: Mission): Focus {
  const named = mission.paths.map((path) => ({ path, found: findNamed(survey, path) }))
  const namedPaths = [...new Set(named.flatMap(({ found }) => found))].toSorted()
  const missingPaths = named
    .filter(({ found }) => found.length === 0)
    .map(({ path }) => ({ path, near: nearestNames(survey, path) }))
  const isNamed = (path: string): boolean =>
    namedPaths.some((name) => path === name || path.startsWith(`${name}/`))

  const searched = survey.files.filter(
    ({ facts, languageName }) =>
      facts.code !== undefined ||
      facts.title !== undefined ||
      /YAML|JSON|TOML|Shell|SQL|HTML|CSS/.test(languageName),
  )
  const counts = countWords(survey, searched, mission.topics)
  const terms = mission.topics.map((word) => ({
    word,
    stems: wordsOf(word).map(stem),
    files: [...counts.values()].filter((found) => (found.get(word)?.length ?? 0) > 0).length,
  }))
  const known: Weights[] = terms
    .filter(({ files }) => files > 0)
    .map((term) => ({
      term,
      weight:
        Math.log(1 + searched.length / term.files) *
        (searched.length >= 8 && term.files > searched.length * 0.5 ? 0.3 : 1),
      pattern: patternOf(term.word),
    }))

  const ranked = searched
    .map((file): FocusedFile => {
      const found = counts.get(file.path) ?? new Map<string, number[]>()
      return {
        file,
        named: isNamed(file.path),
        words: known.map(({ term }) => term.word).filter((word) => (found.get(word)?.length ?? 0) > 0),
        score:
          scoreOf(file, known, found) +
          (isNamed(file.path) ? 1_000 + (survey.graph.dependents.get(file.path)?.length ?? 0) / 100 : 0),
        hits: [...new Set([...found.values()].flat())].toSorted((a, b) => a - b),
        lines: found,
      }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
  const sources = cutOff(ranked.filter(({ file }) => file.role === 'source' && file.facts.code !== undefined))
  const other = ranked.filter(({ file }) => file.role !== 'source' || file.facts.code === undefined)
  const files =
    sources.length > 0 ? sources : cutOff(other.filter(({ file }) => file.facts.code !== undefined))
  return {
    terms,
    namedPaths,
    missingPaths,
    files,
    tests: cutOff(
      other.filter(({ file }) => file.role === 'test'),
      0.4,
      8,
    ),
    documents: cutOff(
      other.filter((found) => isDocument(found, known)),
      0.35,
      8,
    ),
    symbols: rankSymbols(files, known, survey.source),
  }
}

/** Prose speaks of a topic by its text; data and configuration only when they are named for it. */
function isDocument({ file, named }: FocusedFile, known: readonly Weights[]): boolean {
  if (file.facts.code !== undefined) return false
  const own = stemsOf(file.path)
  return named || file.facts.title !== undefined || known.some(({ term }) => holds(own, term))
}

function countWords(
  survey: Survey,
  files: readonly SurveyedFile[],
  topics: readonly string[],
): Map<string, Map<string, number[]>> {
  const patterns = topics.map((word) => [word, patternOf(word)] as const)
  const counts = new Map<string, Map<string, number[]>>()
  for (const { path } of files) {
    const text = survey.source(path)
    const found = new Map<string, number[]>()
    for (const [word, pattern] of patterns) {
      const lines: number[] = []
      let line = 1
      let at = 0
      for (const match of text.matchAll(pattern)) {
        for (
          let next = text.indexOf('\n', at);
          next >= 0 && next < match.index;
          next = text.indexOf('\n', at)
        ) {
          line++
          at = next + 1
        }
        lines.push(line)
      }
      const inPath =
        holds(stemsOf(path), { stems: wordsOf(word).map(stem) }) ||
        new RegExp(pattern.source, pattern.flags.replace('g', '')).test(path)
      if (lines.length > 0 || inPath) found.set(word, lines.length > 0 ? lines : [1])
    }
    counts.set(path, found)
  }
  return counts
}

function scoreOf(
  file: SurveyedFile,
  known: readonly Weights[],
  found: ReadonlyMap<string, readonly number[]>,
): number {
  const name = stemsOf(posix.basename(file.path).replace(/\.[^.]+$/, ''))
  const folders = stemsOf(posix.dirname(file.path))
  const doc = stemsOf(file.facts.code?.doc ?? file.facts.title ?? '')
  const symbols = (file.facts.code?.symbols ?? []).map((symbol) => ({
    names: stemsOf(symbol.name),
    docs: stemsOf(symbol.doc ?? ''),
    exported: symbol.exported,
  }))
  const headings = stemsOf((file.facts.headings ?? []).join(' '))
  let score = 0
  let matched = 0
  for (const { term, weight } of known) {
    const lines = found.get(term.word)?.length ?? 0
    if (lines === 0) continue
    matched += weight
    const inNames = symbols.filter(({ names }) => holds(names, term))
    const parts =
      (holds(name, term) ? 8 : 0) +
      (holds(folders, term) ? 4 : 0) +
      (holds(doc, term) ? 4 : 0) +
      (holds(headings, term) ? 3 : 0) +
      Math.min(
        8,
        inNames.reduce((sum, { exported }) => sum + (exported ? 3 : 1.5), 0),
      ) +
      Math.min(3, symbols.filter(({ docs }) => holds(docs, term)).length) +
      Math.min(4, Math.log2(1 + lines))
    score += weight * parts
  }
  const whole = known.reduce((sum, { weight }) => sum + weight, 0)
  // A file that holds all the words is about the question; one that holds a single word often is not.
  return whole === 0 ? 0 : score * (matched / whole)
}

/** The best, down to a share of the first score: a long tail of files that mention a word helps nobody. */
function cutOff(files: readonly FocusedFile[], share = 0.3, limit = 10): FocusedFile[] {
  const named = files.filter((file) => file.named)
  const rest = files.filter((file) => !file.named)
  const top = rest[0]?.score ?? 0
  // Where the mission names files, words only add what scores as high as a file about the topic would.
  return [
    ...named.slice(0, 12),
    ...rest
      .filter(({ score }) => score >= top * share)
      .slice(0, named.length > 0 ? Math.min(4, limit) : limit),
  ]
}
