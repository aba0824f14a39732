import path from 'node:path'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import { versionFile } from '../../platform/storage/versioned-steps.ts'
import { readLifecycle, type Lifecycle } from '../decide/lifecycle.ts'
import type { Actor } from './world.ts'
import { numbersIn } from '../../platform/storage/numbered-names.ts'

interface Version {
  readonly version: number
  /**
   * Undefined where it is gone.
   * @throws {CorruptDocumentError} when it is damaged.
   */
  read(): Lifecycle | undefined
}

/**
 * The versions of a team's life after one of them: those that resets put away, and those of the present mission.
 * Where that one is still in its place no folder is listed, so that a long life costs no more than a short one.
 */
export function versionsAfter(
  { workspace, lifecycle }: Pick<Actor, 'workspace' | 'lifecycle'>,
  after: number,
): Version[] {
  const isThere = (version: number) => disk.exists(versionFile(lifecycle.shape.file, version))
  const versionOf = (version: number): Version => ({ version, read: () => lifecycle.version(version) })
  if (after > 0) {
    const climbed: Version[] = []
    for (let next = after + 1; isThere(next); next += 1) climbed.push(versionOf(next))
    // a reset moves them in ascending order
    if (climbed.length > 0 || isThere(after)) return climbed
  }
  // what a reset moves meanwhile is in its new place by then
  const present = lifecycle.versions().map(versionOf)
  const next = present.filter(({ version }) => version > after)
  const isNothingBetween = next[0] === undefined ? present.length > 0 : next[0].version === after + 1
  if (isNothingBetween) return next
  const { missions } = workspaceLayout(workspace)
  const folders = numbersIn(disk.list(missions), '', '').map((mission) =>
    path.join(missions, String(mission)),
  )
  const moved = folders.flatMap((folder) =>
    numbersIn(disk.list(folder), '', '.json').map((version): Version => {
      const file = path.join(folder, `${version}.json`)
      return { version, read: () => readLifecycle(disk.read(file) ?? '', file) }
    }),
  )
  const all = new Map([...next, ...moved].map((each) => [each.version, each]))
  return [...all.values()].filter(({ version }) => version > after).toSorted((a, b) => a.version - b.version)
}
