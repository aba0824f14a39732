import type { Mission } from './read-mission.ts'
import { findNamed, nearestNames } from './named-paths.ts'
import { substanceOf } from './search/rank-symbols.ts'
import { search } from './search/search.ts'
import type { Found, FoundFile, FoundSymbol, Term } from './search/found.ts'
import { baseOf, tokensOf } from './search/word-forms.ts'
import type { Survey } from './survey.ts'
import type { SurveyedFile } from './surveyed-file.ts'

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
  symbols: FoundSymbol[]
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
  const found = search(survey, searched, mission.topics, mission.hints)
  const ranked = withNamed(
    survey,
    found.files,
    searched.filter(({ path }) => isNamed(path)),
    isNamed,
  ).map(({ file, score, lines }): FocusedFile => ({
    file,
    score,
    lines,
    named: isNamed(file.path),
    words: [...lines.keys()].toSorted((a, b) => mission.topics.indexOf(a) - mission.topics.indexOf(b)),
    hits: [...new Set([...lines.values()].flat())].toSorted((a, b) => a - b),
  }))
  const sources = cutOff(ranked.filter(({ file }) => file.role === 'source' && file.facts.code !== undefined))
  const other = ranked.filter(({ file }) => file.role !== 'source' || file.facts.code === undefined)
  const files =
    sources.length > 0 ? sources : cutOff(other.filter(({ file }) => file.facts.code !== undefined))
  return {
    terms: found.terms,
    namedPaths,
    missingPaths,
    files,
    tests: cutOff(
      other.filter(({ file }) => file.role === 'test'),
      0.4,
      8,
    ),
    documents: cutOff(
      other.filter((one) => isDocument(one, mission.topics)),
      0.35,
      8,
    ),
    symbols: symbolsFor(found, files, isNamed),
  }
}

/** What the mission names comes first, whatever its words lead to. */
function withNamed(
  survey: Survey,
  found: readonly FoundFile[],
  named: readonly SurveyedFile[],
  isNamed: (path: string) => boolean,
): FoundFile[] {
  const known = new Set(found.map(({ file }) => file))
  const unmet = named.filter((file) => !known.has(file)).map((file) => ({ file, score: 0, lines: new Map() }))
  return [...found, ...unmet]
    .map((one) => ({
      ...one,
      score:
        one.score +
        (isNamed(one.file.path)
          ? 1_000 + (survey.graph.dependents.get(one.file.path)?.length ?? 0) / 100
          : 0),
    }))
    .toSorted((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
}

/** The symbols that the words lead to; of named files, where no word leads to one, what they export. */
function symbolsFor(
  { symbols }: Found,
  files: readonly FocusedFile[],
  isNamed: (path: string) => boolean,
): FoundSymbol[] {
  const hasNamed = files.some(({ named }) => named)
  const found = hasNamed ? symbols.filter(({ path }) => isNamed(path)) : symbols
  if (found.length > 0) return [...found]
  return files
    .filter(({ named }) => named)
    .flatMap(({ file }) =>
      (file.facts.code?.symbols ?? []).map((symbol) => ({
        path: file.path,
        symbol,
        score:
          (1 + (symbol.exported ? 2 : 0) + (symbol.doc === undefined ? 0 : 1)) * substanceOf(symbol, false),
      })),
    )
    .toSorted((a, b) => b.score - a.score)
}

/** Prose speaks of a topic by its text; data and configuration only when they are named for it. */
function isDocument({ file, named }: FocusedFile, topics: readonly string[]): boolean {
  if (file.facts.code !== undefined) return false
  const own = new Set(tokensOf(file.path))
  return named || file.facts.title !== undefined || topics.some((word) => own.has(baseOf(word)))
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
