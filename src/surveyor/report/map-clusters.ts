import { posix } from 'node:path'

export interface FileEdge {
  readonly from: string
  readonly to: string
  readonly weight: number
}

/** Modules that a picture shows as one node. */
export interface Cluster {
  /** Folder of most of them, or the one module that stands for itself. */
  readonly place: string
  /** Of a part of a folder: the module that most of it has to do with. */
  readonly hub?: string
  readonly files: readonly string[]
}

interface Growing {
  place: string
  hub?: string
  files: string[]
}

/** No node stands for more than this share of the modules, unless the picture would get too many nodes. */
const LARGEST_SHARE = 0.2
/** A folder of fewer modules is never split. */
const FEW = 12
/** How much a shared folder draws two clusters together, in imports. */
const PLACE_WEIGHT = 6

/**
 * Modules in clusters: folders, of which large ones are split by who works with whom, and small ones join those
 * that they have most to do with. `alone` are shown by themselves, whatever their folder.
 */
export class ModuleClusters {
  readonly #alone: readonly Cluster[]
  readonly #neighbours: Neighbours
  #others: Growing[]

  constructor(files: readonly string[], edges: readonly FileEdge[], alone: readonly string[]) {
    this.#alone = alone.map((file): Cluster => ({ place: file, files: [file] }))
    this.#neighbours = neighboursOf(edges)
    const most = Math.max(FEW, Math.ceil(files.length * LARGEST_SHARE))
    const single = new Set(alone)
    this.#others = byFolder(files.filter((file) => !single.has(file))).flatMap((folder) =>
      folder.files.length > most
        ? split(folder, Math.ceil(folder.files.length / most) + 1, this.#neighbours, edges)
        : [folder],
    )
  }

  /** At most so many, sorted; asked with ever smaller limits. */
  upTo(limit: number): Cluster[] {
    this.#others = joined(this.#others, Math.max(1, limit - this.#alone.length), this.#neighbours)
    return [...this.#alone, ...this.#others].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  }
}

function byFolder(files: readonly string[]): Growing[] {
  const folders = new Map<string, Growing>()
  for (const file of files) {
    const place = posix.dirname(file)
    const known = folders.get(place)
    if (known === undefined) folders.set(place, { place, files: [file] })
    else known.files.push(file)
  }
  return [...folders.values()]
}

const sortKey = ({ place, hub = '' }: Cluster): string => `${place}\0${hub}`

type Neighbours = ReadonlyMap<string, ReadonlyMap<string, number>>

function neighboursOf(edges: readonly FileEdge[]): Neighbours {
  const found = new Map<string, Map<string, number>>()
  const add = (one: string, other: string): void => {
    const links = found.get(one) ?? new Map<string, number>()
    found.set(one, links.set(other, (links.get(other) ?? 0) + 1))
  }
  for (const { from, to } of edges) {
    add(from, to)
    add(to, from)
  }
  return found
}

/** The parts of a folder that work together, each named for its hub. */
function split(
  folder: Growing,
  parts: number,
  neighbours: Neighbours,
  edges: readonly FileEdge[],
): Growing[] {
  const single = folder.files.map((file): Growing => ({ place: folder.place, files: [file] }))
  return joined(single, parts, neighbours).map(({ files }) => ({
    place: folder.place,
    hub: hubOf(files, edges),
    files,
  }))
}

/** The module through which most goes: it uses others and is used, so that no mere leaf names them all. */
function hubOf(files: readonly string[], edges: readonly FileEdge[]): string {
  const inside = new Map(files.map((file) => [file, { uses: 0, usedBy: 0 }]))
  for (const { from, to } of edges) {
    const [user, used] = [inside.get(from), inside.get(to)]
    if (user === undefined || used === undefined) continue
    user.uses++
    used.usedBy++
  }
  const weight = ({ uses, usedBy }: { uses: number; usedBy: number }): number => (1 + uses) * (1 + usedBy)
  const [hub] = [...inside].toSorted(
    ([a, one], [b, other]) => weight(other) - weight(one) || (a < b ? -1 : 1),
  )
  return hub?.[0] ?? ''
}

/** Joins the smallest to the one that it has most to do with, until so many are left. */
function joined(given: readonly Growing[], wanted: number, neighbours: Neighbours): Growing[] {
  const left = new Set(given.map((one): Growing => ({ ...one, files: [...one.files] })))
  const owner = new Map([...left].flatMap((one) => one.files.map((file) => [file, one] as const)))
  const average = owner.size / wanted
  // What all places have in common draws nothing to anything.
  const common = Math.min(...given.map(({ place }) => sharedDepth(place, given[0]?.place ?? '')))
  const depths = new Map<string, number>()
  const depthOf = (one: string, other: string): number => {
    const key = `${one}\0${other}`
    const depth = depths.get(key) ?? sharedDepth(one, other) - common
    depths.set(key, depth)
    return depth
  }
  while (left.size > wanted) {
    const smallest = [...left].reduce((least, one) => (isBefore(one, least) ? one : least))
    left.delete(smallest)
    const links = new Map<Growing, number>()
    for (const file of smallest.files)
      for (const [other, count] of neighbours.get(file) ?? []) {
        const cluster = owner.get(other)
        if (cluster !== undefined && cluster !== smallest)
          links.set(cluster, (links.get(cluster) ?? 0) + count)
      }
    // What everything uses, and what is large already, would swallow the rest.
    const affinity = (one: Growing): number =>
      ((links.get(one) ?? 0) / Math.sqrt(one.files.length) +
        PLACE_WEIGHT * depthOf(smallest.place, one.place)) /
      (1 + (one.files.length / average) ** 2)
    let nearest: Growing | undefined
    let most = -1
    for (const one of left) {
      const much = affinity(one)
      if (much > most || (much === most && nearest !== undefined && isBefore(one, nearest))) {
        nearest = one
        most = much
      }
    }
    if (nearest === undefined) break
    nearest.files.push(...smallest.files)
    for (const file of smallest.files) owner.set(file, nearest)
  }
  for (const one of left) one.place = one.hub === undefined ? largestFolder(one.files) : one.place
  return [...left]
}

function largestFolder(files: readonly string[]): string {
  const [largest] = byFolder(files).toSorted(
    (a, b) => b.files.length - a.files.length || (a.place < b.place ? -1 : 1),
  )
  return largest?.place ?? '.'
}

function isBefore(one: Growing, other: Growing): boolean {
  if (one.files.length !== other.files.length) return one.files.length < other.files.length
  return (one.files[0] ?? '') < (other.files[0] ?? '')
}

function sharedDepth(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  let depth = 0
  while (depth < Math.min(a.length, b.length) && a[depth] === b[depth]) depth += 1
  return depth
}

/** Short names of clusters, each once: the last parts of their places that tell them apart. */
export function shortNames(clusters: readonly Cluster[]): string[] {
  const places = [...new Set(clusters.map(({ place }) => place))]
  const ends = new Map<string, number>()
  for (const place of places) ends.set(posix.basename(place), (ends.get(posix.basename(place)) ?? 0) + 1)
  // A last part that several share (`src`) says nothing.
  const telling = new Map(
    places.map((place) => {
      const parts = place.split('/')
      while (parts.length > 1 && (ends.get(parts.at(-1) ?? '') ?? 0) > 1) parts.pop()
      return [place, parts]
    }),
  )
  const shortest = (place: string): string => {
    const parts = telling.get(place) ?? [place]
    for (let count = 1; count < parts.length; count++) {
      const name = parts.slice(-count).join('/')
      if ([...telling].every(([other, its]) => other === place || its.slice(-count).join('/') !== name))
        return name
    }
    const whole = parts.join('/')
    return [...telling].some(([other, its]) => other !== place && its.join('/') === whole) ? place : whole
  }
  return clusters.map(({ place, hub, files }) => {
    const name = place === '.' ? 'top level' : shortest(place)
    if (hub !== undefined) return `${name}: ${posix.basename(hub).replace(/\.[^.]+$/, '')}`
    const others = new Set(files.map((file) => posix.dirname(file)))
    others.delete(place)
    return others.size > 0 && files[0] !== place ? `${name} +${others.size}` : name
  })
}
