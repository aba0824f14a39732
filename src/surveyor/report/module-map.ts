import { posix } from 'node:path'
import type { Analysis } from '../analysis.ts'
import type { Survey } from '../survey.ts'
import { code, paragraphs, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { flowchart, nodeOf } from './draw-flowchart.ts'
import type { DiagramEdge } from './draw-flowchart.ts'
import { count, figure, paths } from './wording.ts'

/** Above these a picture is a hairball. */
const MOST_NODES = 25
const MOST_EDGES = 30
const MOST_FOLDER_EDGES = 28

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
  const clusters = clusterFolders(files, MOST_NODES - 3)
  const names = [...new Set(clusters.values())].toSorted()
  // A single folder of many files has no coarser picture: show the files that hold it together.
  if (names.length < 4)
    return { title, body: fileMap(mostLinked(edges, MOST_NODES - 3), edges, files.length) }
  return { title, body: paragraphs(folderMap(names, clusters, edges), insideMap(names, clusters, edges)) }
}

/** The modules of a part of the repository and what they import of each other; empty where they import nothing. */
export function mapOfModules(survey: Survey, inside: ReadonlySet<string>): string {
  const edges = fileEdges(survey, inside)
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]))
  if (edges.length === 0) return ''
  const nodes = connected.size <= MOST_NODES ? [...connected].toSorted() : mostLinked(edges, MOST_NODES - 3)
  return fileMap(nodes, edges, inside.size)
}

/** A folder that holds a great part of the modules is a single box in the picture of folders: here is its inside. */
function insideMap(
  names: readonly string[],
  clusters: ReadonlyMap<string, string>,
  edges: readonly WeightedEdge[],
): string {
  const members = (name: string): string[] =>
    [...clusters].flatMap(([path, cluster]) => (cluster === name ? [path] : []))
  const largest = names.toSorted((a, b) => members(b).length - members(a).length || (a < b ? -1 : 1))[0] ?? ''
  const own = members(largest)
  if (own.length < 8 || own.length < clusters.size * 0.25) return ''
  const within = new Set(own)
  return paragraphs(
    `### Inside ${code(largest)}`,
    fileMap(
      mostLinked(
        edges.filter(({ from, to }) => within.has(from) && within.has(to)),
        MOST_NODES - 5,
      ),
      [...edges],
      own.length,
    ),
  )
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

function folderMap(names: string[], clusters: ReadonlyMap<string, string>, all: WeightedEdge[]): string {
  const weights = new Map<string, number>()
  for (const { from, to } of all) {
    const [a, b] = [clusters.get(from) ?? '', clusters.get(to) ?? '']
    if (a !== b) weights.set(`${a}\0${b}`, (weights.get(`${a}\0${b}`) ?? 0) + 1)
  }
  const links = [...weights].map(([key, weight]) => ({
    from: key.split('\0')[0] ?? '',
    to: key.split('\0')[1] ?? '',
    weight,
  }))
  const sizes = new Map<string, number>()
  for (const cluster of clusters.values()) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1)
  const strongest = drawnLinks(links)
  const merged = [...clusters].some(([path, cluster]) => posix.dirname(path) !== cluster)
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]))
  const nodes = names.filter((name) => linked.has(name))
  const groups = groupFolders(nodes)
  const left = links.length - strongest.length
  const rows = nodes.map((name) => {
    const uses = links
      .filter(({ from }) => from === name)
      .toSorted(byWeight)
      .map(({ to }) => to)
    const usedBy = links
      .filter(({ to }) => to === name)
      .toSorted(byWeight)
      .map(({ from }) => from)
    return [code(name), figure(sizes.get(name) ?? 0), paths(uses, 4), paths(usedBy, 4)]
  })
  return paragraphs(
    `Folder by folder; an arrow means “imports”, its number how many imports cross.${merged ? ' The deepest and smallest folders are counted with the folder above them.' : ''}`,
    flowchart(
      nodes.map((name) => ({
        key: name,
        label: `${groups.get(name)?.label ?? name} · ${figure(sizes.get(name) ?? 0)}`,
        group: groups.get(name)?.group ?? '',
      })),
      strongest.map(({ from, to, weight }): DiagramEdge => ({ from, to, label: figure(weight) })),
    ),
    left > 0 &&
      `${figure(strongest.length)} of ${figure(links.length)} links are drawn: the strongest of each folder, then the strongest of those that do not follow from others.`,
    table(['Folder', 'Modules', 'Uses', 'Used by'], rows),
  )
}

/** The strongest link of each folder, so that none floats, then the strongest of what no longer way implies. */
function drawnLinks(links: readonly WeightedEdge[]): WeightedEdge[] {
  if (links.length <= MOST_FOLDER_EDGES) return links.toSorted(byWeight)
  const ends = new Set(links.flatMap(({ from, to }) => [from, to]))
  const sorted = links.toSorted(byWeight)
  const kept = new Set(
    [...ends].flatMap((end) => sorted.find(({ from, to }) => from === end || to === end) ?? []),
  )
  const implied = impliedBy(links)
  const needed = sorted.filter((link) => !implied(link))
  for (const link of [...needed, ...sorted]) if (kept.size < MOST_FOLDER_EDGES) kept.add(link)
  return sorted.filter((link) => kept.has(link))
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

/** Box and label of each folder: the box is what the folders of one top-level folder have in common. */
function groupFolders(names: readonly string[]): Map<string, { group: string; label: string }> {
  const tops = new Map<string, string[]>()
  for (const name of names)
    tops.set(name.split('/')[0] ?? name, [...(tops.get(name.split('/')[0] ?? name) ?? []), name])
  const found = new Map<string, { group: string; label: string }>()
  for (const members of tops.values()) {
    const parts = members.map((name) => name.split('/'))
    let depth = 0
    while (parts.every((part) => part.length > depth && part[depth] === parts[0]?.[depth])) depth++
    const group = members.length > 1 ? (parts[0]?.slice(0, depth).join('/') ?? '') : ''
    for (const name of members)
      found.set(name, {
        group,
        label: group === '' ? name : name.slice(group.length + 1) || posix.basename(name),
      })
  }
  return found
}

/** Assigns each file to a folder so that at most `limit` folders remain: the deepest and smallest join the one above. */
function clusterFolders(files: readonly string[], limit: number): Map<string, string> {
  const clusters = new Map<string, string[]>()
  for (const path of files)
    clusters.set(posix.dirname(path), [...(clusters.get(posix.dirname(path)) ?? []), path])
  const depthOf = (folder: string): number => (folder === '.' ? 0 : folder.split('/').length)
  // A folder joins one that is less deep, so each depth is put in order once, when all below it have joined.
  for (let depth = Math.max(0, ...[...clusters.keys()].map(depthOf)); depth > 0; depth--) {
    const level = [...clusters]
      .filter(([folder]) => depthOf(folder) === depth)
      .toSorted(([a, left], [b, right]) => left.length - right.length || (a < b ? -1 : 1))
    for (const [folder, members] of level) {
      if (clusters.size <= limit) break
      clusters.delete(folder)
      const above = posix.dirname(folder)
      clusters.set(above, [...(clusters.get(above) ?? []), ...members])
    }
  }
  return new Map([...clusters].flatMap(([folder, members]) => members.map((path) => [path, folder] as const)))
}

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
