import { NewerFormatError } from '../../errors/newer-format.ts'
import { reasonOf } from './finding.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import type { VersionedDocument } from '../../platform/storage/versioned-document.ts'
import { versionFile, type DocumentShape } from '../../platform/storage/versioned-steps.ts'

/** Size of the largest file that is read, in bytes: fed writes no larger document. */
const largestBytes = 1 << 30

/** A document's file, or one of its versions, as it was found. */
export interface Copy {
  readonly file: string
  readonly text: string
  /** What is wrong with the copy; then its text and ids may be missing. */
  readonly fault?: string
  /** The fault as an error, where a newer release of fed wrote the copy: then it is not damaged. */
  readonly newer?: NewerFormatError
  readonly version: number
  /** Id of the commit, as far as it can still be read. */
  readonly commit?: string
  /** Id of the commit before it; null for the first. */
  readonly previous?: unknown
}

/** A copy from the folder of versions, with the number in its name. */
export interface VersionCopy extends Copy {
  readonly number: number
}

/** A versioned document as it lies on disk. */
export interface Look {
  /** Undefined where there is no published file. */
  readonly published: Copy | undefined
  /** Ascending. */
  readonly versions: readonly VersionCopy[]
}

/**
 * Looks at each copy of a document on its own, where a reader would stop at the first that is damaged.
 * @param newest how many of the newest versions are looked at.
 */
export function lookAt<Content extends object>(document: VersionedDocument<Content>, newest: number): Look {
  const { shape } = document
  return {
    published: copyOf(shape, shape.file),
    versions: document
      .versions()
      .slice(-newest)
      .flatMap((number) => {
        const copy = copyOf(shape, versionFile(shape.file, number), number)
        return copy === undefined ? [] : [{ ...copy, number }]
      }),
  }
}

function copyOf<Content>(shape: DocumentShape<Content>, file: string, number = 0): Copy | undefined {
  let text = ''
  let version = number
  let commit: { id?: unknown; previous?: unknown } | null | undefined
  try {
    const found = readOutside(file, { largestBytes, followLinks: false })
    if (found.kind === 'missing') return undefined
    if (found.kind === 'fault') return { file, text, version, fault: found.fault }
    text = found.text
    const json = JSON.parse(text) as Record<string, unknown> | null
    commit = json?.commit as typeof commit
    shape.decode(json, file)
    version = json?.[shape.versionField] as number
    if (!Number.isSafeInteger(version) || version < number) throw new Error(`its version is ${version}`)
  } catch (error) {
    const newer = error instanceof NewerFormatError ? { newer: error } : {}
    return { file, text, version, fault: faultOf(error), ...newer, ...idsOf(commit) }
  }
  return { file, text, version, ...idsOf(commit) }
}

function faultOf(error: unknown): string {
  return error instanceof SyntaxError ? `not JSON (${error.message})` : reasonOf(error)
}

function idsOf(commit: { id?: unknown; previous?: unknown } | null | undefined) {
  return {
    commit: typeof commit?.id === 'string' ? commit.id : undefined,
    previous: commit?.previous,
  }
}
