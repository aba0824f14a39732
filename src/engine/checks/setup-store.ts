import { lstatSync, mkdirSync, realpathSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { succeedsUnless } from '../../errors/unless.ts'
import { presentMs } from '../../protocol/clock.ts'
import { FedError } from '../../errors/fed-error.ts'
import { git } from '../../platform/git/git.ts'
import { splitCommand } from '../../protocol/command-words.ts'
import { folderOf } from '../../platform/git/checkout.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { copyTree } from '../../platform/storage/copy-tree.ts'
import { disk } from '../../platform/storage/disk.ts'
import { below, move, remove } from '../../platform/storage/without-links.ts'
import { hasCode } from '../../platform/storage/system-error.ts'
import { authorOf, temporaryIn } from '../../platform/storage/temporary.ts'
import { digestOf, type Setup } from './configured.ts'
import { makeFolder } from './make-folder.ts'
import { isFolder } from '../../platform/storage/folder-fault.ts'

/** Files that decide what a setup makes, in any folder: manifests, lock files and settings of the tools. */
const deciding =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|\.npmrc|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|\.yarnrc(?:\.yml)?|bun\.lockb?|bunfig\.toml|\.nvmrc|\.node-version|\.tool-versions|Cargo\.(?:toml|lock)|rust-toolchain(?:\.toml)?|go\.(?:mod|sum|work)|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|requirements[\w.-]*\.txt|setup\.(?:py|cfg)|\.python-version|Gemfile(?:\.lock)?|\.ruby-version|.*\.gemspec|composer\.(?:json|lock)|pom\.xml|.*\.gradle(?:\.kts)?|gradle\.properties)$/

/** A setup that was kept. */
export interface KeptSetup {
  /** Copies what is kept into a checkout. */
  layInto(tree: string, signal: AbortSignal): Promise<void>
}

/** How many setups are always kept: those that were used last. */
const keptAtLeast = 4
/** How long any other setup is kept after its last use, in milliseconds. */
const keptMs = 24 * 3_600_000

/**
 * A name for what a setup makes of a commit: its command and what it keeps, the manifests and lock files of
 * the commit with the files that the command names and those of `setup.inputs`, and the machine's kind. A commit without any of these has
 * its whole tree for one.
 * @param program the setup's program where it is not the commit's own: where versions lie side by side, its
 *   real path holds its version.
 */
export function setupDigest(root: string, commit: string, setup: Setup, program: string | undefined): string {
  const folder = folderOf(root)
  const named = new Set(splitCommand(setup.run).map((word) => path.posix.join(folder, word)))
  const inputs = setup.inputs.map((name) => path.posix.join(folder, name))
  const files = git(root, 'ls-tree', '-r', '-z', '--full-tree', commit)
    .split('\0')
    .filter((line) => {
      const file = line.slice(line.indexOf('\t') + 1)
      return (
        named.has(file) ||
        deciding.test(path.posix.basename(file)) ||
        inputs.some((name) => file === name || file.startsWith(`${name}/`))
      )
    })
  const content = files.length > 0 ? files : [git(root, 'rev-parse', '--verify', `${commit}^{tree}`)]
  const machine = [process.platform, process.arch, process.version, program && realpathSync(program)]
  return digestOf(['setup-1', setup.run, setup.keep, setup.inputs, machine, content])
}

/** What was kept under a digest; undefined where nothing was yet. */
export function keptSetup(root: string, digest: string, { keep }: Setup): KeptSetup | undefined {
  const folder = path.join(federationLayout(root).setup, digest)
  if (!isFolder(federationLayout(root).setup) || !isFolder(folder)) return undefined
  const present = new Date(presentMs())
  below(folder, (at) => utimesSync(at, present, present))
  return {
    async layInto(tree, signal) {
      for (const [index, name] of keep.entries()) {
        const from = path.join(folder, String(index))
        if (isThere(from)) await copyTree(from, freePlace(tree, name), signal)
      }
    },
  }
}

/** Whether anything has this name, even a link that leads nowhere. */
function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined
}

/**
 * The path in a checkout to which a kept path is copied; folders above it are made.
 * @throws {FedError} where the commit has something there itself, or a link above it.
 */
function freePlace(tree: string, name: string): string {
  const names = name.split('/')
  const last = names.pop() as string
  const place = path.join(makeFolder(tree, ...names), last)
  if (isThere(place))
    throw new FedError(
      `setup.keep: the commit has ${name} itself; name in federate.config.json only what setup makes`,
    )
  return place
}

/** Keeps what a setup made in a checkout, whole or not at all. What another process kept meanwhile stays. */
export async function keepSetup(
  root: string,
  digest: string,
  { keep }: Setup,
  tree: string,
  signal: AbortSignal,
): Promise<void> {
  const { fed, setup } = federationLayout(root)
  const store = makeFolder(fed, path.basename(setup))
  const aside = temporaryIn(store)
  below(aside, (at) => mkdirSync(at))
  try {
    for (const [index, name] of keep.entries()) {
      const above = name.split('/').slice(0, -1)
      const isReal = above.every((_, depth) => isFolder(path.join(tree, ...above.slice(0, depth + 1))))
      const from = path.join(tree, name)
      if (isReal && isThere(from)) await copyTree(from, path.join(aside, String(index)), signal)
    }
    move(aside, path.join(store, digest))
  } catch (error) {
    remove(aside)
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}

/** Removes what killed processes left, and setups that are not used any more. */
export function tidySetups(root: string): void {
  const { setup: store } = federationLayout(root)
  if (!isFolder(store)) return
  const names = disk.list(store)
  for (const name of names) if (authorOf(name) === 'dead') remove(path.join(store, name))
  const kept = names
    .filter((name) => /^[0-9a-f]{32}$/.test(name))
    .map((name) => ({
      name,
      usedMs: statSync(path.join(store, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .toSorted((a, b) => b.usedMs - a.usedMs)
  for (const { name, usedMs } of kept.slice(keptAtLeast))
    if (presentMs() - usedMs > keptMs) removeSetup(store, name)
}

/** Removes a kept setup. It is renamed first, so that nobody copies half of it. */
function removeSetup(store: string, name: string): void {
  const aside = temporaryIn(store)
  // somebody else may remove it
  if (succeedsUnless('ENOENT', () => move(path.join(store, name), aside))) remove(aside)
}
