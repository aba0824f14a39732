import { peopleOf } from './commit-authors.ts'
import type { Author } from './commit-authors.ts'

/** What the commits say of one file; lines and dates are as git reports them. */
export interface FileHistory {
  commits: number
  /** Lines that these commits added and deleted; only of files that were asked for (see `line-counts.ts`). */
  lines?: { added: number; deleted: number }
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

/** One commit as `git log --name-status -z` prints it. */
export interface Commit {
  id: string
  author: Author
  /** Day, `YYYY-MM-DD`. */
  date: string
  subject: string
  isMassEdit: boolean
  changes: Change[]
}

/** What a commit did to a file: its name of then, the one before where this commit gave another, and that of now. */
interface Change {
  path: string
  before?: string
  name: string
  /** It was taken away. */
  isGone: boolean
}

/** The commits of a log, newest first. A file keeps its past over renames: its old name stands for the new one. */
export function readCommits(log: string): Commit[] {
  const commits: Commit[] = []
  const current = new Map<string, string>()
  for (const [, text] of splitLog(log)) {
    const end = text.search(/\0|\n|$/)
    const [id = '', name = '', email = '', date = '', subject = ''] = text.slice(0, end).split('\u001F')
    const changes = parseChanges(text.slice(end)).map((change): Change => {
      const { path, before } = change
      const now = current.get(path) ?? path
      if (before !== undefined) {
        current.delete(path)
        current.set(before, now)
      }
      return { ...change, name: now }
    })
    commits.push({
      id,
      author: { name, email },
      date,
      subject,
      isMassEdit: changes.length > MASS_EDIT,
      changes,
    })
  }
  return commits
}

/**
 * Change per file from commits, the newest first.
 * @param ends the commits at which a shallow clone is cut off: git shows all that they hold as added, so what they
 *   changed is unknown. Undefined: the clone is whole.
 */
export function historyOf(
  commits: readonly Commit[],
  total: number,
  ends: ReadonlySet<string> | undefined,
): History {
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

/** Counts what commits say of each file, told newest first. */
class Tally {
  readonly #newest: string
  readonly #named = new Set<string>()
  readonly #past = new Map<string, PastPath>()
  readonly #files = new Map<string, { fact: FileHistory; authors: Set<string>; recent: Set<string> }>()

  constructor(newest: string) {
    this.#newest = newest
  }

  add(commit: Commit, person: string | undefined): void {
    for (const change of commit.changes) {
      this.#remember(commit, change)
      if (!commit.isMassEdit) this.#count(commit, change, person)
    }
  }

  /** What the newest commit to name a path made of it. */
  #remember({ id, date }: Commit, { path, before, name, isGone }: Change): void {
    const told = { commit: id.slice(0, 12), date }
    if (!this.#named.has(path) && isGone) this.#past.set(path, told)
    if (before !== undefined && !this.#named.has(before)) this.#past.set(before, { ...told, to: name })
    this.#named.add(path).add(before ?? path)
  }

  #count({ date, subject }: Commit, { name }: Change, person: string | undefined): void {
    const entry = this.#files.get(name) ?? {
      fact: { commits: 0, authors: 0, recentAuthors: 0, last: date, subjects: [] },
      authors: new Set<string>(),
      recent: new Set<string>(),
    }
    this.#files.set(name, entry)
    entry.fact.commits++
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

/** The changes of one commit, each `status NUL path NUL`, and for a rename `Rnnn NUL old NUL new NUL`. */
function parseChanges(text: string): Omit<Change, 'name'>[] {
  const changes: Omit<Change, 'name'>[] = []
  const fields = text.replace(/^\0?\n?/, '').split('\0')
  for (let at = 0; at + 1 < fields.length; at++) {
    const status = fields[at] ?? ''
    const first = fields[++at] ?? ''
    const isGone = status === 'D'
    if (/^[RC]/.test(status)) {
      const path = fields[++at] ?? ''
      changes.push({ path, isGone, ...(status.startsWith('R') && { before: first }) })
    } else changes.push({ path: first, isGone })
  }
  return changes
}

function isWithinYear(date: string, newest: string): boolean {
  const year = `${Number(newest.slice(0, 4)) - 1}${newest.slice(4)}`
  return date >= year
}
