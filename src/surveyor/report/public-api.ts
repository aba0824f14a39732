import { posix } from 'node:path'
import type { Analysis } from '../analysis.ts'
import type { SymbolFact } from '../facts.ts'
import { firstSentence } from '../languages/doc-comment.ts'
import type { Survey } from '../survey.ts'
import { sourceOf } from './entry-sources.ts'
import { code, paragraphs, prose, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { reexportsOf } from './reexports.ts'
import { signatureOf } from './signature.ts'
import { count, figure, paths } from './wording.ts'

const MOST_FILES = 40
const MOST_ROWS = 40

/** What others may use of the project: the exports of its library entries, by the file that makes them. */
export function publicApiSection(survey: Survey, analysis: Analysis): Section {
  const title = 'Public API'
  const entries = libraryEntries(survey, analysis)
  const offered = new Map<string, Set<string>>()
  for (const entry of entries) collect(survey, entry, undefined, offered, new Set())
  const blocks = [...offered].flatMap(([path, names]) => {
    const block = fileTable(survey, path, names)
    return block === '' ? [] : [block]
  })
  if (blocks.length === 0)
    return {
      title,
      body:
        analysis.sources.length === 0
          ? ''
          : `No library entry with exported symbols was found${entries.length > 0 ? ` in ${paths(entries, 4)}` : ': no manifest names one, and no file is one by its name'}.`,
    }
  return {
    title,
    body: paragraphs(
      `What others can use, as ${paths(entries, 6)} ${entries.length === 1 ? 'offers' : 'offer'} it, by the file that makes it.`,
      ...blocks.slice(0, MOST_FILES),
      blocks.length > MOST_FILES &&
        `${figure(blocks.length - MOST_FILES)} more files offer symbols and are not listed.`,
    ),
  }
}

/** Files whose exports are the project's interface: what manifests name, else what the language's habit names. */
function libraryEntries(survey: Survey, analysis: Analysis): string[] {
  const declared = survey.manifests.flatMap(({ path, entries }) =>
    entries
      .filter(({ what }) => /^(?:library|export)/.test(what))
      .flatMap((entry) => sourceOf(survey, path, entry) ?? []),
  )
  const sources = analysis.sources.map(({ path }) => path)
  const byHabit = (pattern: RegExp): string[] => sources.filter((path) => pattern.test(path))
  const found =
    declared.length > 0
      ? declared
      : [
          ...byHabit(/^(?:src\/)?lib\.rs$|^[\w-]+\/src\/lib\.rs$/),
          ...byHabit(/^(?:src\/|lib\/)?(?:index|mod)\.[cm]?[jt]sx?$/),
          ...packageRoots(byHabit(/(?:^|\/)__init__\.pyi?$/)),
          ...goPackages(survey, sources),
        ]
  const typed = found.map((path) => {
    // Declarations beside compiled code say more of it than the code does.
    const declaration = path.replace(/\.([cm]?)js$/, '.d.$1ts')
    return survey.byPath.has(declaration) ? declaration : path
  })
  const known = [...new Set(typed)].filter((path) => survey.byPath.get(path)?.facts.code !== undefined)
  // Other languages have no entry: every public type is one.
  return known.length > 0
    ? known
    : analysis.core
        .filter(({ file }) => ['java', 'csharp', 'php', 'ruby', 'cpp'].includes(file.language?.id ?? ''))
        .slice(0, MOST_FILES)
        .map(({ file }) => file.path)
}

/** Packages that stand in no other. */
const packageRoots = (files: readonly string[]): string[] => {
  const folders = new Set(files.map((file) => posix.dirname(file)))
  return files.filter((file) => !folders.has(posix.dirname(posix.dirname(file))))
}

/** Files of Go packages that other modules may import. */
const goPackages = (survey: Survey, sources: readonly string[]): string[] =>
  sources.filter(
    (path) =>
      path.endsWith('.go') &&
      !/(?:^|\/)internal\//.test(path) &&
      survey.byPath.get(path)?.facts.code?.namespace !== 'main',
  )

/** Follows an entry to the files that make what it offers; `names` undefined means everything exported. */
function collect(
  survey: Survey,
  path: string,
  names: readonly string[] | undefined,
  offered: Map<string, Set<string>>,
  seen: Set<string>,
): void {
  const key = `${path}\0${names?.join() ?? '*'}`
  if (seen.has(key)) return
  seen.add(key)
  const symbols = (survey.byPath.get(path)?.facts.code?.symbols ?? []).filter(
    ({ name, owner, exported }) =>
      (owner === undefined || path.endsWith('.go')) && exported && (names?.includes(name) ?? true),
  )
  if (symbols.length > 0)
    offered.set(path, new Set([...(offered.get(path) ?? []), ...symbols.map(({ name }) => name)]))
  const own = new Set(symbols.map(({ name }) => name))
  for (const { to, names: passed } of reexportsOf(survey, path)) {
    const wanted = passed === undefined ? names : (names?.filter((name) => passed.includes(name)) ?? passed)
    const left = wanted?.filter((name) => !own.has(name))
    if (left === undefined || left.length > 0) collect(survey, to, left, offered, seen)
  }
}

function fileTable(survey: Survey, path: string, names: ReadonlySet<string>): string {
  const all = survey.byPath.get(path)?.facts.code?.symbols ?? []
  const ofType = new Set(
    all.filter(({ owner, name }) => owner === undefined && names.has(name)).map(({ name }) => name),
  )
  const isOffered = ({ name, owner, exported }: SymbolFact): boolean =>
    exported &&
    !name.startsWith('__') &&
    (owner === undefined ? names.has(name) : ofType.has(owner) || (path.endsWith('.go') && names.has(name)))
  const lines = survey.source(path).split(/\r?\n/)
  // Rust's `pub(crate)` and the methods of a trait are no part of what a type adds for others.
  const isOpen = (signature: string): boolean =>
    !path.endsWith('.rs') || /^(?:pub |macro_rules)/.test(signature)
  const symbols = all
    .filter((symbol) => isOffered(symbol) && isOpen(signatureOf(lines, symbol)))
    // Overloads are one symbol to a reader.
    .filter(
      (symbol, at, list) =>
        list.findIndex(({ name, owner }) => name === symbol.name && owner === symbol.owner) === at,
    )
  if (symbols.length === 0) return ''
  const rows = symbols
    .slice(0, MOST_ROWS)
    .map((symbol) => [
      code(symbol.owner === undefined ? symbol.name : `${symbol.owner}.${symbol.name}`),
      symbol.kind,
      code(signatureOf(lines, symbol)),
      symbol.doc === undefined ? '' : prose(firstSentence(symbol.doc)),
    ])
  const documented = rows.some((row) => row[3] !== '')
  return paragraphs(
    `### ${code(path)}`,
    table(
      ['Symbol', 'Kind', 'Signature', ...(documented ? ['What its comment says'] : [])],
      documented ? rows : rows.map((row) => row.slice(0, 3)),
    ),
    symbols.length > MOST_ROWS && `And ${count(symbols.length - MOST_ROWS, 'more symbol')}.`,
  )
}
