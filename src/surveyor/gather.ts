import { existsSync, readdirSync } from 'node:fs'
import path, { posix } from 'node:path'
import { slug } from 'github-slugger'
import { readPlain } from '../platform/storage/plain-file.ts'
import { areaHead, usesHead } from './report/area-report.ts'
import { flowchart } from './report/draw-flowchart.ts'
import { count, enumeration, figure } from './report/wording.ts'
import { code, documentOf, list, paragraphs, prose, table, type Section } from './report/write-markdown.ts'

/** A document that a task made, as it lies before the one who gathers. */
export interface Part {
  readonly task: string
  /** Its path from the document that is made of it. */
  readonly file: string
  readonly text: string
}

/**
 * The documents that lie before a coordinator, and the tasks of its plan that have none.
 * @param workspace its folder: documents lie in `inputs/`, the plan in `plan.yaml`.
 */
export async function readParts(workspace: string): Promise<{
  readonly parts: readonly Part[]
  readonly missing: readonly { readonly task: string; readonly reason: string }[]
}> {
  const { parse } = await import('yaml')
  const folder = path.join(workspace, 'inputs')
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.md'))
        .toSorted()
    : []
  const parts = names.map((name) => ({
    task: name.slice(0, -3),
    file: `inputs/${name}`,
    text: readPlain(path.join(folder, name)).toString('utf8'),
  }))
  const plan = parse(readPlain(path.join(workspace, 'plan.yaml')).toString('utf8')) as {
    tasks?: { id?: string }[]
  }
  const missing = (plan.tasks ?? []).flatMap(({ id }) =>
    id === undefined || parts.some(({ task }) => task === id)
      ? []
      : [{ task: id, reason: 'it has no document' }],
  )
  return { parts, missing }
}

/** What a part says of itself. */
interface Told {
  readonly part: Part
  readonly title: string
  readonly summary: string
  readonly headings: readonly string[]
  /** Its figures, where it is the document of an area. */
  readonly area: readonly string[] | undefined
  readonly uses: readonly { readonly to: string; readonly imports: number }[]
}

/**
 * One document of several: an index, a map of how the areas depend on each other, and what each says of itself with
 * links into it. Every figure and edge is taken from the parts as they stand.
 * @param missing tasks that have no document, and why.
 */
export function gatherParts(
  goal: string,
  parts: readonly Part[],
  missing: readonly { readonly task: string; readonly reason: string }[],
): string {
  const told = parts.map(read)
  const areas = told.filter(({ area }) => area !== undefined)
  const edges = areas.flatMap(({ part, uses }) =>
    uses.map(({ to, imports }) => ({ from: part.task, to, imports })),
  )
  const sum = (column: number) =>
    areas.reduce((all, { area }) => all + Number((area?.[column] ?? '0').replaceAll(',', '')), 0)
  const summary =
    areas.length > 0
      ? `${count(areas.length, 'area')} with ${count(sum(1), 'module')} and ${count(sum(2), 'line')} make up this repository. Each has a document of its own; this one says how they hang together.`
      : `${count(told.length, 'document')} answer this. Each is linked below with what it says of itself.`
  const sections: Section[] = [
    { title: 'The parts', body: indexOf(told) },
    { title: 'How the areas depend on each other', body: mapOf(areas, edges) },
    ...(missing.length === 0
      ? []
      : [
          {
            title: 'What is missing',
            body: list(missing.map(({ task, reason }) => `${code(task)}: ${prose(reason)}`)),
          },
        ]),
    { title: 'What each says', body: paragraphs(...told.map(chapterOf)) },
    { title: 'A look at the code', body: excerptFrom(parts) },
    {
      title: 'Next steps',
      body: list([
        `Read ${linkTo(first(told, edges))}: the others depend on it most`,
        'Follow an arrow of the map into the document of the area that it leads to',
      ]),
    },
  ]
  return documentOf(
    prose(goal),
    summary,
    `Made of ${count(parts.length, 'document')} as they were proven; every figure stands in the document that it is taken from.`,
    sections,
  )
}

function read(part: Part): Told {
  const lines = part.text.split(/\r?\n/)
  const prosaic = (line: string) => line !== '' && !/^(?:#|\||-|>|`{3})/.test(line)
  const title = /^# (.+)$/m.exec(part.text)?.[1] ?? part.task
  const at = lines.findIndex((line) => line.startsWith('# '))
  const summary = lines.slice(at + 1).find(prosaic) ?? ''
  const headings = [...part.text.matchAll(/^## (.+)$/gm)].flatMap(([, heading = '']) =>
    heading === 'Contents' ? [] : [heading],
  )
  const uses = rowsUnder(lines, usesHead).map(([to = '', imports = '']) => ({
    to: to.replaceAll('`', ''),
    imports: Number(imports.replaceAll(',', '')),
  }))
  return { part, title, summary, headings, area: rowsUnder(lines, areaHead)[0], uses }
}

/** The rows of the table with this head. */
function rowsUnder(lines: readonly string[], head: readonly string[]): string[][] {
  const at = lines.indexOf(`| ${head.join(' | ')} |`)
  if (at < 0) return []
  const rows: string[][] = []
  for (const line of lines.slice(at + 2)) {
    if (!line.startsWith('| ')) break
    rows.push(line.slice(2, -2).split(' | '))
  }
  return rows
}

const linkTo = ({ part }: Told): string => `[${part.task}](${part.file})`

function indexOf(told: readonly Told[]): string {
  const areas = told.some(({ area }) => area !== undefined)
  return table(
    ['Part', ...(areas ? areaHead.slice(1) : []), 'Uses'],
    told.map((one) => [
      linkTo(one),
      ...(areas ? (one.area ?? ['', '', '', '']).slice(1) : []),
      enumeration(one.uses.map(({ to }) => code(to))),
    ]),
  )
}

function mapOf(
  areas: readonly Told[],
  edges: readonly { readonly from: string; readonly to: string; readonly imports: number }[],
): string {
  if (edges.length === 0) return ''
  return paragraphs(
    'An arrow means “imports”, its number how many imports cross.',
    flowchart(
      areas.map(({ part, area }) => ({
        key: part.task,
        label: `${part.task} · ${area?.[1] ?? ''}`,
        group: '',
      })),
      edges.map(({ from, to, imports }) => ({ from, to, label: figure(imports) })),
    ),
  )
}

function chapterOf(one: Told): string {
  const { part, title, summary, headings } = one
  return paragraphs(
    `### ${title}`,
    summary,
    list(headings.map((heading) => `[${heading}](${part.file}#${slug(heading)})`)),
  )
}

/** The first excerpt of code among the parts. */
function excerptFrom(parts: readonly Part[]): string {
  for (const { text, file } of parts) {
    const found = /^(`{3,})(?!mermaid|`)(\S+)\n[^]*?\n\1$/m.exec(text)
    if (found !== null) return paragraphs(`From [${posix.basename(file)}](${file}):`, found[0])
  }
  return ''
}

/** The part on which the others depend most. */
function first(
  told: readonly Told[],
  edges: readonly { readonly to: string; readonly imports: number }[],
): Told {
  const weight = ({ part }: Told) =>
    edges.reduce((sum, { to, imports }) => sum + (to === part.task ? imports : 0), 0)
  return told.toSorted((one, other) => weight(other) - weight(one))[0] as Told
}
