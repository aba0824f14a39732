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
  /** By path. */
  files: Record<string, FileHistory>
}

/** A commit that changes more files is a mass edit (formatting, licences), and counts for no file. */
const MASS_EDIT = 150

/**
 * Change per file from the output of `git log --numstat -z` as `history-log.ts` reads it, newest commit
 * first. A file keeps its past over renames: older commits that name the old path count for the new one.
 */
export function parseHistory(log: string, total: number, shallow: boolean): History {
  const current = new Map<string, string>()
  const files = new Map<string, { fact: FileHistory; authors: Set<string>; recent: Set<string> }>()
  const authors = new Set<string>()
  const commits = log.split('\u0001').slice(1)
  let newest = ''
  let oldest = ''
  for (const commit of commits) {
    const end = commit.search(/\0|\n|$/)
    const [, author = '', date = '', subject = ''] = commit.slice(0, end).split('\u001F')
    newest ||= date
    oldest = date
    authors.add(author)
    const changes = parseChanges(commit.slice(end))
    const isMassEdit = changes.length > MASS_EDIT
    for (const { path, before, added, deleted } of changes) {
      const name = current.get(path) ?? path
      if (before !== undefined) {
        current.delete(path)
        current.set(before, name)
      }
      if (isMassEdit) continue
      const entry = files.get(name) ?? {
        fact: { commits: 0, added: 0, deleted: 0, authors: 0, recentAuthors: 0, last: date, subjects: [] },
        authors: new Set<string>(),
        recent: new Set<string>(),
      }
      files.set(name, entry)
      entry.fact.commits++
      entry.fact.added += added
      entry.fact.deleted += deleted
      if (entry.fact.subjects.length < 3) entry.fact.subjects.push(subject)
      entry.authors.add(author)
      if (isWithinYear(date, newest)) entry.recent.add(author)
    }
  }
  // a file may be named `constructor`
  const byPath: Record<string, FileHistory> = Object.create(null)
  for (const [path, { fact, authors: all, recent }] of files)
    byPath[path] = { ...fact, authors: all.size, recentAuthors: recent.size }
  return {
    read: commits.length,
    total,
    first: oldest,
    last: newest,
    shallow,
    authors: authors.size,
    files: byPath,
  }
}

interface Change {
  path: string
  before?: string
  added: number
  deleted: number
}

/**
 * The changes of one commit, each `added TAB deleted TAB path NUL`, for a rename `added TAB deleted TAB NUL
 * old NUL new NUL`, or just `path NUL` where git printed names only.
 */
function parseChanges(text: string): Change[] {
  const changes: Change[] = []
  const fields = text.split('\0')
  for (let at = 0; at < fields.length; at++) {
    const [, added, deleted, path] = /^\n?(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? '') ?? []
    if (added === undefined || deleted === undefined || path === undefined) {
      const name = (fields[at] ?? '').replace(/^\n/, '')
      if (name !== '') changes.push({ path: name, added: 0, deleted: 0 })
      continue
    }
    // Binary files have `-`.
    const counts = { added: Number(added) || 0, deleted: Number(deleted) || 0 }
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
