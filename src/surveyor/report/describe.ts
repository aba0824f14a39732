import { posix } from 'node:path'
import { firstProse } from '../read-document.ts'
import { firstSentence } from '../languages/doc-comment.ts'
import { code, prose } from './write-markdown.ts'
import { count, enumeration, figure } from './wording.ts'
import type { FileFacts, SymbolFact } from '../facts.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'

const WELL_KNOWN: Record<string, string> = {
  test: 'Tests',
  tests: 'Tests',
  __tests__: 'Tests',
  spec: 'Tests',
  specs: 'Tests',
  e2e: 'End-to-end tests',
  fixtures: 'Test data',
  testdata: 'Test data',
  docs: 'Documentation',
  doc: 'Documentation',
  examples: 'Examples',
  example: 'Examples',
  samples: 'Examples',
  scripts: 'Scripts for development',
  script: 'Scripts for development',
  tools: 'Tools for development',
  '.github': 'GitHub configuration and workflows',
  '.vscode': 'Editor settings',
  '.circleci': 'CI configuration',
  '.ci': 'CI configuration',
  '.config': 'Tool configuration',
  ci: 'CI configuration',
  bench: 'Benchmarks',
  benches: 'Benchmarks',
  benchmark: 'Benchmarks',
  benchmarks: 'Benchmarks',
  assets: 'Static assets',
  public: 'Static assets',
  static: 'Static assets',
  images: 'Images',
  migrations: 'Database migrations',
  locales: 'Translations',
  i18n: 'Translations',
  templates: 'Templates',
  views: 'Views',
  config: 'Configuration',
  cmd: 'Commands',
  bin: 'Executables',
  internal: 'Packages that only this module may import',
  include: 'Public headers',
}

const SPEAKERS = /(^|\/)(index|mod|lib|main|__init__|doc|package-info)\.\w+$/

/** What a folder is for, and whether that is its own word or an inference. */
export function describeFolder(survey: Survey, folder: string, files: readonly SurveyedFile[]): string {
  const inside = (file: SurveyedFile): boolean => posix.dirname(file.path) === folder
  const own = ownWord(survey, files.filter(inside))
  if (own !== undefined) return prose(own)
  const known = WELL_KNOWN[posix.basename(folder)]
  const contents = describeContents(survey, files)
  return known === undefined
    ? contents
    : `${known} (by its name): ${contents.charAt(0).toLowerCase() + contents.slice(1)}`
}

function ownWord(survey: Survey, files: readonly SurveyedFile[]): string | undefined {
  const manifest = survey.manifests.find(
    ({ path, description }) => description !== undefined && files.some((file) => file.path === path),
  )
  if (manifest?.description !== undefined) return firstSentence(manifest.description)
  const readme = files.find(({ path }) => /(^|\/)readme(\.\w+)?$/i.test(path))
  const text = readme === undefined ? undefined : firstProse(readme.path, survey.source(readme.path))
  if (text !== undefined) return firstSentence(text)
  const speaker = files.find(({ path, facts }) => SPEAKERS.test(path) && ownDoc(survey, facts) !== undefined)
  const spoken = speaker && ownDoc(survey, speaker.facts)
  if (spoken !== undefined) return firstSentence(spoken)
  // A folder of one documented file is what that file is.
  const only = files.length === 1 && files[0] !== undefined ? ownDoc(survey, files[0].facts) : undefined
  return only === undefined ? undefined : firstSentence(only)
}

/** So many files that open with one comment say by it what they belong to, not what each is. */
const SHARED_BY = 3
const sharedDocs = new WeakMap<Survey, ReadonlyMap<string, number>>()

/** The comment that opens a file, where it is not one for many. */
function ownDoc(survey: Survey, { code: facts }: FileFacts): string | undefined {
  const shared = sharedDocs.get(survey) ?? countsOf(survey)
  sharedDocs.set(survey, shared)
  const doc = facts?.doc
  return doc !== undefined && (shared.get(doc) ?? 0) < SHARED_BY ? doc : undefined
}

function countsOf({ files }: Survey): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { facts } of files) {
    const doc = facts.code?.doc
    if (doc !== undefined) counts.set(doc, (counts.get(doc) ?? 0) + 1)
  }
  return counts
}

function describeContents(survey: Survey, files: readonly SurveyedFile[]): string {
  const byLanguage = new Map<string, number>()
  for (const { languageName } of files) byLanguage.set(languageName, (byLanguage.get(languageName) ?? 0) + 1)
  const languages = [...byLanguage].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const named = languages
    .slice(0, 2)
    .map(([name, files_]) =>
      name === 'Other' ? count(files_, 'other file') : `${count(files_, `${name} file`)}`,
    )
  const [top, second] = files
    .filter((file) => file.role === 'source')
    .map((file) => ({ file, dependents: survey.graph.dependents.get(file.path)?.length ?? 0 }))
    .toSorted((a, b) => b.dependents - a.dependents || (a.file.path < b.file.path ? -1 : 1))
  const most =
    top !== undefined && top.dependents > Math.max(1, second?.dependents ?? 0)
      ? `, most depended-on ${code(posix.basename(top.file.path))}`
      : ''
  const titles = files
    .filter((file) => file.facts.title !== undefined && file.role === 'documentation')
    .slice(0, 3)
  const about =
    most === '' && titles.length > 0
      ? `, such as ${enumeration(titles.map((file) => `“${prose(file.facts.title ?? '')}”`))}`
      : ''
  return `${enumeration(named)}${most}${about}`
}

/** What a file does in one sentence: its opening comment, else the doc of its main symbol, else what it holds. */
export function describeFile(survey: Survey, path: string): string {
  const file = survey.byPath.get(path)
  const facts = file?.facts.code
  const symbols = (facts?.symbols ?? []).filter(({ owner }) => owner === undefined)
  const main = file === undefined ? undefined : mainSymbol(file, symbols)
  // A comment right above the first symbol is of that symbol, which may be a helper of the one that matters.
  const isOfHelper = symbols.some((symbol) => symbol !== main && symbol.doc === facts?.doc)
  const doc = file === undefined ? undefined : ownDoc(survey, file.facts)
  if (doc !== undefined && !(isOfHelper && main !== undefined)) return prose(firstSentence(doc))
  if (main?.doc !== undefined) return `${code(main.name)}: ${prose(firstSentence(main.doc))}`
  const foreign = (facts?.symbols ?? []).filter(
    ({ owner, exported: open }) => open && owner !== undefined && !symbols.some(({ name }) => name === owner),
  )
  const exported = symbols.filter((symbol) => symbol.exported)
  const rank = (symbol: SymbolFact): number => (symbol === main ? -1 : Number(NAMES.test(symbol.kind)))
  const held = [...exported, ...foreign].toSorted((a, b) => rank(a) - rank(b) || a.line - b.line)
  // overloads are one
  const names = [
    ...new Set((held.length > 0 ? held : symbols).map(({ name, kind }) => `${kind} ${code(name)}`)),
  ]
  const shown = names.slice(0, 3)
  const rest = names.length - shown.length
  if (shown.length > 0)
    return `Holds ${rest > 0 ? `${shown.join(', ')} and ${figure(rest)} more` : enumeration(shown)}`
  if (file?.facts.title !== undefined) return `“${prose(file.facts.title)}”`
  const reexports = facts?.imports.length ?? 0
  return reexports > 0 ? `Brings together ${count(reexports, 'module')}` : `${file?.languageName ?? ''} file`
}

/** What names something tells less than what does something. */
const NAMES = /^(?:constant|variable|type|interface)$/
const TYPES = /^(?:class|struct|enum|trait|object|interface|module)$/

/**
 * The symbol that a file is about: the one that it is named for, its only export, the one that fills most of it,
 * or its one exported class.
 */
function mainSymbol({ path, facts }: SurveyedFile, symbols: readonly SymbolFact[]): SymbolFact | undefined {
  const exported = symbols.filter((symbol) => symbol.exported)
  const namesake = exported
    .filter(({ name }) => nameKey(name) === nameKey(subjectOf(path)))
    .toSorted((a, b) => Number(NAMES.test(a.kind)) - Number(NAMES.test(b.kind)) || sizeOf(b) - sizeOf(a))[0]
  if (namesake !== undefined) return namesake
  const largest = exported.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a.line - b.line)[0]
  if (largest !== undefined && (exported.length === 1 || sizeOf(largest) > facts.lines / 2)) return largest
  const classes = exported.filter(({ kind }) => kind === 'class')
  const isAlone =
    classes.length === 1 &&
    !exported.some(({ kind }) => TYPES.test(kind) && !NAMES.test(kind) && kind !== 'class')
  return isAlone && classes[0] !== undefined && sizeOf(classes[0]) > facts.lines / 4 ? classes[0] : undefined
}

const sizeOf = ({ line, end }: SymbolFact): number => end - line

const nameKey = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The name that a path gives its module: that of the folder where the file's own says nothing. */
function subjectOf(path: string): string {
  const stem = posix.basename(path).replace(/\..*$/, '')
  return /^(?:index|main|mod|lib|__init__)$/.test(stem) ? posix.basename(posix.dirname(path)) : stem
}
