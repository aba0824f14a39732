import path from 'node:path'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { hasCode } from './system-error.ts'
import { ask, type Steps } from './disk-calls.ts'
import { numbersIn } from './numbered-names.ts'

/** Where a versioned document lives and what its content must be. */
export interface DocumentShape<Content> {
  /** The published file; its versions lie beside it in `<name>.d/<version>.json`. */
  readonly file: string
  /** The field of the document that holds its version number. */
  readonly versionField: string
  /** The file's text as JSON that `JSON.parse` reads without loss; without it the text itself. */
  readonly prepare?: (text: string) => string
  /** Checks parsed JSON; throws what names the file and the fault. */
  readonly decode: (json: unknown, file: string) => Content
  /** Writes content as JSON, where that is cheaper than `JSON.stringify` and reading all of it back. */
  readonly encode?: (content: object) => Encoded
  /**
   * What to do when something else than this module wrote the published file and it still decodes: `keep`
   * builds the next commit on it (if it names the commit that it edits, or its version is beyond ours; else
   * it lost the race and the head is published over it), `refuse` throws.
   */
  readonly handEdits: 'keep' | 'refuse'
}

/** JSON text, and what parsing it gives. */
export interface Encoded {
  readonly text: string
  readonly json: unknown
}

/** One committed version. */
export interface Version<Content> {
  readonly version: number
  /** Number in the name of its file: the version, but lower where another program's document was adopted. */
  readonly number: number
  /** Random id of the commit; undefined only for a published file that another program wrote. */
  readonly commit: string | undefined
  readonly content: Content
  readonly text: string
}

export interface Head<Content> extends Version<Content> {
  /** The version, when the published file shows it; undefined when that is behind or missing. */
  readonly published: number | undefined
  /** Whether the published file is missing or shows an older version, as a killed writer leaves it. */
  readonly isBehind: boolean
  /** For another program's document: the newest version in the folder, which an adoption must follow. */
  readonly below?: Version<Content> | undefined
}

type Parsed<Content> = Version<Content> & { readonly previous: unknown }

export function versionsDirectory(file: string): string {
  return file.replace(/\.json$/, '.d')
}

export function versionFile(file: string, number: number): string {
  return path.join(versionsDirectory(file), `${number}.json`)
}

function parse<Content>(
  shape: DocumentShape<Content>,
  file: string,
  text: string,
  number?: number,
): Parsed<Content> {
  let json: unknown
  try {
    json = JSON.parse(shape.prepare?.(text) ?? text)
  } catch (error) {
    throw new CorruptDocumentError(file, `not JSON (${(error as Error).message})`)
  }
  const content = shape.decode(json, file)
  const fields = json as Record<string, unknown>
  const version = fields[shape.versionField]
  if (!Number.isSafeInteger(version) || (version as number) < (number ?? 0)) {
    throw new CorruptDocumentError(file, `${shape.versionField} is ${JSON.stringify(version)}`)
  }
  const commit = fields.commit as { id?: unknown; previous?: unknown } | null | undefined
  return {
    version: version as number,
    number: number ?? (version as number),
    commit: typeof commit?.id === 'string' ? commit.id : undefined,
    previous: commit?.previous,
    content,
    text,
  }
}

/** A file's text; a file in the place of its folder is damage like any other. */
function* readText(file: string): Steps<string | undefined> {
  try {
    return yield* ask('read', file)
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) throw new CorruptDocumentError(path.dirname(file), 'it is not a folder')
    throw error
  }
}

/** One version from its own file, or undefined where there is none. */
export function* readVersion<Content>(
  shape: DocumentShape<Content>,
  number: number,
): Steps<Parsed<Content> | undefined> {
  const file = versionFile(shape.file, number)
  const text = yield* readText(file)
  return text === undefined ? undefined : parse(shape, file, text, number)
}

/** Version numbers in the folder, ascending. */
export function* listVersions(file: string): Steps<number[]> {
  const names = yield* ask('list', versionsDirectory(file))
  return numbersIn(names, '', '.json')
}

/**
 * A version as its file holds it now, or undefined when that is gone. The number alone proves nothing: once
 * collected, it may have been taken by a process that was stopped for long and has yet to notice.
 */
export function* stillThere<Content>(
  shape: DocumentShape<Content>,
  version: Version<Content>,
): Steps<Version<Content> | undefined> {
  const file = versionFile(shape.file, version.number)
  const text = yield* readText(file)
  if (text === undefined || text === version.text) return text === undefined ? undefined : version
  const present = parse(shape, file, text, version.number)
  return present.commit === version.commit ? present : undefined
}

/**
 * The newest version. A published file names the version where climbing begins; it may be behind, because
 * its writer was stopped, and it may be far behind what collection left, because its writer was stopped for
 * long: then climbing begins at the highest number in the folder.
 * @param known a version that was read before: a text that is still the same is not parsed again.
 * @throws {CorruptDocumentError} when the published file or a version on the way is damaged, or the published
 * file was not written here and the shape refuses that.
 */
export function* readHead<Content>(
  shape: DocumentShape<Content>,
  known?: Version<Content>,
): Steps<Head<Content> | undefined> {
  for (;;) {
    const text = yield* readText(shape.file)
    const isKnown = text !== undefined && text === known?.text
    const published = isKnown ? known : text === undefined ? undefined : parse(shape, shape.file, text)
    if (published !== undefined && published.commit === undefined && shape.handEdits === 'refuse') {
      throw new CorruptDocumentError(shape.file, 'it names no commit: another program wrote it')
    }
    let head = published?.commit === undefined ? undefined : yield* climb(shape, published)
    let isOlder = published === undefined || published.version < (head?.version ?? 0)
    if (head === undefined) {
      if (published !== undefined) isOlder = yield* isCollected(shape, published)
      const newest = yield* newestInFolder(shape)
      if (newest !== undefined) {
        head = yield* climb(shape, newest)
        if (head === undefined) continue
      }
      if (published !== undefined && (head === undefined || published.version > head.version)) {
        return foreign(shape, published, head)
      }
    }
    if (head === undefined) return undefined
    const isShown = published?.commit === head.commit && published?.version === head.version
    return { ...head, published: isShown ? head.version : undefined, isBehind: isOlder }
  }
}

/** Whether a published file's version is gone; where its number has another commit, the file is no copy of it. */
function* isCollected<Content>(shape: DocumentShape<Content>, published: Version<Content>): Steps<boolean> {
  const version = yield* readVersion(shape, published.version)
  if (version === undefined) return true
  if (shape.handEdits === 'refuse' && version.commit !== published.commit) {
    throw new CorruptDocumentError(
      shape.file,
      `it names another commit than version ${published.version}, of which it must be a copy`,
    )
  }
  return false
}

/** The version with the highest number, undefined in an empty folder. */
function* newestInFolder<Content>(shape: DocumentShape<Content>): Steps<Version<Content> | undefined> {
  let highest = (yield* listVersions(shape.file)).at(-1)
  while (highest !== undefined) {
    const newest: Version<Content> | undefined = yield* readVersion(shape, highest)
    const again: number | undefined = (yield* listVersions(shape.file)).at(-1)
    // only while a number is the highest is it sure that nobody took it anew after its collection
    if (newest !== undefined && again === highest) return newest
    highest = again
  }
  return undefined
}

/** Follows the versions upward; undefined when collection overtook the climber. */
function* climb<Content>(
  shape: DocumentShape<Content>,
  from: Version<Content>,
): Steps<Version<Content> | undefined> {
  let head = from
  for (;;) {
    // most often there is none, and a look costs less than a failure to read
    const isLast = !(yield* ask('exists', versionFile(shape.file, head.version + 1)))
    const next = isLast ? undefined : yield* readVersion(shape, head.version + 1)
    // what stands above a collected version may be anything: go on only from one that is still there
    const present = yield* stillThere(shape, head)
    if (present === undefined) return undefined
    if (present.text !== head.text && shape.handEdits === 'refuse') {
      throw new CorruptDocumentError(
        shape.file,
        `it differs from version ${head.version}, of which it is a copy`,
      )
    }
    if (next === undefined) return head
    if (next.previous !== head.commit) {
      throw new CorruptDocumentError(
        versionFile(shape.file, next.number),
        `it does not follow version ${head.version}`,
      )
    }
    head = next
  }
}

/** A document that another program published: beyond every version of ours, or before there was any. */
function foreign<Content>(
  shape: DocumentShape<Content>,
  published: Version<Content>,
  below: Version<Content> | undefined,
): Head<Content> {
  if (shape.handEdits === 'refuse') {
    throw new CorruptDocumentError(
      shape.file,
      `${shape.versionField} is ${published.version}, but the newest version committed is ${below?.version ?? 'none'}`,
    )
  }
  return { ...published, commit: undefined, published: published.version, isBehind: false, below }
}
