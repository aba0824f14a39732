import type { FSWatcher } from 'node:fs'
import path from 'node:path'
import { workspaceLayout } from '../../../protocol/folder-layout.ts'
import { directoryHints } from '../../../records/signals/watch.ts'
import { LastChange } from '../../../platform/storage/last-change.ts'
import { gitFolderOf } from '../../../platform/git/worktree.ts'
import { disk } from '../../../platform/storage/disk.ts'
import type { Part } from './shown.ts'

interface Place {
  readonly dir: string
  readonly partOf: (name: string | null) => Part | undefined
  readonly change: LastChange
  hints: FSWatcher | undefined
}

/** Folders of one workspace, and which part of what the page shows each of their names belongs to. */
export class Places {
  readonly #onTouch: (part: Part) => void
  readonly #places = new Map<string, Place>()
  /** Files that grow without any change to their folder. */
  readonly #growing = new Map<string, { readonly change: LastChange; readonly part: Part }>()

  constructor(onTouch: (part: Part) => void) {
    this.#onTouch = onTouch
  }

  watch(dir: string, partOf: Place['partOf']): void {
    if (this.#places.has(dir)) return
    const place: Place = { dir, partOf, change: new LastChange(dir), hints: undefined }
    this.#places.set(dir, place)
    this.#listen(place)
  }

  watchWorkspace(workspace: string, deliverable: string): void {
    const { inbox, quarantine, lifecycle, learnings, sessions } = workspaceLayout(workspace)
    this.watch(path.dirname(lifecycle), (name) => {
      if (name === path.basename(learnings)) return 'findings'
      // there is no such folder before the first session
      if (name === path.basename(sessions)) this.#revive()
      return name === null || name === path.basename(lifecycle) || name === 'missions' ? 'life' : undefined
    })
    this.watch(inbox, () => 'mail')
    this.watch(quarantine, () => 'mail')
    this.watch(sessions, (name) => (/\.(?:log|times)$/.test(name ?? '') ? 'log' : 'sessions'))
    this.watch(workspace, (name) => (name === null || name === deliverable ? 'deliverable' : undefined))
    this.#growing.set(learnings, { change: new LastChange(learnings), part: 'findings' })
    this.#growing.set(path.join(workspace, deliverable), {
      change: new LastChange(path.join(workspace, deliverable)),
      part: 'deliverable',
    })
  }

  /** What git notes of a worktree: its index is written last, whatever is committed. */
  watchWorktree(workspace: string): void {
    const folder = gitFolderOf(workspace)
    if (folder === undefined) return
    this.watch(folder, (name) =>
      name === null || /^(?:index|(?:ORIG_)?HEAD)$/.test(name) ? 'changes' : undefined,
    )
  }

  /** Asks the disk itself, where notices were lost or are not given. */
  look(): void {
    this.#revive()
    for (const { dir, change, partOf } of this.#places.values()) {
      if (!disk.exists(dir) || !change.happened()) continue
      const part = partOf(null)
      if (part !== undefined) this.#onTouch(part)
    }
    for (const [file, { change, part }] of this.#growing) {
      if (disk.exists(file) && change.happened()) this.#onTouch(part)
    }
  }

  close(): void {
    for (const { hints } of this.#places.values()) hints?.close()
    this.#places.clear()
  }

  #revive(): void {
    for (const place of this.#places.values()) {
      if (place.hints !== undefined) continue
      this.#listen(place)
      const part = place.hints === undefined ? undefined : place.partOf(null)
      // what came before anybody listened
      if (part !== undefined) this.#onTouch(part)
    }
  }

  #listen(place: Place): void {
    if (!disk.exists(place.dir)) return
    place.hints = directoryHints(place.dir, (name) => {
      const part = place.partOf(name)
      if (part !== undefined) this.#onTouch(part)
    })
    place.hints?.on('close', () => (place.hints = undefined))
  }
}
