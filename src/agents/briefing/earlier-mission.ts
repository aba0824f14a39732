import path from 'node:path'
import { leafOfValue } from '../../engine/decide/phase.ts'
import { unless } from '../../errors/unless.ts'
import { readLifecycle, type Lifecycle } from '../../engine/decide/lifecycle.ts'
import { UnreadableDocumentError } from '../../errors/document-errors.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import { numbersIn } from '../../platform/storage/numbered-names.ts'

/** A mission that a reset ended and moved to the folder of earlier missions. */
export interface EarlierMission {
  readonly number: number
  /** Folder with what the mission left. */
  readonly folder: string
  /** Absolute path of its deliverable, if it left one. */
  readonly deliverable: string | undefined
  /** The mission's text and its last state; undefined where that cannot be read any more. */
  readonly last: { readonly subject: string; readonly body: string; readonly state: string } | undefined
}

/** What a mission left in a workspace when a reset ended it. */
export function earlierMission(workspace: string, number: number, deliverable: string): EarlierMission {
  const folder = path.join(workspaceLayout(workspace).missions, String(number))
  const document = path.join(folder, deliverable)
  return {
    number,
    folder,
    deliverable: disk.exists(document) ? document : undefined,
    last: lastWords(folder),
  }
}

function lastWords(folder: string): EarlierMission['last'] {
  const last = numbersIn(disk.list(folder), '', '.json').at(-1)
  if (last === undefined) return undefined
  const commit = readCommit(path.join(folder, `${last}.json`))
  if (commit === undefined) return undefined
  const { mission } = commit.snapshot.context as { mission?: { subject: string; body: string } | null }
  if (!mission) return undefined
  const { subject, body } = mission
  return { subject, body, state: leafOfValue(commit.snapshot.value) }
}

/** A stored version of the lifecycle; undefined where it cannot be read: `fed doctor` says why. */
function readCommit(file: string): Lifecycle | undefined {
  return unless(UnreadableDocumentError, () => readLifecycle(disk.read(file) ?? '', file))
}
