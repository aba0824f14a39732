import { posix } from 'node:path'
import type { Survey } from './survey.ts'
import type { SurveyedFile } from './surveyed-file.ts'

/** A part of the code that one team can describe: modules that lie together and use each other. */
export interface Area {
  /** Words of a-z and 0-9 joined by `-`. */
  readonly id: string
  /** The folder that holds most of it; `.` for the top. */
  readonly folder: string
  /** Its modules, sorted by path. */
  readonly files: readonly SurveyedFile[]
}

/** How many modules of one area use how many of another: pairs of files. */
interface AreaLink {
  readonly from: string
  readonly to: string
  readonly imports: number
}

export interface Areas {
  /** In the order of their names. */
  readonly areas: readonly Area[]
  /** The strongest first. */
  readonly links: readonly AreaLink[]
}

interface Cluster {
  name: string
  files: SurveyedFile[]
}

const known = new WeakMap<Survey, Areas>()

/** The areas of a repository by its module graph. The same survey gives the same areas. */
export function areasOf(survey: Survey): Areas {
  const before = known.get(survey)
  if (before !== undefined) return before
  const files = modulesOf(survey)
  const wanted = wantedFor(files.length)
  const folders = merged(survey, byFolder(files), wanted)
  const clusters = folders.length < Math.min(wanted, 3) ? byHubs(survey, folders, wanted) : folders
  const areas = named(clusters).toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const found = { areas, links: linksBetween(survey, areas) }
  known.set(survey, found)
  return found
}

/** The area that a mission is about; undefined where it is about none, or the code has no such area. */
export function areaOf(survey: Survey, { area }: { readonly area?: string | undefined }): Area | undefined {
  return area === undefined ? undefined : areasOf(survey).areas.find(({ id }) => id === area)
}

function modulesOf(survey: Survey): SurveyedFile[] {
  const code = survey.files.filter(({ facts }) => facts.code !== undefined)
  const sources = code.filter(({ role }) => role === 'source')
  return sources.length > 0 ? sources : code
}

/** More areas than this are more than a reader keeps apart, and each costs a team. */
const mostAreas = 4

function wantedFor(modules: number): number {
  if (modules < 12) return modules < 6 ? 1 : 2
  return Math.min(mostAreas, Math.max(3, Math.round(Math.log2(modules)) - 3))
}

function byFolder(files: readonly SurveyedFile[]): Cluster[] {
  const found = new Map<string, SurveyedFile[]>()
  for (const file of files) {
    const folder = posix.dirname(file.path)
    found.set(folder, [...(found.get(folder) ?? []), file])
  }
  return [...found].map(([name, members]) => ({ name, files: members }))
}

/** How much two folders have in common by their place: for each shared folder as much as for some imports. */
const placeWeight = 10

function sharedDepth(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  let depth = 0
  while (depth < Math.min(a.length, b.length) && a[depth] === b[depth]) depth += 1
  return depth
}

/** Joins the smallest cluster to the one that it has most to do with, until so many are left. */
function merged(survey: Survey, given: readonly Cluster[], wanted: number): Cluster[] {
  const clusters = given.map(({ name, files }) => ({ name, files: [...files] }))
  const whole = clusters.reduce((sum, { files }) => sum + files.length, 0)
  const clusterOf = new Map(clusters.flatMap((one) => one.files.map((file) => [file.path, one] as const)))
  while (clusters.length > wanted) {
    const smallest = clusters.reduce((least, one) =>
      one.files.length < least.files.length ||
      (one.files.length === least.files.length && one.name > least.name)
        ? one
        : least,
    )
    const links = new Map<Cluster, number>()
    for (const { path } of smallest.files) {
      const ends = [
        ...(survey.graph.out.get(path) ?? []).flatMap(({ to }) => to ?? []),
        ...(survey.graph.dependents.get(path) ?? []),
      ]
      for (const end of ends) {
        const other = clusterOf.get(end)
        if (other !== undefined && other !== smallest) links.set(other, (links.get(other) ?? 0) + 1)
      }
    }
    // what everything uses, and what is large already, would swallow the rest
    const affinity = (other: Cluster) =>
      ((links.get(other) ?? 0) / Math.sqrt(other.files.length) +
        placeWeight * sharedDepth(smallest.name, other.name)) /
      (1 + (other.files.length * wanted) / whole)
    const nearest = clusters
      .filter((one) => one !== smallest)
      .toSorted(
        (one, other) => affinity(other) - affinity(one) || (one.name < other.name ? -1 : 1),
      )[0] as Cluster
    if (smallest.files.length > nearest.files.length) nearest.name = smallest.name
    nearest.files.push(...smallest.files)
    for (const { path } of smallest.files) clusterOf.set(path, nearest)
    clusters.splice(clusters.indexOf(smallest), 1)
  }
  return clusters
}

/** Splits what lies in one folder by its modules with the most links: each other one joins the nearest of them. */
function byHubs(survey: Survey, clusters: readonly Cluster[], wanted: number): Cluster[] {
  const [largest, ...others] = clusters.toSorted((one, other) => other.files.length - one.files.length)
  const parts = wanted - others.length
  if (largest === undefined || parts < 2 || largest.files.length < 2 * parts) return [...clusters]
  const inside = new Map(largest.files.map((file) => [file.path, file]))
  const next = (path: string): string[] =>
    [
      ...(survey.graph.out.get(path) ?? []).flatMap(({ to }) => to ?? []),
      ...(survey.graph.dependents.get(path) ?? []),
    ].filter((end) => inside.has(end))
  const hubs: string[] = []
  const ranked = [...inside.keys()].toSorted(
    (one, other) => next(other).length - next(one).length || (one < other ? -1 : 1),
  )
  // two that use each other are one hub
  for (const path of [...ranked, ...ranked])
    if (
      hubs.length < parts &&
      !hubs.includes(path) &&
      !(hubs.length < ranked.length / 2 && hubs.some((hub) => next(hub).includes(path)))
    )
      hubs.push(path)
  const owner = new Map(hubs.map((hub) => [hub, hub]))
  // what is added meanwhile is looked at as well: the nearest come first
  for (const [path, hub] of owner) for (const end of next(path)) if (!owner.has(end)) owner.set(end, hub)
  const found = new Map(hubs.map((hub): [string, Cluster] => [hub, { name: stemOf(hub), files: [] }]))
  const first = hubs[0] ?? ''
  for (const [path, file] of inside) found.get(owner.get(path) ?? first)?.files.push(file)
  return [...found.values(), ...others]
}

const stemOf = (path: string): string => path.replace(/\.[^./]+$/, '')

/** An id stays short: a team's name holds it. */
const longestId = 24

function named(clusters: readonly Cluster[]): Area[] {
  const taken = new Set<string>()
  return clusters
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, files }) => {
      const words = name
        .toLowerCase()
        .split('/')
        .map((part) => (part.match(/[a-z0-9]+/g) ?? []).join('-'))
        .filter((part) => part !== '')
      // the folders nearest to the code say most
      let id = words.at(-1) ?? 'top'
      for (const part of words.slice(0, -1).toReversed()) {
        if (!taken.has(id) && id.length > 3) break
        id = `${part}-${id}`
      }
      id = id.slice(0, longestId).replace(/-$/, '')
      let unique = id
      for (let number = 2; taken.has(unique); number += 1) unique = `${id}-${number}`
      taken.add(unique)
      const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
      return { id: unique, folder: commonFolder(sorted.map(({ path }) => path)), files: sorted }
    })
}

function commonFolder(paths: readonly string[]): string {
  const [first = '.', ...others] = paths.map((path) => posix.dirname(path))
  const depth = others.reduce(
    (least, one) => Math.min(least, sharedDepth(first, one)),
    first.split('/').length,
  )
  return first.split('/').slice(0, depth).join('/') || '.'
}

function linksBetween(survey: Survey, areas: readonly Area[]): AreaLink[] {
  const idOf = new Map(areas.flatMap(({ id, files }) => files.map(({ path }) => [path, id] as const)))
  const found = new Map<string, { from: string; to: string; imports: number }>()
  for (const [path, from] of idOf)
    for (const { to: end } of survey.graph.out.get(path) ?? []) {
      const to = end === undefined ? undefined : idOf.get(end)
      if (to === undefined || to === from) continue
      const link = found.get(`${from} ${to}`) ?? { from, to, imports: 0 }
      link.imports += 1
      found.set(`${from} ${to}`, link)
    }
  return [...found.values()].toSorted(
    (one, other) =>
      other.imports - one.imports || (`${one.from} ${one.to}` < `${other.from} ${other.to}` ? -1 : 1),
  )
}
