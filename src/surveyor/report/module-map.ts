import { posix } from 'node:path'
import type { Analysis } from '../analysis.ts'
import type { Survey } from '../survey.ts'
import { code, paragraphs, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { flowchart, nodeOf } from './draw-flowchart.ts'
import type { DiagramEdge, DiagramNode } from './draw-flowchart.ts'
import { sourceOf } from './entry-sources.ts'
import { ModuleClusters, shortNames } from './map-clusters.ts'
import type { Cluster } from './map-clusters.ts'
import { widthOf } from './picture-width.ts'
import { count, figure, paths } from './wording.ts'

/** Above these a picture is a hairball. */
const MOST_NODES = 25
const MOST_EDGES = 30
/** Arrows for each box in a picture of folders, and less where it gets too wide. */
const LINKS_EACH = [1.4, 1.3, 1.2, 1.1, 1]

/** Room for a picture in pixels, at which text of 14 is at least 11 when the page has 900. */
const ROOM = 1_100
/** Fewer nodes than these would say nothing. */
const FEWEST_NODES = 8
/** Entries that are shown by themselves. */
const MOST_ENTRIES = 4

interface WeightedEdge {
  from: string
  to: string
  weight: number
  /** It is gone when the code runs. */
  isType?: boolean
}

/** The modules and what they import: file by file where that can be read, else by folder. */
export function moduleMap(survey: Survey, analysis: Analysis): Section {
  const title = 'How the modules depend on each other'
  const files = analysis.sources.map((file) => file.path)
  const edges = fileEdges(survey, new Set(files))
  if (edges.length === 0)
    return {
      title,
      body:
        files.length > 1
          ? `No import between the ${figure(files.length)} modules could be resolved within the repository.`
          : '',
    }
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]))
  if (connected.size <= MOST_NODES)
    return { title, body: fileMap([...connected].toSorted(), edges, files.length) }
  // A single folder of a few files has no coarser picture: show the files that hold it together.
  const folders = new Set(files.map((file) => posix.dirname(file)))
  if (folders.size < 4 && files.length < 3 * MOST_NODES)
    return { title, body: fileMap(mostLinked(edges, MOST_NODES - 3), edges, files.length) }
  return { title, body: clusterMap(survey, analysis, files, edges) }
}

/** The largest picture that can be read: fewer nodes where it gets too wide. */
function clusterMap(
  survey: Survey,
  analysis: Analysis,
  files: readonly string[],
  edges: readonly WeightedEdge[],
): string {
  const alone = entriesOf(survey, analysis, new Set(edges.map(({ from }) => from)))
  const clusters = new ModuleClusters(files, edges, alone)
  let drawing: Drawing | undefined
  for (let limit = MOST_NODES - 3; limit >= FEWEST_NODES; limit--) {
    const found = clusters.upTo(limit)
    const links = linksBetween(found, edges)
    for (const linksEach of LINKS_EACH) {
      drawing = drawingOf(found, links, linksEach)
      if (widthOf(drawing.nodes, drawing.edges) <= ROOM) return clusterText(drawing)
    }
  }
  return drawing === undefined ? '' : clusterText(drawing)
}

/** The modules with which the project's own programs begin, where they are few. */
function entriesOf(survey: Survey, analysis: Analysis, importing: ReadonlySet<string>): string[] {
  const commands = new Set(
    survey.manifests.flatMap(({ path, entries }) =>
      entries.flatMap((entry) =>
        entry.what.startsWith('command') ? (sourceOf(survey, path, entry) ?? []) : [],
      ),
    ),
  )
  const found = analysis.sources
    .filter(({ path, facts }) => commands.has(path) || facts.code?.entry !== undefined)
    .map(({ path }) => path)
    .filter((path) => importing.has(path))
  return found.length <= MOST_ENTRIES
    ? found
    : found.filter((path) => commands.has(path)).slice(0, MOST_ENTRIES)
}

/** The modules of a part of the repository and what they import of each other; empty where they import nothing. */
export function mapOfModules(survey: Survey, inside: ReadonlySet<string>): string {
  const edges = fileEdges(survey, inside)
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]))
  if (edges.length === 0) return ''
  const nodes = connected.size <= MOST_NODES ? [...connected].toSorted() : mostLinked(edges, MOST_NODES - 3)
  return fileMap(nodes, edges, inside.size)
}

/** The files with the most links, sorted by path. */
function mostLinked(edges: readonly WeightedEdge[], limit: number): string[] {
  const degree = new Map<string, number>()
  for (const { from, to } of edges)
    for (const end of [from, to]) degree.set(end, (degree.get(end) ?? 0) + (end === to ? 2 : 1))
  return [...degree]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([path]) => path)
    .toSorted()
}

function fileEdges(survey: Survey, inside: ReadonlySet<string>): WeightedEdge[] {
  return [...inside].flatMap((from) =>
    (survey.graph.out.get(from) ?? []).flatMap(({ to, names, mode }) =>
      to !== undefined && inside.has(to)
        ? [{ from, to, weight: 1 + (names?.length ?? 0), isType: mode === 'type' }]
        : [],
    ),
  )
}

function fileMap(nodes: string[], all: WeightedEdge[], total: number): string {
  const shown = new Set(nodes)
  const among = all.filter(({ from, to }) => shown.has(from) && shown.has(to))
  const { edges, left } = readable(among)
  const some = nodes.length < total
  return paragraphs(
    some
      ? `An arrow means “uses”. Shown are ${figure(nodes.length)} of ${figure(total)} modules, those with the most links.`
      : 'An arrow means “uses”.',
    flowchart(
      nodes.map((path) => nodeOf(path)),
      edges,
    ),
    left > 0 &&
      `For a picture that can be read, ${count(left, 'arrow')} ${left === 1 ? 'is' : 'are'} left out, first those of types alone and those that follow from the others.`,
  )
}

interface Drawing {
  clusters: Cluster[]
  nodes: DiagramNode[]
  /** All links between clusters by their keys, and those that are drawn. */
  links: WeightedEdge[]
  edges: DiagramEdge[]
}

/** How many imports lead from one cluster to another, the strongest first. */
function linksBetween(clusters: readonly Cluster[], all: readonly WeightedEdge[]): WeightedEdge[] {
  const clusterOf = new Map(clusters.flatMap((one) => one.files.map((file) => [file, keyOf(one)] as const)))
  const links = new Map<string, WeightedEdge>()
  for (const { from, to } of all) {
    const [a, b] = [clusterOf.get(from) ?? '', clusterOf.get(to) ?? '']
    if (a === b) continue
    const key = `${a}\0${b}`
    const known = links.get(key)
    if (known === undefined) links.set(key, { from: a, to: b, weight: 1 })
    else known.weight++
  }
  return [...links.values()].toSorted(byWeight)
}

function drawingOf(found: readonly Cluster[], links: WeightedEdge[], linksEach: number): Drawing {
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]))
  const clusters = found.filter((one) => linked.has(keyOf(one)))
  const isEntry = new Set(clusters.filter(isSingle).map(keyOf))
  const names = shortNames(clusters)
  const drawn = drawnLinks(links, isEntry, linksEach * clusters.length)
  // The quarter of the arrows that carry most.
  const strong = drawn[Math.floor(drawn.length / 4)]?.weight ?? 0
  return {
    clusters,
    nodes: clusters.map((one, at) => ({
      key: keyOf(one),
      label: isSingle(one) ? (names[at] ?? '') : `${names[at] ?? ''} · ${figure(one.files.length)}`,
      group: '',
      marked: isSingle(one),
    })),
    links,
    edges: drawn.map(({ from, to, weight }) => ({ from, to, strong: weight > strong })),
  }
}

const keyOf = ({ place, hub = '' }: Cluster): string => `${place}\0${hub}`
const isSingle = ({ place, files }: Cluster): boolean => files[0] === place

function clusterText({ clusters, nodes, links, edges }: Drawing): string {
  const labels = new Map(nodes.map(({ key, label }) => [key, label.replace(/ · [\d,]+$/, '')]))
  const least = Math.min(
    ...links.slice(0, edges.filter(({ strong }) => strong).length).map(({ weight }) => weight),
  )
  const name = (key: string): string => code(labels.get(key) ?? '')
  const rows = clusters.map((one) => {
    const key = keyOf(one)
    const uses = links
      .filter(({ from }) => from === key)
      .map(({ to, weight }) => `${name(to)} (${figure(weight)})`)
    const usedBy = links.filter(({ to }) => to === key).map(({ from }) => name(from))
    return [name(key), contentOf(one), figure(one.files.length), shortList(uses), shortList(usedBy)]
  })
  const left = links.length - edges.length
  return paragraphs(
    `Each box is a folder with the number of its modules, \`+\` so many other folders that are too small to be drawn alone; a large folder is shown in parts, each named for its busiest module. An arrow means “imports”${Number.isFinite(least) ? `, a thick one ${figure(least)} imports and more` : ''}.${nodes.some(({ marked }) => marked === true) ? ' A thick border marks where a program begins.' : ''}`,
    flowchart(nodes, edges),
    left > 0 &&
      `${figure(edges.length)} of ${figure(links.length)} links are drawn: the strongest of each box, then the strongest of those that do not follow from others.`,
    table(['Box', 'What it holds', 'Modules', 'Uses (imports)', 'Used by'], rows),
  )
}

const shortList = (items: readonly string[]): string =>
  items.length <= 4
    ? items.join(', ')
    : `${items.slice(0, 4).join(', ')} and ${figure(items.length - 4)} more`

/** The folders of a cluster, the largest first; of a part of a folder its busiest module. */
function contentOf(cluster: Cluster): string {
  if (isSingle(cluster)) return code(cluster.place)
  if (cluster.hub !== undefined)
    return `part of ${code(cluster.place)} around ${code(posix.basename(cluster.hub))}`
  const counts = new Map<string, number>()
  for (const file of cluster.files)
    counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1)
  const folders = [...counts]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([folder]) => folder)
  return paths(folders, 4)
}

/**
 * What an entry runs and the strongest link of each box, so that none floats, then the strongest of what no longer
 * way implies.
 */
function drawnLinks(
  links: readonly WeightedEdge[],
  isEntry: ReadonlySet<string>,
  most: number,
): WeightedEdge[] {
  const ends = new Set(links.flatMap(({ from, to }) => [from, to]))
  const kept = new Set([
    ...links.filter(({ from }) => isEntry.has(from)).slice(0, MOST_NODES / 4),
    ...[...ends].flatMap((end) => links.find(({ from, to }) => from === end || to === end) ?? []),
  ])
  for (const link of neededFirst(links)) if (kept.size < most) kept.add(link)
  return links.filter((link) => kept.has(link))
}

const ordered = new WeakMap<readonly WeightedEdge[], readonly WeightedEdge[]>()

/** Links that no longer way implies, then all; found once for a list, of which several pictures may be tried. */
function neededFirst(links: readonly WeightedEdge[]): readonly WeightedEdge[] {
  const known = ordered.get(links)
  if (known !== undefined) return known
  const implied = impliedBy(links)
  const found = [...links.filter((link) => !implied(link)), ...links]
  ordered.set(links, found)
  return found
}

/** Whether a longer way leads where a link leads. */
function impliedBy(edges: readonly WeightedEdge[]): (edge: WeightedEdge) => boolean {
  const next = new Map<string, string[]>()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  return (edge) => {
    const seen = new Set<string>([edge.from])
    const queue = (next.get(edge.from) ?? []).filter((to) => to !== edge.to)
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      if (node === edge.to) return true
      if (seen.has(node)) continue
      seen.add(node)
      queue.push(...(next.get(node) ?? []))
    }
    return false
  }
}

const byWeight = (a: WeightedEdge, b: WeightedEdge): number =>
  b.weight - a.weight || (`${a.from}\0${a.to}` < `${b.from}\0${b.to}` ? -1 : 1)

/** Few enough arrows to follow: those of types go first, then those that a longer way implies, then the weakest. */
export function readable(all: readonly WeightedEdge[]): { edges: WeightedEdge[]; left: number } {
  const ends = new Set(all.flatMap(({ from, to }) => [from, to]))
  const most = Math.min(MOST_EDGES, Math.max(20, 2 * ends.size))
  if (all.length <= most) return { edges: [...all], left: 0 }
  const edges = all.filter(({ isType }) => isType !== true)
  if (edges.length <= most) return { edges, left: all.length - edges.length }
  const implied = impliedBy(edges)
  const needed = edges.filter((edge) => !implied(edge))
  // Inside a cycle every arrow implies every other; then weight alone decides.
  const base =
    needed.length >= most / 2
      ? needed
      : [...needed, ...edges.filter((edge) => !needed.includes(edge)).toSorted(byWeight)]
  const strong = all.toSorted(byWeight)
  // No module floats: the strongest arrow of each is always there.
  const kept = new Set(
    [...ends].flatMap(
      (end) =>
        base.toSorted(byWeight).find(({ from, to }) => from === end || to === end) ??
        strong.find(({ from, to }) => from === end || to === end) ??
        [],
    ),
  )
  for (const edge of base === needed ? base.toSorted(byWeight) : base) if (kept.size < most) kept.add(edge)
  return { edges: all.filter((edge) => kept.has(edge)), left: all.length - kept.size }
}
