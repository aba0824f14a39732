import path from 'node:path'
import { survey } from './survey.ts'
import type { Survey } from './survey.ts'

/** Where a federation keeps what its surveys remember; nothing in there is ever needed. */
const cacheFolderOf = (root: string): string => path.join(root, '.fed', 'cache', 'survey')

/** The survey, made once for a process; between processes the cache makes it nearly free. */
export class Study {
  readonly #root: string
  readonly #say: (line: string) => void
  #survey: Promise<Survey> | undefined
  #told = 0

  constructor(root: string, say: (line: string) => void) {
    this.#root = root
    this.#say = say
  }

  /** Begins the survey beside other work. What goes wrong is told to whoever asks for the survey. */
  begin(): void {
    this.survey().catch(() => undefined)
  }

  survey(): Promise<Survey> {
    return (this.#survey ??= survey(this.#root, {
      cacheFolder: cacheFolderOf(this.#root),
      onRead: (file) => {
        // Ten lines a second are as many as anybody can read.
        const now = performance.now()
        if (now - this.#told < 100) return
        this.#told = now
        this.#say(`reading ${file}`)
      },
    }))
  }
}
