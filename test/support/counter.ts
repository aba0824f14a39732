import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { VersionedDocument, type Collection } from '../../src/platform/storage/versioned-document.ts'
import type { DocumentShape } from '../../src/platform/storage/versioned-steps.ts'

/** A small document to count in; `counts` holds how often each has counted. */
export interface Counter {
  readonly counts?: Record<string, number>
  readonly [unknown: string]: unknown
}

export function newFile(name = 'counter.json'): string {
  return path.join(mkdtempSync(path.join(os.tmpdir(), 'fed-storage-')), name)
}

export function counter(
  file: string,
  handEdits: DocumentShape<Counter>['handEdits'] = 'keep',
  collection?: Collection,
): VersionedDocument<Counter> {
  return new VersionedDocument({
    file,
    versionField: 'version',
    decode(json) {
      if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Counter
      throw new TypeError('not an object')
    },
    handEdits,
    ...(collection && { collection }),
  })
}

export function count(document: VersionedDocument<Counter>, name = 'here') {
  return document.update((present) => {
    const counts = present?.counts ?? {}
    return { ...present, counts: { ...counts, [name]: (counts[name] ?? 0) + 1 } }
  })
}
