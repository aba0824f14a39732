import { posix } from 'node:path'
import type { Analysis } from '../analysis.ts'
import { publicSymbols } from '../analysis.ts'
import type { Area, Areas } from '../areas.ts'
import type { Survey } from '../survey.ts'
import { codeLookSection } from './code-look.ts'
import { symbolTable } from './core-modules.ts'
import { describeFile } from './describe.ts'
import { excerptOf } from './excerpt.ts'
import { mapOfModules } from './module-map.ts'
import { projectName } from './project.ts'
import { count, enumeration, figure, paths } from './wording.ts'
import { code, documentOf, list, paragraphs, prose, sentence, table, type Section } from './write-markdown.ts'

/** More modules than these are more than a table shows. */
const mostModules = 60
const mostCore = 5

/** The heads of the tables by which one document is made of several. */
export const areaHead = ['Area', 'Modules', 'Lines', 'Public symbols'] as const
export const usesHead = ['Uses', 'Imports', 'Mostly'] as const
const usedByHead = ['Used by', 'Imports', 'Mostly'] as const

/** The document of one area: what lies there, how it hangs together, and what it has to do with the others. */
export function areaReport(
  survey: Survey,
  analysis: Analysis,
  { areas, links }: Areas,
  area: Area,
  made: string,
): string {
  const name = prose(projectName(survey))
  const uses = links.filter(({ from }) => from === area.id)
  const usedBy = links.filter(({ to }) => to === area.id)
  const summary = [
    `The area ${code(area.id)} of ${name} is ${foldersOf(area)}: ${count(area.files.length, 'module')} with ${count(linesOf(area), 'line')}.`,
    `It uses ${others(uses.map(({ to }) => to))} and is used by ${others(usedBy.map(({ from }) => from))}.`,
  ].join(' ')
  const sections: Section[] = [
    { title: 'Figures', body: table(areaHead, [figuresOf(survey, area)]) },
    modulesSection(survey, area),
    {
      title: 'How its modules depend on each other',
      body: mapOfModules(survey, new Set(area.files.map(({ path }) => path))),
    },
    { title: 'What it uses', body: linksTable(survey, areas, uses, usesHead, area, 'to') },
    { title: 'Who uses it', body: linksTable(survey, areas, usedBy, usedByHead, area, 'from') },
    coreSection(survey, analysis, area),
  ]
  return documentOf(`The area ${area.id} — ${name}`, summary, made, [
    ...sections,
    codeLookSection(survey, sections),
    nextSteps(analysis, area),
  ])
}

const others = (ids: readonly string[]): string =>
  ids.length === 0 ? 'no other area' : enumeration(ids.map(code))

const linesOf = ({ files }: Area): number => files.reduce((sum, { facts }) => sum + facts.lines, 0)

function foldersOf({ files }: Area): string {
  const folders = [...new Set(files.map(({ path }) => posix.dirname(path)))]
  return paths(
    folders.map((folder) => (folder === '.' ? 'the top folder' : folder)),
    4,
  )
}

function figuresOf(survey: Survey, area: Area): string[] {
  const symbols = area.files.reduce((sum, { path }) => sum + publicSymbols(survey, path).length, 0)
  return [code(area.id), figure(area.files.length), figure(linesOf(area)), figure(symbols)]
}

function modulesSection(survey: Survey, { files }: Area): Section {
  const inside = new Set(files.map(({ path }) => path))
  const dependents = (path: string): number =>
    (survey.graph.dependents.get(path) ?? []).filter((from) => survey.byPath.get(from)?.role === 'source')
      .length
  const shown = files
    .toSorted(
      (one, other) => dependents(other.path) - dependents(one.path) || (one.path < other.path ? -1 : 1),
    )
    .slice(0, mostModules)
  const rest = inside.size - shown.length
  return {
    title: 'Modules',
    body: paragraphs(
      table(
        ['Module', 'What it does', 'Lines', 'Used by modules'],
        shown.map(({ path, facts }) => [
          code(path),
          describeFile(survey, path),
          figure(facts.lines),
          figure(dependents(path)),
        ]),
      ),
      rest > 0 && `And ${count(rest, 'more module')}, which fewer modules use.`,
    ),
  }
}

function linksTable(
  survey: Survey,
  areas: Areas['areas'],
  links: Areas['links'],
  head: readonly string[],
  area: Area,
  end: 'from' | 'to',
): string {
  const own = new Set(area.files.map(({ path }) => path))
  const rows = links.map((link) => {
    const other = areas.find(({ id }) => id === link[end])
    const counts = new Map<string, number>()
    for (const { path } of end === 'to' ? area.files : (other?.files ?? []))
      for (const { to } of survey.graph.out.get(path) ?? []) {
        const isMeant = to !== undefined && (end === 'to' ? isIn(other, to) : own.has(to))
        if (isMeant) counts.set(to, (counts.get(to) ?? 0) + 1)
      }
    const most = [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([path]) => path)
    return [code(link[end]), figure(link.imports), paths(most, 3)]
  })
  return rows.length === 0 ? '' : table(head, rows)
}

const isIn = (area: Area | undefined, path: string): boolean =>
  area?.files.some((file) => file.path === path) === true

function coreSection(survey: Survey, { core }: Analysis, { files }: Area): Section {
  const inside = new Set(files.map(({ path }) => path))
  const blocks = core
    .filter(({ file }) => inside.has(file.path))
    .slice(0, mostCore)
    .map(({ file: { path } }) => {
      const symbols = publicSymbols(survey, path)
      const example = symbols.find(({ line, end }) => end - line >= 2 && end - line <= 60)
      return paragraphs(
        `### ${code(path)}`,
        sentence(describeFile(survey, path)),
        symbolTable(symbols, 8),
        example !== undefined && excerptOf(survey, path, example, 16),
      )
    })
  return { title: 'Its core', body: paragraphs(...blocks) }
}

function nextSteps({ core, hotSpots }: Analysis, { files }: Area): Section {
  const inside = new Set(files.map(({ path }) => path))
  const first = core.flatMap(({ file }) => (inside.has(file.path) ? [code(file.path)] : [])).slice(0, 3)
  const hot = hotSpots.find(({ file }) => inside.has(file.path))
  return {
    title: 'Next steps',
    body: list([
      `Read ${first.length === 0 ? code(files[0]?.path ?? '') : enumeration(first)} first`,
      ...(hot === undefined
        ? []
        : [`Expect change in ${code(hot.file.path)}: ${count(hot.history.commits, 'commit')} touched it`]),
    ]),
  }
}
