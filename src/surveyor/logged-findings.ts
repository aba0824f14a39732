import path from 'node:path'
import { readBlocks, replaceBlocks } from './checked-blocks.ts'
import { cacheFolderOf } from './study.ts'

const LABEL = 'fed-logged-1'

/** Which findings of a mission are in the learning log already, so that an agent that was killed does not log them twice. */
export class LoggedFindings {
  readonly #file: string
  readonly #mission: string
  readonly #texts: Set<string>

  constructor(root: string, team: string, mission: string) {
    this.#file = path.join(cacheFolderOf(root), `logged-${team}`)
    this.#mission = mission
    const known = readBlocks(this.#file, LABEL).blocks[0] as { mission: string; texts: string[] } | undefined
    this.#texts = new Set(known?.mission === mission ? known.texts : [])
  }

  has(text: string): boolean {
    return this.#texts.has(text)
  }

  add(text: string): void {
    this.#texts.add(text)
    replaceBlocks(this.#file, LABEL, { mission: this.#mission, texts: [...this.#texts] })
  }
}
