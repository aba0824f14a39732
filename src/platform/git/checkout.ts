import { lstatSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../../errors/fed-error.ts'
import fs from 'fs-extra'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import { unless } from '../../errors/unless.ts'
import { layOut, type LaidOut } from './laid-out-commit.ts'
import { git, gitOrNothing } from './git.ts'
import { identify, isRunning } from '../process/process-identity.ts'
import { bearersOf, dwellersIn, endAll } from '../process/process-group.ts'
import { disk } from '../storage/disk.ts'
import { readOutside } from '../storage/outside-file.ts'
import { remove } from '../storage/without-links.ts'

const prefix = 'fed-check-'
const FORMAT = 'fed-checkout-1'

/** Whose a checkout is, in a file beside it; one that another release wrote is left to that. */
const ownerSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The codebase's root, absolute. */
  root: z.string(),
  pid: z.int(),
  started: z.string(),
  mark: z.string().check(z.regex(/^FED_CHECK_[0-9a-f]{32}$/)),
})
type Owner = z.infer<typeof ownerSchema>

/** A killed process leaves a folder without an owner only within its first instants. */
const ownerlessMs = 3_600_000

/** A folder with the files of one commit and nothing else, outside of the repository. */
export interface Checkout {
  /** Absolute path of all that belongs to it. */
  readonly place: string
  /** Absolute path of the files. */
  readonly tree: string
  /** Where among them the federation's root is; the commit may not have it. */
  readonly home: string
  /** Name of a variable that whatever runs in it bears with the value 1, by which it is found again. */
  readonly mark: string
  /** As `LaidOut` says. */
  changed: LaidOut['changed']
  remove(): void
}

/**
 * Checks a commit out afresh. The folder lies in the system's folder for temporary files, so that no tool finds
 * the repository's own files in the folders above it; see `layOut` for what is in it.
 * @throws {GitError} where git cannot make it; {UsageError} where temporary files lie in the repository.
 */
export function freshCheckout(root: string, commit: string): Checkout {
  const temporary = realpathSync(os.tmpdir())
  if (repositoryOf(temporary) === repositoryOf(root))
    throw new UsageError(
      `TMPDIR is ${temporary}, inside of the repository; checks need a folder outside of it`,
    )
  const place = mkdtempSync(path.join(temporary, prefix))
  const mark = `FED_CHECK_${uuid().replaceAll('-', '')}`
  try {
    const self = identify(process.pid)
    const owner: Owner = { format: FORMAT, root, pid: process.pid, started: self?.started ?? '', mark }
    fs.writeJsonSync(ownerFile(place), owner, { flag: 'wx' })
    const tree = path.join(place, 'tree')
    const { changed } = layOut(root, tree, commit, place)
    return {
      place,
      tree,
      home: path.join(tree, folderOf(root)),
      mark,
      changed,
      remove: () => remove(place),
    }
  } catch (error) {
    remove(place)
    throw error
  }
}

/** The federation's root as seen from the top of the repository, such as `packages/shop/`; mostly empty. */
export function folderOf(root: string): string {
  return git(root, 'rev-parse', '--show-prefix')
}

/** The folder that all work trees of a repository share; undefined outside of any. */
function repositoryOf(dir: string): string | undefined {
  return gitOrNothing(dir, 'rev-parse', '--path-format=absolute', '--git-common-dir')
}

function ownerFile(place: string): string {
  return path.join(place, 'owner.json')
}

/** A checkout whose process was killed. */
export interface LeftCheckout {
  readonly place: string
  /** Ends what still runs in it, and removes it. */
  remove(): Promise<void>
}

/** Checkouts of this codebase that killed processes left. */
export function leftCheckouts(root: string): LeftCheckout[] {
  const temporary = realpathSync(os.tmpdir())
  return (
    readdirSync(temporary, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))
      .map(({ name }) => path.join(temporary, name))
      // another user's are that user's
      .filter((place) => lstatSync(place, { throwIfNoEntry: false })?.uid === process.getuid?.())
      .flatMap((place) => {
        const owner = ownerOf(place)
        const isLeft = owner === undefined ? isForgotten(place) : owner.root === root && !isRunning(owner)
        if (!isLeft) return []
        return [
          {
            place,
            async remove() {
              if (owner !== undefined)
                await endAll(() => [...bearersOf(`${owner.mark}=1`), ...dwellersIn(place)])
              remove(place)
            },
          },
        ]
      })
  )
}

/** Undefined for a folder that has no owner (yet). */
function ownerOf(place: string): Owner | undefined {
  const outside = readOutside(ownerFile(place), { largestBytes: 65_536, followLinks: false })
  if (outside.kind !== 'text') return undefined
  return unless(SyntaxError, () => ownerSchema.safeParse(JSON.parse(outside.text)).data)
}

/** Whether it holds nothing and is old. */
function isForgotten(place: string): boolean {
  return disk.list(place).length === 0 && (disk.age(place) ?? 0) > ownerlessMs
}
