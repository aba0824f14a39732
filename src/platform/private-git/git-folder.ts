import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * A folder of git's in which an agent may have left anything: links, pipes, folders in the place of files. While
 * nobody works in it, what fed needs is laid over that without following any.
 */
export class GitFolder {
  readonly #dir: string
  /** Folder of fed's own on the same file system. */
  readonly #aside: string

  constructor(dir: string, aside: string) {
    this.#dir = dir
    this.#aside = aside
  }

  /** Makes sure that a folder is one, and no link on the way to it. @returns its path. */
  folder(name: string): string {
    let place = this.#dir
    for (const part of name.split('/').filter((one) => one !== '')) {
      place = path.join(place, part)
      const found = lstatSync(place, { throwIfNoEntry: false })
      if (found !== undefined && !found.isDirectory()) rmSync(place, { force: true })
      if (!found?.isDirectory()) mkdirSync(place, { mode: 0o700 })
    }
    return place
  }

  /** Gives a file this content, whole, whatever was there. */
  put(name: string, text: string): void {
    const file = path.join(
      this.folder(path.dirname(name) === '.' ? '' : path.dirname(name)),
      path.basename(name),
    )
    const temporary = path.join(this.#aside, 'new')
    rmSync(temporary, { recursive: true, force: true })
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) rmSync(file, { recursive: true })
    renameSync(temporary, file)
  }

  /** Removes a file or a folder with all that is in it, of which nothing is followed. */
  remove(name: string): void {
    const parent = path.dirname(name)
    const place = path.join(parent === '.' ? this.#dir : this.folder(parent), path.basename(name))
    rmSync(place, { recursive: true, force: true })
  }
}
