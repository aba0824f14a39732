import type { Commit } from './commit-history.ts'
import { git } from './git-command.ts'

export interface LineCount {
  added: number
  deleted: number
}

/**
 * Lines that commits added to some files and deleted, by today's path, as git counts them. Git
 * has to compare contents for that, which takes long, so it is asked for these files alone.
 * Empty where contents are missing, as in a partial clone.
 * @param ends commits at which a shallow clone is cut off: what they changed is unknown.
 */
export async function countLines(
  root: string,
  commits: readonly Commit[],
  wanted: ReadonlySet<string>,
  ends: ReadonlySet<string> | undefined,
): Promise<Map<string, LineCount>> {
  const { ids, names, owners } = changesOf(commits, wanted, ends)
  const counts = new Map<string, LineCount>()
  const args = [
    'log',
    '--no-walk=unsorted',
    '--stdin',
    '-z',
    '--relative',
    '--no-ext-diff',
    '-M',
    '--numstat',
  ]
  const output =
    ids.length === 0
      ? ''
      : await git(
          root,
          [...args, '--format=%x01%H', '--', ...names.map((name) => `:(literal)${name}`)],
          `${ids.join('\n')}\n`,
        )
  if (output === undefined) return counts
  for (const text of output.split('\u0001').slice(1)) {
    const id = text.slice(0, text.search(/[^0-9a-f]|$/))
    for (const { path, added, deleted } of countsOf(text.slice(id.length))) {
      const name = owners.get(`${id}\0${path}`)
      if (name === undefined) continue
      const sum = counts.get(name) ?? { added: 0, deleted: 0 }
      counts.set(name, { added: sum.added + added, deleted: sum.deleted + deleted })
    }
  }
  return counts
}

/** The commits that changed some files, all names that these had, and whose name it was in which commit. */
function changesOf(
  commits: readonly Commit[],
  wanted: ReadonlySet<string>,
  ends: ReadonlySet<string> | undefined,
): { ids: string[]; names: string[]; owners: Map<string, string> } {
  const ids = new Set<string>()
  const names = new Set<string>()
  const owners = new Map<string, string>()
  for (const { id, isMassEdit, changes } of commits) {
    if (isMassEdit || ends?.has(id) === true) continue
    for (const { path, before, name } of changes) {
      if (!wanted.has(name)) continue
      ids.add(id)
      names.add(path)
      if (before !== undefined) names.add(before)
      owners.set(`${id}\0${path}`, name)
    }
  }
  return { ids: [...ids], names: [...names].toSorted(), owners }
}

/** The counts of one commit, each `added TAB deleted TAB path NUL`, for a rename `added TAB deleted TAB NUL old NUL new NUL`. */
function countsOf(text: string): (LineCount & { path: string })[] {
  const fields = text.split('\0')
  const counts: (LineCount & { path: string })[] = []
  for (let at = 0; at < fields.length; at++) {
    const [, added, deleted, path] = /^\n*(\d+|-)\t(\d+|-)\t(.*)$/s.exec(fields[at] ?? '') ?? []
    if (path === undefined) continue
    // Binary files have `-`.
    const lines = { added: Number(added) || 0, deleted: Number(deleted) || 0 }
    if (path !== '') counts.push({ path, ...lines })
    else {
      counts.push({ path: fields[at + 2] ?? '', ...lines })
      at += 2
    }
  }
  return counts
}
