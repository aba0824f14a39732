import { posix } from 'node:path'
import type { PastPath } from '../commit-history.ts'
import { COMMON_NAME } from './code-spans.ts'

/** The paths that there are, and those that there were, asked as people write them. */
export class PathIndex {
  #names: ReadonlyMap<string, readonly string[]> | undefined
  readonly #entries: ReadonlySet<string>
  readonly #paths = new Set<string>()
  readonly #past: Readonly<Record<string, PastPath>>
  readonly #pastFolders = new Map<string, string[]>()

  constructor(paths: readonly string[], past: Readonly<Record<string, PastPath>>) {
    this.#past = past
    this.#entries = new Set(paths)
    for (const path of paths)
      for (let at: string = path; at !== '.' && !this.#paths.has(at); at = posix.dirname(at))
        this.#paths.add(at)
    for (const path of Object.keys(past))
      for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at))
        append(this.#pastFolders, at, path)
  }

  /** The paths by their base name, with its extension and without. */
  get #byName(): ReadonlyMap<string, readonly string[]> {
    if (this.#names !== undefined) return this.#names
    const names = new Map<string, string[]>()
    for (const path of this.#paths)
      for (const name of new Set([posix.basename(path), stemOf(posix.basename(path))]))
        append(names, name, path)
    return (this.#names = names)
  }

  /** What lies behind a symbolic link or in a submodule counts as there. */
  has(path: string): boolean {
    if (path === '.' || this.#paths.has(path)) return true
    for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at))
      if (this.#entries.has(at)) return true
    return false
  }

  /** Whether a written path may mean something that is there: whole, as the end of a path, or without its extension. */
  mayMean(document: string, written: string): boolean {
    const path = posix.normalize(written).replace(/\/$/, '')
    const [first = '', ...rest] = path.replace(/^(?:\.\.\/)+/, '').split('/')
    const ends = [[first, ...rest].join('/'), rest.join('/')].filter((end) => end !== '')
    return (
      this.placesOf(document, path).some((place) => this.has(place)) ||
      ends.some((end, at) =>
        (this.#byName.get(posix.basename(end)) ?? []).some((found) =>
          [found, stemOf(found)].some((known) => known === end || (at === 0 && known.endsWith(`/${end}`))),
        ),
      )
    )
  }

  /** Where a path in a document may start: at the document, at a folder above it, or at the top. */
  placesOf(document: string, written: string): string[] {
    const found: string[] = []
    for (let folder = posix.dirname(document); ; folder = posix.dirname(folder)) {
      found.push(posix.normalize(posix.join(folder, written)).replace(/\/$/, ''))
      if (folder === '.') break
    }
    return found.filter((path) => !/^(?:\.\.?)?(?:\/|$)/.test(path))
  }

  /** What the history says of a path that is gone; undefined where it knows of none. */
  pastOf(path: string): (PastPath & { isFolder?: true }) | undefined {
    if (this.has(path)) return undefined
    const past = this.#past[path]
    if (past === undefined) return this.#pastFolder(path)
    const { commit, date, to } = past
    return to === undefined || !this.has(to) ? { commit, date } : past
  }

  /** The one path of the past with a base name that no file has now. */
  pastNamesake(name: string): string | undefined {
    if (this.#byName.has(name)) return undefined
    const found = Object.keys(this.#past).filter((path) => path === name || path.endsWith(`/${name}`))
    return found.length === 1 ? found[0] : undefined
  }

  /** A folder is gone with the last of its files, and went where most of them went. */
  #pastFolder(folder: string): (PastPath & { isFolder: true }) | undefined {
    const members = this.#pastFolders.get(folder) ?? []
    const facts = members.flatMap((path) => this.#past[path] ?? [])
    const newest = facts.toSorted((a, b) => (a.date < b.date ? 1 : -1))[0]
    if (newest === undefined) return undefined
    const goals = new Map<string, number>()
    for (const [at, { to }] of facts.entries()) {
      const tail = (members[at] ?? '').slice(folder.length)
      if (to === undefined || !this.has(to) || !to.endsWith(tail)) continue
      const goal = to.slice(0, -tail.length)
      goals.set(goal, (goals.get(goal) ?? 0) + 1)
    }
    const [best] = [...goals].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    const to = best !== undefined && best[1] * 2 > facts.length ? best[0] : undefined
    return { commit: newest.commit, date: newest.date, isFolder: true, ...(to === undefined ? {} : { to }) }
  }

  /** The files with the base name of a path that is gone, at most three; none where the name says little. */
  namesakes(path: string): string[] {
    const name = posix.basename(path)
    if (COMMON_NAME.test(name)) return []
    const found = (this.#byName.get(name) ?? []).filter(
      (one) => posix.basename(one) === name && this.#entries.has(one),
    )
    return found.length > 3 ? [] : found.toSorted()
  }
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

const stemOf = (path: string): string => path.replace(/(?<=[^/])\.[^./]+$/, '')
