import { lstatSync } from 'node:fs'
import { watchDirectory } from '../../records/signals/watch.ts'
import type { Post, TrayTask } from './answer-request.ts'
import path from 'node:path'
import type { Folder } from '../../platform/storage/open-folder.ts'
import { named, openFolder } from '../../platform/storage/held-folders.ts'
import { trayName } from '../../protocol/tray.ts'

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

/** The two ends of a session's tray, held open. */
interface TrayFolders {
  readonly tray: Folder
  readonly answers: Folder
  close(): void
  /** Removes both with what they hold. */
  remove(): void
}

/** Opens both ends of a session's tray, and makes them where there are none. */
function openTray(workspace: string, session: { mission: number; number: number }): TrayFolders {
  const held: Folder[] = []
  const open = (folder: Folder) => {
    held.push(folder)
    return folder
  }
  const close = () => held.splice(0).forEach((folder) => folder.close())
  try {
    const fed = open(openFolder(path.join(workspace, '.fed')))
    const name = trayName(session)
    const both = [open(fed.make('tray')), open(fed.make('answers'))] as const
    const [tray, answers] = [open(both[0].make(name)), open(both[1].make(name))]
    const remove = () => both.forEach((folder) => folder.remove(name))
    return { tray, answers, close, remove }
  } catch (error) {
    const told = held.reduce<unknown>(named, error)
    close()
    throw told
  }
}
