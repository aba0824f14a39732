import { existsSync } from 'node:fs'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import { LastChange } from '../platform/storage/last-change.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'

/** Tells whether a workspace may have changed since it was asked last, with one look at each of its places. */
export class Workspace {
  readonly #places: LastChange[]
  readonly #sessions: string
  /** There is no such folder before the first session. */
  #hasSessions = false

  constructor(workspace: string) {
    const { inbox, outbox, lifecycle, sessions } = workspaceLayout(workspace)
    const places = [inbox, outbox, lifecycle, versionsDirectory(lifecycle)]
    this.#places = places.map((place) => new LastChange(place))
    this.#sessions = sessions
  }

  /** Ask it before looking: what changes meanwhile is seen the next time. */
  hasChanged(): boolean {
    if (!this.#hasSessions && existsSync(this.#sessions)) {
      this.#hasSessions = true
      this.#places.push(new LastChange(this.#sessions))
    }
    let any = false
    // each is asked, whatever the others say: from now on it is watched
    for (const place of this.#places) if (place.happened()) any = true
    return any
  }
}
