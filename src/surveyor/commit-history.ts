import { peopleOf } from './commit-authors.ts'
import type { Author } from './commit-authors.ts'

/** What the commits say of one file; lines and dates are as git reports them. */
export interface FileHistory {
  commits: number
  added: number
  deleted: number
  /** Number of distinct authors. */
  authors: number
  /** Number of distinct authors in the year before the newest commit. */
  recentAuthors: number
  /** Day of the last change, `YYYY-MM-DD`. */
  last: string
  /** Subjects of the newest commits that changed it, newest first, at most three. */
  subjects: string[]
}

export interface History {
  /** Number of commits that were read. */
  read: number
  /** Number of commits that there are. */
  total: number
  /** Day of the oldest commit that was read, `YYYY-MM-DD`. */
  first: string
  /** Day of the newest commit, `YYYY-MM-DD`. */
  last: string
  /** Whether the clone is shallow: older commits are missing. */
  shallow: boolean
  /** Number of distinct authors of the commits that were read. */
  authors: number
  /** Whether lines were counted: git needs the contents of old files for it, which a partial clone lacks. */
  counted: boolean
  /** By path. */
  files: Record<string, FileHistory>
  /** Paths that the newest commit to name them took away or renamed. */
  past: Record<string, PastPath>
}

/** The last that the commits say of a path which is no longer there. */
export interface PastPath {
  /** The newest commit that names it, and its day, `YYYY-MM-DD`. */
  commit: string
  date: string
  /** What it was renamed to, over all later renames. */
  to?: string
}

/** A commit that changes more files is a mass edit (formatting, licences), and counts for no file. */
const MASS_EDIT = 150

/**
 * Change per file from the output of `git log -z` as `history-log.ts` reads it, newest commit first. A file keeps
 * its past over renames: older commits that name the old path count for the new one.
 * @param ends the commits at which a shallow clone is cut off: git shows all that they hold as added, so what they
 *   changed is unknown. Undefined: the clone is whole.
 */
export function parseHistory(
  log: string,
  total: number,
  ends: ReadonlySet<string> | undefined,
  counted = true,
): History {
  const commits = splitLog(log).map(([, text]) => parseCommit(text))
  const personOf = peopleOf(commits.map(({ author }) => author))
  const newest = commits[0]?.date ?? ''
  const tally = new Tally(newest)
  const authors = new Set<string>()
  for (const commit of commits) {
    const person = personOf(commit.author)
    if (person !== undefined) authors.add(person)
    if (ends?.has(commit.id) !== true) tally.add(commit, person)
  }
  return {
    read: commits.length,
    total,
    first: commits.at(-1)?.date ?? '',
    last: newest,
    shallow: ends !== undefined,
    authors: authors.size,
    counted,
    ...tally.result(),
  }
}

/**
 * Splits a log into commits. A part without an id belongs to the commit before: its subject has the
 * separator.
 */
export function splitLog(log: string): [id: string, text: string][] {
  const commits: [string, string][] = []
  for (const part of log.split('\u0001').slice(1)) {
    const id = part.split('\u001F', 1).find((field) => /^[0-9a-f]{40,64}$/.test(field))
    const last = commits.at(-1)
    if (id !== undefined) commits.push([id, part])
    else if (last !== undefined) last[1] += `\u0001${part}`
  }
  return commits
}

interface Commit {
  id: string
  author: Author
  /** Day, `YYYY-MM-DD`. */
  date: string
  subject: string
  changes: Change[]
}

function parseCommit(text: string): Commit {
  const end = text.search(/\0|\n|$/)
  const [id = '', name = '', email = '', date = '', subject = ''] = text.slice(0, end).split('\u001F')
  return { id, author: { name, email }, date, subject, changes: parseChanges(text.slice(end)) }
}

/** Counts what commits say of each file, told newest first. */
class Tally {
  readonly #newest: string
  readonly #current = new Map<string, string>()
  readonly #named = new Set<string>()
  readonly #past = new Map<string, PastPath>()
  readonly #files = new Map<string, { fact: FileHistory; authors: Set<string>; recent: Set<string> }>()

  constructor(newest: string) {
    this.#newest = newest
  }

  add(commit: Commit, person: string | undefined): void {
    const isMassEdit = commit.changes.length > MASS_EDIT
    for (const change of commit.changes) {
      const name = this.#current.get(change.path) ?? change.path
      this.#remember(commit, change, name)
      if (change.before !== undefined) {
        this.#current.delete(change.path)
        this.#current.set(change.before, name)
      }
      if (!isMassEdit) this.#count(commit, change, name, person)
    }
  }

  /** What the newest commit to name a path made of it, if it may have taken it away. */
  #remember({ id, date }: Commit, { path, before, mayBeGone }: Change, name: string): void {
    if (!this.#named.has(path) && mayBeGone) this.#past.set(path, { commit: id.slice(0, 12), date })
    if (before !== undefined && !this.#named.has(before))
      this.#past.set(before, { commit: id.slice(0, 12), date, to: name })
    this.#named.add(path).add(before ?? path)
  }

  #count({ date, subject }: Commit, change: Change, name: string, person: string | undefined): void {
    const entry = this.#files.get(name) ?? {
      fact: { commits: 0, added: 0, deleted: 0, authors: 0, recentAuthors: 0, last: date, subjects: [] },
      authors: new Set<string>(),
      recent: new Set<string>(),
    }
    this.#files.set(name, entry)
    entry.fact.commits++
    entry.fact.added += change.added
    entry.fact.deleted += change.deleted
    if (entry.fact.subjects.length < 3) entry.fact.subjects.push(subject)
    if (person === undefined) return
    entry.authors.add(person)
    if (isWithinYear(date, this.#newest)) entry.recent.add(person)
  }

  result(): Pick<History, 'files' | 'past'> {
    // a file may be named `constructor`
    const files: Record<string, FileHistory> = Object.create(null)
    for (const [path, { fact, authors, recent }] of this.#files)
      files[path] = { ...fact, authors: authors.size, recentAuthors: recent.size }
    const past: Record<string, PastPath> = Object.create(null)
    for (const [path, fact] of this.#past) past[path] = fact
    return { files, past }
  }
}

interface Change {
  path: string
  before?: string
  added: number
  deleted: number
  /** Nothing was added: the file may have been taken away. */
  mayBeGone: boolean
}

/**
 * The changes of one commit, each `added TAB deleted TAB path NUL`, for a rename `added TAB deleted TAB NUL
 * old NUL new NUL`; where git did not count lines `status NUL path NUL` or `R100 NUL old NUL new NUL`.
 */
function parseChanges(text: string): Change[] {
  const changes: Change[] = []
  const fields = text.split('\0')
  for (let at = 0; at < fields.length; at++) {
    const [, added, deleted, path] = /^\n?(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? '') ?? []
    if (added === undefined || deleted === undefined || path === undefined) {
      const status = (fields[at] ?? '').replace(/^\n/, '')
      if (status === '') continue
      const isRename = /^[RC]\d+$/.test(status)
      const name = fields[at + (isRename ? 2 : 1)] ?? ''
      const before = status.startsWith('R') ? { before: fields[at + 1] ?? '' } : {}
      changes.push({ path: name, ...before, added: 0, deleted: 0, mayBeGone: status === 'D' })
      at += isRename ? 2 : 1
      continue
    }
    // Binary files have `-`.
    const counts = {
      added: Number(added) || 0,
      deleted: Number(deleted) || 0,
      mayBeGone: !(Number(added) > 0),
    }
    if (path !== '') changes.push({ path, ...counts })
    else {
      changes.push({ path: fields[at + 2] ?? '', before: fields[at + 1] ?? '', ...counts })
      at += 2
    }
  }
  return changes
}

function isWithinYear(date: string, newest: string): boolean {
  const year = `${Number(newest.slice(0, 4)) - 1}${newest.slice(4)}`
  return date >= year
}
