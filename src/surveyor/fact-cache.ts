import { createHash } from 'node:crypto'
import path from 'node:path'
import { isManifest } from './manifests/index.ts'
import { packageVersion } from '../platform/process/package.ts'
import { appendBlock, clockOf, readBlocks, replaceBlocks } from './checked-blocks.ts'
import type { FileFacts } from './facts.ts'
import { grammarsVersion } from './languages/grammars.ts'
import type { FileStamp } from './repository-files.ts'

/** Raise it with every change of what is extracted: facts of another version are not read. */
const EXTRACTOR_VERSION = 14

/**
 * Two writes within this time may get the same stamp (milliseconds): a kernel's tick, or all of the second or
 * two that a coarse file system knows.
 */
const TICK = 100
const COARSE_TICK = 3_000

/** Blocks that are read before the file is written anew, without what is no longer there. */
const MOST_BLOCKS = 24

type Seen = [size: number, modified: number, changed: number, inode: number, key: string]

/** Facts by content, and the content of each file by its path: any name may be a path, so these are maps. */
class Memory {
  readonly facts = new Map<string, FileFacts>()
  readonly seen = new Map<string, Seen>()
}

/**
 * What was found in each content, and which content each file held when it was last read. A file whose stamp
 * is the same is not read again, unless it was so fresh when it was read that a later write could have left
 * the same stamp. Only bytes and name decide: git's filters, its index and its clock have no say.
 */
export class FactCache {
  readonly #file: string | undefined
  readonly #label: string
  readonly #before = new Memory()
  readonly #used = new Memory()
  readonly #added = new Memory()
  readonly #known: readonly string[]
  readonly #blocks: number
  readonly #clock: number | undefined

  /** `folder` undefined: nothing is kept beyond this object. */
  constructor(folder: string | undefined) {
    this.#file = folder === undefined ? undefined : path.join(folder, 'facts')
    this.#label = `fed-facts-${EXTRACTOR_VERSION}-${packageVersion}-${grammarsVersion()}`
    const { blocks, whole } =
      this.#file === undefined ? { blocks: [], whole: false } : readBlocks(this.#file, this.#label)
    for (const { facts, seen } of blocks as Memory[]) {
      for (const [key, found] of facts) this.#before.facts.set(key, found)
      for (const [file, found] of seen) this.#before.seen.set(file, found)
    }
    this.#known = [...this.#before.seen.keys()]
    this.#blocks = whole && blocks.length > 0 ? blocks.length : MOST_BLOCKS
    this.#clock = folder === undefined ? undefined : clockOf(folder)
  }

  /** The files that were there last time. */
  get known(): readonly string[] {
    return this.#known
  }

  /** What is known of a file with this stamp without reading it, and its content's key. */
  bySight(file: string, stamp: FileStamp): { facts: FileFacts; key: string } | undefined {
    const seen = this.#before.seen.get(file)
    if (seen === undefined) return undefined
    const [size, modified, changed, inode, key] = seen
    const same =
      size === stamp.size && modified === stamp.modified && changed === stamp.changed && inode === stamp.inode
    const facts = same ? this.#before.facts.get(key) : undefined
    if (facts === undefined) return undefined
    this.#used.seen.set(file, seen)
    this.#used.facts.set(key, facts)
    return { facts, key }
  }

  /** What is known of a content by its key; the stamp is the one that the file had before it was read. */
  byContent(file: string, stamp: FileStamp, key: string): FileFacts | undefined {
    const facts = this.#used.facts.get(key) ?? this.#before.facts.get(key)
    if (facts === undefined) return undefined
    this.#used.facts.set(key, facts)
    this.#see(file, stamp, key)
    return facts
  }

  keep(file: string, stamp: FileStamp, key: string, facts: FileFacts): void {
    this.#used.facts.set(key, facts)
    this.#added.facts.set(key, facts)
    this.#see(file, stamp, key)
  }

  /** Writes what this survey added, whole or not at all; now and then what is gone is dropped. */
  save(): void {
    if (this.#file === undefined) return
    if (this.#blocks >= MOST_BLOCKS) replaceBlocks(this.#file, this.#label, { ...this.#used })
    else if (this.#added.seen.size + this.#added.facts.size > 0)
      appendBlock(this.#file, this.#label, { ...this.#added })
  }

  #see(file: string, { size, modified, changed, inode }: FileStamp, key: string): void {
    const newest = Math.max(modified, changed)
    const isCoarse = modified % 1_000 === 0 && changed % 1_000 === 0
    if (this.#clock === undefined || newest + (isCoarse ? COARSE_TICK : TICK) > this.#clock) return
    const seen: Seen = [size, modified, changed, inode, key]
    this.#used.seen.set(file, seen)
    this.#added.seen.set(file, seen)
  }
}

/** A content with all that the reader asks of a name: its ending, or itself where it has none, and manifests by name. */
export function keyOf(file: string, bytes: Buffer): string {
  const name = path.posix.basename(file)
  const kind = isManifest(file) ? name : path.posix.extname(name) || name
  return `${createHash('sha1').update(bytes).digest('base64')} ${kind}`
}
