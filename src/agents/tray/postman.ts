import { lstatSync } from 'node:fs'
import { watchDirectory } from '../../records/signals/watch.ts'
import type { Post, TrayTask } from './answer-request.ts'
import { openTray, type TrayFolders } from './tray-folders.ts'

const nameOfRequest = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/

/** Has a request answered; resolves when that is done, or given up. */
export type Answering = (task: TrayTask, signal: AbortSignal) => Promise<void>

/**
 * Has every request of a session's tray answered. Killed anywhere, whoever serves the tray next does the rest: what a
 * request does it does once, however often it is carried out.
 */
export class Postman {
  readonly #post: Post
  readonly #answer: Answering
  readonly #folders: TrayFolders
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #gone = new AbortController()

  constructor(post: Post, answer: Answering) {
    this.#post = post
    this.#answer = answer
    this.#folders = openTray(post.workspace, post)
  }

  /** Where the answers lie. */
  get answers(): TrayFolders['answers'] {
    return this.#folders.answers
  }

  /** Serves what comes. @returns a function that ends that. */
  serve(): () => void {
    const look = () => void this.#takeAll()
    const stop = watchDirectory(this.#folders.tray.path, look)
    look()
    return stop
  }

  /** Serves what lies there, once, and ends what takes long: nobody asks any more. */
  async finish(): Promise<void> {
    this.#gone.abort()
    const tried = new Set<string>()
    for (;;) {
      for (const name of this.#takeAll(tried)) tried.add(name)
      if (this.#underWay.size === 0) return
      await Promise.all(this.#underWay.values())
    }
  }

  /** Removes the tray with all that is in it. */
  remove(): void {
    this.#folders.remove()
    this.#folders.close()
  }

  /** Begins to serve whatever is not under way, in the order in which it was asked; returns its names. */
  #takeAll(without: ReadonlySet<string> = new Set()): string[] {
    const { tray, answers } = this.#folders
    const taken = tray
      .list()
      .filter((name) => nameOfRequest.test(name) && !this.#underWay.has(name) && !without.has(name))
      .map((name) => ({ name, at: lstatSync(tray.at(name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .toSorted((a, b) => a.at - b.at)
    for (const { name } of taken) {
      const task = { post: this.#post, tray: tray.path, answers: answers.path, name }
      const answered = this.#answer(task, this.#gone.signal).finally(() => this.#underWay.delete(name))
      this.#underWay.set(name, answered)
    }
    return taken.map(({ name }) => name)
  }
}
