import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { readOutside } from '../storage/outside-file.ts'
import { git, gitOrNothing, gitWith, type CallOptions } from './git.ts'
import { entries } from './own-index.ts'

/** A commit whose files were laid out. */
export interface LaidOut {
  /**
   * Tracked files that are not as the commit has them, byte for byte; a file that was only touched is.
   * @throws {GitError} or the file system's error where the folders around the files were removed.
   */
  changed(): string[]
}

/**
 * Lays a commit's files out in a new folder, with a repository of its own in `.git`: the commit checked out,
 * branches and tags, objects borrowed from the repository's, and neither its configuration nor its hooks. The
 * commit's own attributes alone decide how files are converted.
 * @param place a folder that is there, for what `changed` needs.
 */
export function layOut(root: string, tree: string, commit: string, place: string): LaidOut {
  const { own, shallow } = newRepository(root, tree)
  const history = readOutside(shallow, { largestBytes: 1 << 24, followLinks: true })
  if (history.kind === 'text') writeFileSync(path.join(own, 'shallow'), history.text)
  const refs = ['refs/heads', 'refs/tags', 'refs/remotes']
  // a ref that leads nowhere is no reason not to check anything
  const packed = gitOrNothing(root, 'for-each-ref', '--format=%(objectname) %(refname)', ...refs)
  if (packed) writeFileSync(path.join(own, 'packed-refs'), `${packed}\n`)
  writeFileSync(path.join(own, 'HEAD'), `${commit}\n`)
  impersonal(tree, ['read-tree', '--reset', '-u', commit], { own: { gitDir: own, workTree: tree } })
  const index = path.join(own, 'index')
  // in memory, where nothing that runs beside the files reaches it
  const [bytes, { atime, mtime }] = [readFileSync(index), statSync(index)]
  return {
    changed() {
      const again = mkdtempSync(path.join(place, 'again-'))
      const fresh = newRepository(root, again)
      writeFileSync(path.join(fresh.own, 'index'), bytes)
      // git looks again at files that are as young as its index
      utimesSync(path.join(fresh.own, 'index'), atime, mtime)
      const look = ['diff-files', '--name-only', '-z', '--ignore-submodules=all']
      const touched = entries(impersonal(place, look, { own: { gitDir: fresh.own, workTree: tree } }))
      if (touched.length > 0)
        impersonal(again, ['checkout-index', '-z', '--stdin'], {
          own: { gitDir: fresh.own, workTree: again },
          input: touched.join('\0'),
        })
      return touched.filter((name) => !isSame(path.join(again, name), path.join(tree, name)))
    },
  }
}

/** Makes a repository without files, which borrows the objects of another. */
function newRepository(root: string, tree: string): { readonly own: string; readonly shallow: string } {
  const [format, objects, shallow] = git(
    root,
    ...['rev-parse', '--path-format=absolute', '--show-object-format'],
    ...['--git-path', 'objects', '--git-path', 'shallow'],
  ).split('\n') as [string, string, string]
  mkdirSync(tree, { recursive: true })
  impersonal(tree, [
    ...['init', '--quiet', '--template=', '--initial-branch=main', `--object-format=${format}`],
  ])
  const own = path.join(tree, '.git')
  writeFileSync(path.join(own, 'objects', 'info', 'alternates'), `${objects}\n`)
  return { own, shallow }
}

/** git as it is before anybody configured anything, but for Git LFS, whose files are named by their content. */
function impersonal(dir: string, args: readonly string[], options: Omit<CallOptions, 'env'> = {}): string {
  const settings = ['core.attributesFile=/dev/null', 'filter.lfs.smudge=git-lfs smudge -- %f']
  const env = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '0',
    GIT_CONFIG_PARAMETERS: '',
    GIT_ATTR_NOSYSTEM: '1',
  }
  return gitWith(dir, [...settings.flatMap((setting) => ['-c', setting]), ...args], {
    ...options,
    env,
  })
}

/** Whether two files are the same to git before any conversion: kind, permission to run, and bytes. */
function isSame(expected: string, found: string): boolean {
  const same = unless(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'], () => {
    // a link above it leads to what is not the checkout's
    if (realpathSync(path.dirname(found)) !== path.dirname(found)) return false
    const [one, other] = [lstatSync(expected), lstatSync(found)]
    const kinds = 0o170100
    if ((one.mode & kinds) !== (other.mode & kinds)) return false
    return one.isSymbolicLink()
      ? readlinkSync(expected) === readlinkSync(found)
      : one.size === other.size && readFileSync(expected).equals(readFileSync(found))
  })
  return same ?? false
}
