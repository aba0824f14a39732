import { directoryHints } from '../records/signals/watch.ts'

/** Hears of what appears in folders: a hint, behind which somebody looks now and then. */
export class WatchedFolders {
  readonly #watches = new Map<string, { close(): void } | undefined>()
  readonly #rouse: () => void
  #changed = new Set<string>()

  constructor(rouse: () => void) {
    this.#rouse = rouse
  }

  /** Watches these folders from now on, and no others. */
  set(folders: Iterable<string>): void {
    const wanted = new Set(folders)
    for (const folder of wanted)
      if (!this.#watches.has(folder))
        this.#watches.set(
          folder,
          // an acknowledgment is the link's own
          directoryHints(folder, (name) => name?.endsWith('.ack') !== true && this.changed(folder)),
        )
    for (const [folder, watch] of this.#watches) {
      if (wanted.has(folder)) continue
      watch?.close()
      this.#watches.delete(folder)
    }
  }

  changed(folder: string): void {
    this.#changed.add(folder)
    this.#rouse()
  }

  /** The folders in which something appeared since this was asked before. */
  take(): ReadonlySet<string> {
    const changed = this.#changed
    this.#changed = new Set()
    return changed
  }
}
