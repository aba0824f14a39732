import { firstProse } from '../read-document.ts'
import { canBeInCycle } from '../analysis.ts'
import type { Analysis } from '../analysis.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import { code, list, paragraphs, prose, sentence, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { count, enumeration, figure, paths, size } from './wording.ts'

/** What the project calls itself: its main manifest's name, else the heading of its README, else the folder. */
export function projectName(survey: Survey): string {
  const named = survey.manifests.find(({ name, path }) => name !== undefined && !path.includes('/'))?.name
  const title = survey.files.find(({ path }) => /^readme(\.\w+)?$/i.test(path))?.facts.title
  // a heading that asks or tells something is none
  const isName = title !== undefined && title.split(/\s+/).length <= 5 && !/[?!:]/.test(title)
  return named ?? (isName ? title : survey.folder)
}

function readmeOf(survey: Survey): { path: string; text: string } | undefined {
  const file =
    survey.files.find(({ path }) => /^readme(\.\w+)?$/i.test(path)) ??
    survey.files.find(({ path }) => /^(\.github|docs)\/readme\.\w+$/i.test(path))
  const text = file === undefined ? undefined : firstProse(file.path, survey.source(file.path))
  return file === undefined || text === undefined ? undefined : { path: file.path, text }
}

interface LanguageRow {
  name: string
  files: number
  lines: number
  bytes: number
}

/** Languages with their sizes, the most lines first. */
function languagesOf(files: readonly SurveyedFile[]): LanguageRow[] {
  const rows = new Map<string, LanguageRow>()
  for (const { languageName, facts } of files) {
    const row = rows.get(languageName) ?? { name: languageName, files: 0, lines: 0, bytes: 0 }
    rows.set(languageName, {
      name: languageName,
      files: row.files + 1,
      lines: row.lines + facts.lines,
      bytes: row.bytes + facts.bytes,
    })
  }
  return [...rows.values()].toSorted((a, b) => b.lines - a.lines || (a.name < b.name ? -1 : 1))
}

/** Languages of the code alone, in words: `TypeScript`, `C++ and C`. */
export function mainLanguages(analysis: Analysis): string[] {
  const rows = languagesOf([...analysis.sources, ...analysis.tests])
  const lines = rows.reduce((sum, row) => sum + row.lines, 0)
  return rows
    .filter((row) => row.lines > lines * 0.1)
    .map(({ name }) => name)
    .slice(0, 3)
}

/** What the project is, by its manifests, its README and its languages. */
export function projectSection(survey: Survey): Section {
  const readme = readmeOf(survey)
  const described = survey.manifests.find(
    ({ path, description }) => !path.includes('/') && description !== undefined,
  )
  const rows = languagesOf(survey.files)
  const shown = rows.length > 12 ? rows.slice(0, 11) : rows
  const rest = rows.slice(shown.length)
  const sum = (pick: (row: LanguageRow) => number, of: LanguageRow[]): number =>
    of.reduce((total, row) => total + pick(row), 0)
  const line = ({ name, files, lines, bytes }: LanguageRow): string[] => [
    name,
    figure(files),
    figure(lines),
    size(bytes),
  ]
  const others: LanguageRow = {
    name: `${figure(rest.length)} other kinds`,
    files: sum((row) => row.files, rest),
    lines: sum((row) => row.lines, rest),
    bytes: sum((row) => row.bytes, rest),
  }
  return {
    title: 'What it is',
    body: paragraphs(
      described === undefined
        ? readme !== undefined && `From ${code(readme.path)}: ${prose(readme.text)}`
        : `${sentence(prose(described.description ?? ''))} So says ${code(described.path)}.`,
      manifestLines(survey),
      survey.leftOut.length > 0
        ? 'Size by language, without what [was left out](#what-was-left-out):'
        : 'Size by language:',
      table(
        ['Language', 'Files', 'Lines', 'Size'],
        [...shown.map(line), ...(rest.length > 0 ? [line(others)] : [])],
      ),
    ),
  }
}

function manifestLines(survey: Survey): string {
  const main = survey.manifests.filter(
    ({ path, kind }) => !path.includes('/') && !/requirements|bundle/.test(kind),
  )
  const items = main.map(({ path, kind, name, version, license }) => {
    const facts = [
      kind,
      name === undefined ? '' : code(name),
      version === undefined || !/^\d/.test(version) ? '' : `version ${prose(version)}`,
      license === undefined ? '' : `licence ${prose(license)}`,
    ].filter((part) => part !== '')
    return `${code(path)}: ${facts.join(', ')}`
  })
  const inner = survey.manifests.filter(({ path, name }) => path.includes('/') && name !== undefined)
  const byKind = new Map<string, string[]>()
  for (const { kind, path } of inner) byKind.set(kind, [...(byKind.get(kind) ?? []), path])
  const further = main.length > 0 ? 'further ' : ''
  for (const [kind, files] of byKind) {
    const many = kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`
    items.push(`${count(files.length, further + kind, further + many)}: ${paths(files, 8)}`)
  }
  return items.length === 0 ? 'No manifest of a known package manager was found at the root.' : list(items)
}

/** Two or three sentences that stand under the title of a general report. */
export function projectSummary(survey: Survey, analysis: Analysis, name: string): string {
  const languages = mainLanguages(analysis)
  const lines = analysis.sources.reduce((sum, file) => sum + file.facts.lines, 0)
  const kind = survey.manifests.find(({ path }) => !path.includes('/'))?.kind
  const folders = new Set(analysis.sources.map(({ path }) => path.split('/').slice(0, -1).join('/')))
  if (analysis.sources.length + analysis.tests.length === 0) {
    const documents = survey.files.filter((file) => file.role === 'documentation').length
    return `${code(name)} holds ${count(survey.files.length, 'file')} and no source code that can be parsed. ${documents > 0 ? `It is made of ${count(documents, 'document')}${survey.files.length > documents ? ` and ${count(survey.files.length - documents, 'other file')}` : ''}` : 'What it holds is told by kind and by folder'}.`
  }
  const first = `${code(name)} is ${kind === undefined ? 'a project' : /^[AEIOU]|^npm/.test(kind) ? `an ${kind}` : `a ${kind}`} of ${count(analysis.sources.length, 'source module')} (${figure(lines)} lines${languages.length > 0 ? `, mostly ${enumeration(languages)}` : ''}) in ${count(folders.size, 'folder')}.`
  const [top, next] = analysis.ranking
  const hubs = analysis.core.slice(0, 2).map(({ file }) => code(file.path))
  const others = figure(analysis.sources.length - 1)
  const isTied = next !== undefined && next.bySources.length === top?.bySources.length
  const most =
    top === undefined || top.bySources.length < 2
      ? ''
      : `${code(top.file.path)} is used by ${figure(top.bySources.length)} of the ${others} other modules${isTied ? '' : ', more than any other'}`
  // The standards want two or three sentences under the title: both facts share one.
  const facts = [hubs.length === 0 ? '' : `to understand it, begin with ${enumeration(hubs)}`, most].filter(
    (fact) => fact !== '',
  )
  const spoken = facts.join('; ')
  const second = spoken === '' ? '' : ` ${spoken.charAt(0).toUpperCase()}${spoken.slice(1)}.`
  const tests =
    analysis.tests.length === 0
      ? 'no tests beside it'
      : `${count(analysis.tests.length, 'test file')} beside it`
  return `${first}${second} It has ${tests}${cyclesInWords(analysis)}.`
}

/** Where some languages count for no circle, since their units see each other by design, none is not claimed. */
function cyclesInWords({ cycles, sources }: Analysis): string {
  if (cycles.length === 0) return sources.every(canBeInCycle) ? ' and no import cycle' : ''
  return ` and ${count(cycles.length, 'group of modules that import each other in a circle', 'groups of modules that import each other in circles')}`
}
