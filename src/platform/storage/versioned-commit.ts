import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { WRITABLE } from './disk.ts'
import { ask, type Steps } from './disk-calls.ts'
import {
  listVersions,
  readHead,
  stillThere,
  versionFile,
  versionsDirectory,
  type DocumentShape,
  type Encoded,
  type Head,
  type Version,
} from './versioned-steps.ts'

/**
 * The name under which a commit is written before it gets its number. Its author removes it at the end;
 * whoever commits the next version removes it before. So an author that finds it gone knows that its commit
 * was accepted, even if no other trace of the commit is left.
 */
function claimFile(file: string, id: string): string {
  return path.join(versionsDirectory(file), `.${id}.claim`)
}

function stamp<Content>(
  shape: DocumentShape<Content>,
  content: Content,
  version: number,
  previous: string | null,
) {
  const id = uuid()
  const stamped = { ...content, [shape.versionField]: version, commit: { id, previous } }
  const { text, json } = (shape.encode ?? encode)(stamped)
  // before anybody sees it: what cannot be read back must never become a version
  return { id, text: `${text}\n`, content: shape.decode(json, shape.file) }
}

function encode(content: object): Encoded {
  const text = JSON.stringify(content, null, 2)
  return { text, json: JSON.parse(text) }
}

/** Makes `content` the version after `base`; undefined when somebody else did that first. */
function* follow<Content>(
  shape: DocumentShape<Content>,
  base: Version<Content> | undefined,
  content: Content,
  version: number,
  number = (base?.version ?? 0) + 1,
): Steps<Version<Content> | undefined> {
  // a look costs next to nothing beside the work that is in vain when somebody else was first
  if (yield* ask('exists', versionFile(shape.file, number))) return undefined
  const { id, text, ...stamped } = stamp(shape, content, version, base?.commit ?? null)
  const claim = claimFile(shape.file, id)
  yield* ask('create', claim, text)
  // its author has most often removed it, and a look costs less than a failure to remove it again
  const before = base?.commit === undefined ? undefined : claimFile(shape.file, base.commit)
  if (before !== undefined && (yield* ask('exists', before))) yield* ask('unlink', before)
  let linked: boolean
  try {
    linked = yield* ask('link', claim, versionFile(shape.file, number))
  } catch (error) {
    yield* ask('unlink', claim)
    throw error
  }
  const stands = linked && (yield* isNext(shape, base, number))
  const isSole = yield* withdraw(claim, stands)
  if (linked && !stands && isSole) yield* ask('unlink', versionFile(shape.file, number))
  if (!linked || (!stands && isSole)) return undefined
  return { version, number, commit: id, content: stamped.content, text }
}

/** Removes a claim; returns whether this call did. Where its commit stands, a failure is no error. */
function* withdraw(claim: string, stands: boolean): Steps<boolean> {
  try {
    return yield* ask('unlink', claim)
  } catch (error) {
    if (!stands) throw error
    return false
  }
}

/** Whether the number was really the next one, and not free because its version was collected long ago. */
function* isNext<Content>(
  shape: DocumentShape<Content>,
  base: Version<Content> | undefined,
  number: number,
): Steps<boolean> {
  if (base !== undefined && (yield* stillThere(shape, base)) !== undefined) return true
  return (yield* listVersions(shape.file)).at(-1) === number
}

/**
 * Commits `content` as the version after `head`. A document that another program wrote first gets a version
 * of its own, so that there is something to follow.
 * The new version is sure to survive a power cut once it is published.
 * @param first number of the first version, where there is none yet.
 * @returns the new version, or undefined when somebody else committed first: read the head and start over.
 */
export function* commit<Content>(
  shape: DocumentShape<Content>,
  head: Head<Content> | undefined,
  content: Content,
  first = 1,
): Steps<Version<Content> | undefined> {
  if (head === undefined) return yield* follow(shape, undefined, content, first, first)
  let base: Version<Content> = head
  if (head.commit === undefined) {
    const version = Math.max(head.version, (head.below?.version ?? 0) + 1)
    const adopted = yield* follow(shape, head.below, head.content, version)
    if (adopted === undefined) return undefined
    base = adopted
  }
  return yield* follow(shape, base, content, base.version + 1)
}

/**
 * Makes the published file show the newest version, whoever else is publishing. A version that has a
 * successor already is not published: so the file goes back to an older version as seldom as renames allow.
 */
export function* publish<Content>(shape: DocumentShape<Content>, committed: Version<Content>): Steps<void> {
  let newest = committed
  for (;;) {
    const next = versionFile(shape.file, newest.version + 1)
    if (yield* ask('exists', next)) {
      yield* ask('syncDirectory', versionsDirectory(shape.file))
      return
    }
    // a copy of its own, never a link: an edit of the published file must not reach the version
    const temporary = path.join(versionsDirectory(shape.file), `.${uuid()}.tmp`)
    yield* ask('create', temporary, newest.text, { mode: shape.handEdits === 'keep' ? WRITABLE : undefined })
    // after the copy, whose flush makes this one cheap, and before anybody is shown the version
    yield* ask('syncDirectory', versionsDirectory(shape.file))
    if (yield* ask('exists', next)) {
      yield* ask('unlink', temporary)
      return
    }
    try {
      yield* ask('rename', temporary, shape.file)
    } catch (error) {
      yield* ask('unlink', temporary)
      throw error
    }
    const isBehind: boolean = yield* ask('exists', next)
    if (!isBehind && (yield* stillThere(shape, newest)) !== undefined) return
    const head: Head<Content> | undefined = yield* readHead(shape)
    if (head === undefined || head.published === head.version) return
    newest = head
  }
}

/**
 * Which versions may go, the oldest first, so that what is left has no gap: those that are older than
 * `minimumAgeMs` and beyond the newest `keep`, and those beyond `keepBytes`, however young. The newest one
 * always stays. No process relies on older ones: one that was stopped for long learns from its claim what
 * became of its commit.
 */
export interface Retention {
  readonly minimumAgeMs: number
  /** How many versions stay, however old. */
  readonly keep: number
  /** Bytes that the versions may have together, whatever `keep` says; without it any number. */
  readonly keepBytes?: number
}

/** Removes the versions that the retention lets go; returns how many. */
export function* collect(file: string, { minimumAgeMs, keep, keepBytes }: Retention): Steps<number> {
  const versions = yield* listVersions(file)
  const large = keepBytes === undefined ? 0 : yield* countBeyond(file, versions, keepBytes)
  const many = versions.length - Math.max(1, keep)
  let collected = 0
  for (const [index, version] of versions.slice(0, Math.max(0, large, many)).entries()) {
    const name = versionFile(file, version)
    if (index >= large) {
      const age = yield* ask('age', name)
      if (age === undefined) continue
      if (age < minimumAgeMs) break
    }
    if (yield* ask('unlink', name)) collected += 1
  }
  return collected
}

/** How many of the oldest versions must go so that the others have at most `most` bytes; never the newest. */
function* countBeyond(file: string, versions: readonly number[], most: number): Steps<number> {
  let bytes = 0
  for (let index = versions.length - 1; index >= 0; index -= 1) {
    bytes += (yield* ask('size', versionFile(file, versions[index] as number))) ?? 0
    if (bytes > most) return Math.min(index + 1, versions.length - 1)
  }
  return 0
}
