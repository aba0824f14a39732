import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { gitWith } from '../git/git.ts'
import { durableGit } from '../git/uncommitted-work.ts'
import { GitFolder } from './git-folder.ts'
import { gitDirInside, servedInside, type Inside } from './inside.ts'
import type { PrivatePlace } from './place.ts'
import { objectFolders, packed, rulesOf, type Ref } from './real-repository.ts'
import { settingsIn } from './seen-config.ts'

/** Longest time that commits may take to come out of walls, in milliseconds. */
const longestMs = 300_000

/** Options of a fetch that takes what is named and nothing else, and begins nothing behind it. */
const plainFetch = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-auto-maintenance',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-prune',
]

/** Lets a local repository be asked by git's own transport. */
const localProtocol = { GIT_ALLOW_PROTOCOL: 'file' }

/** A repository of fed's own, in which what comes out of walls lies until it is believed. */
export interface Staging {
  readonly dir: string
  /** Runs git in it. @throws {GitError} */
  readonly git: (args: readonly string[]) => string
}

/**
 * Makes it, empty: it borrows the real objects, so that only what is new comes into it. Whatever is refused goes with
 * it, and never was in the real repository.
 * @param refs those outside.
 */
export function withStaging<Result>(
  one: Inside,
  refs: readonly Ref[],
  act: (staging: Staging) => Result,
): Result {
  const { real, place } = one
  // of its own: requests of one session may ask for it at the same time
  const dir = mkdtempSync(path.join(place.folder, 'staging-'))
  try {
    const folder = new GitFolder(dir, dir)
    const { shallow, objectFormat } = rulesOf(real, settingsIn(real.root))
    const isPlain = objectFormat === 'sha1'
    folder.folder('refs/heads')
    folder.folder('objects/pack')
    folder.put('HEAD', 'ref: refs/heads/none\n')
    folder.put(
      'config',
      `[core]\n\trepositoryformatversion = ${isPlain ? 0 : 1}\n\tbare = true\n` +
        (isPlain ? '' : `[extensions]\n\tobjectformat = ${objectFormat}\n`),
    )
    folder.put(
      'objects/info/alternates',
      objectFolders(real)
        .map((at) => `${at}\n`)
        .join(''),
    )
    folder.put('packed-refs', packed(refs))
    if (shallow !== '') folder.put('shallow', shallow)
    const own = { gitDir: dir, workTree: dir }
    return act({ dir, git: (args) => gitWith(dir, args, { env: localProtocol, own, longestMs }) })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Removes what killed processes left of it, while nobody else works with the private repository. */
export function removeStaging({ folder }: PrivatePlace): void {
  for (const name of readdirSync(folder))
    if (name.startsWith('staging-')) rmSync(path.join(folder, name), { recursive: true, force: true })
}

/** Serves the private repository to a git outside, which may ask for any commit of it. */
function served(one: Inside): string[] {
  return [`--upload-pack=${servedInside(one)}`, gitDirInside(one)]
}

/** Brings commits out of walls into staging: every object is checked, and nothing comes when one is wrong. */
export function bringIn(one: Inside, { git: ask }: Staging, commits: readonly string[]): void {
  const checked = ['fetch.fsckObjects=true', 'transfer.fsckObjects=true', 'fetch.unpackLimit=1']
  const settings = checked.flatMap((setting) => ['-c', setting])
  ask([...settings, ...plainFetch, ...served(one), ...commits.map((commit) => `${commit}:refs/in/${commit}`)])
}

/** Brings commits from staging into the real repository, where nothing names them yet. */
export function believe({ real: { root } }: Inside, { dir }: Staging, commits: readonly string[]): void {
  const env = { ...durableGit(), ...localProtocol }
  gitWith(root, [...plainFetch, dir, ...commits.map((commit) => `refs/in/${commit}`)], { env })
}
