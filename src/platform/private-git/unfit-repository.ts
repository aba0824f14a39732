import { gitOrNothing } from '../git/git.ts'
import { repositoryOf } from '../git/worktree.ts'
import { untrackedAttributes } from './real-repository.ts'
import { settingsIn } from './seen-config.ts'

/**
 * Why the repository of a folder cannot be a private one within walls, in words; undefined where it can. What would
 * silently come out differently inside is refused.
 */
export function privateObstacle(dir: string): string | undefined {
  const settings = settingsIn(dir)
  const isPartial = settings.some(
    ([key, value]) =>
      key === 'extensions.partialclone' || (/^remote\..+\.promisor$/.test(key) && value === 'true'),
  )
  if (isPartial)
    return 'this is a partial clone, and what it lacks cannot be fetched within walls; `git fetch --refetch --no-filter` makes it whole'
  if (gitOrNothing(dir, 'ls-files', '--error-unmatch', '--', ':(top).gitmodules') !== undefined)
    return 'it has submodules, and what is committed in those would not come out of walls'
  const drivers = new Set(
    settings.flatMap(([key]) => /^filter\.(.+)\.(?:clean|smudge|process)$/.exec(key)?.[1] ?? []),
  )
  const used = [...drivers].find((name) =>
    isUsed(dir, untrackedAttributes(repositoryOf(dir), settings), name),
  )
  return used === undefined
    ? undefined
    : `files of it pass through the filter '${used}', a program that is not run within walls`
}

/** Whether an attribute of tracked files, or one that git does not track, names a filter. */
function isUsed(dir: string, untracked: string, filter: string): boolean {
  const words = `(^|[[:space:]])filter=${filter.replace(/[^\w-]/g, '.')}([[:space:]]|$)`
  if (new RegExp(words.replaceAll('[[:space:]]', String.raw`\s`), 'm').test(untracked)) return true
  const tracked = ['--cached', '-e', words, '--', ':(glob)**/.gitattributes']
  return gitOrNothing(dir, 'grep', '-q', '-E', ...tracked) !== undefined
}
