import type { Disk } from '../../src/platform/storage/disk.ts'

interface Inode {
  text: string
  readonly changedAt: number
}

type Place = readonly [names: Map<string, Inode>, name: string]

/** A file system in memory: folders of names, hard links to inodes, and a clock that only the scheduler moves. */
export class SimulatedDisk implements Disk {
  now = 0
  readonly #folders = new Map<string, Map<string, Inode>>()
  readonly #places = new Map<string, Place>()

  #folder(file: string): Place {
    let place = this.#places.get(file)
    if (place === undefined) this.#places.set(file, (place = this.#newPlace(file)))
    return place
  }

  #newPlace(file: string): Place {
    const slash = file.lastIndexOf('/')
    const dir = file.slice(0, slash)
    let names = this.#folders.get(dir)
    if (names === undefined) this.#folders.set(dir, (names = new Map()))
    return [names, file.slice(slash + 1)]
  }

  #inode(file: string): Inode | undefined {
    const [names, name] = this.#folder(file)
    return names.get(name)
  }

  read(file: string): string | undefined {
    return this.#inode(file)?.text
  }

  exists(file: string): boolean {
    return this.#inode(file) !== undefined
  }

  list(dir: string): string[] {
    return [...(this.#folders.get(dir)?.keys() ?? [])]
  }

  age(file: string): number | undefined {
    const inode = this.#inode(file)
    return inode === undefined ? undefined : this.now - inode.changedAt
  }

  size(file: string): number | undefined {
    return this.#inode(file)?.text.length
  }

  create(file: string, text: string): void {
    const [names, name] = this.#folder(file)
    if (names.has(name)) throw new Error(`EEXIST: ${file}`)
    names.set(name, { text, changedAt: this.now })
  }

  link(existing: string, file: string): boolean {
    const inode = this.#inode(existing)
    if (inode === undefined) throw new Error(`ENOENT: ${existing}`)
    const [names, name] = this.#folder(file)
    if (names.has(name)) return false
    names.set(name, inode)
    return true
  }

  rename(from: string, to: string): void {
    const [names, name] = this.#folder(from)
    const inode = names.get(name)
    if (inode === undefined) throw new Error(`ENOENT: ${from}`)
    names.delete(name)
    const [targets, target] = this.#folder(to)
    targets.set(target, inode)
  }

  unlink(file: string): boolean {
    const [names, name] = this.#folder(file)
    return names.delete(name)
  }

  syncDirectory(): void {}
}
