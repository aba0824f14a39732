import path from 'node:path'
import { readLifecycle, type Lifecycle } from '../engine/decide/lifecycle.ts'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import { disk } from '../platform/storage/disk.ts'
import { versionFile, versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { numbersIn } from '../platform/storage/numbered-names.ts'

/** So many commits are remembered, for the events of a state that ends soon after it began. */
const mostKept = 256

/** A team's commits, wherever a reset has put them; each is read once and never changes. */
export class CommitFiles {
  readonly #lifecycle: string
  readonly #missions: string
  readonly #kept = new Map<number, Lifecycle>()

  constructor(workspace: string) {
    const { lifecycle, missions } = workspaceLayout(workspace)
    this.#lifecycle = lifecycle
    this.#missions = missions
  }

  /** Number of the first commit that is there: a team whose name others had before goes on after theirs. */
  first(): number | undefined {
    // what a reset moves meanwhile is in its new place by then
    const folders = [versionsDirectory(this.#lifecycle), path.join(this.#missions, '1')]
    const names = folders.flatMap((folder) => disk.list(folder))
    return numbersIn(names, '', '.json')[0]
  }

  /**
   * A commit by its version, or undefined where there is none.
   * @param mission number of the mission that it belongs to, or of the one before.
   * @throws {CorruptDocumentError}
   */
  read(version: number, mission: number): Lifecycle | undefined {
    const known = this.#kept.get(version)
    if (known !== undefined) return known
    // one that is moved has its new name before it loses the old one
    const places = [
      versionFile(this.#lifecycle, version),
      ...[mission, mission + 1].map((number) => path.join(this.#missions, String(number), `${version}.json`)),
    ]
    for (const file of places) {
      const text = disk.read(file)
      if (text === undefined) continue
      const commit = readLifecycle(text, file)
      if (this.#kept.size >= mostKept) this.#kept.delete(this.#kept.keys().next().value as number)
      this.#kept.set(version, commit)
      return commit
    }
    return undefined
  }
}
