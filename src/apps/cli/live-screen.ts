import { writeSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { clip } from './output.ts'

const enter = '\u001B[?1049h\u001B[?25l'
const leave = '\u001B[?25h\u001B[?1049l'

/**
 * A terminal whose whole screen is drawn again and again. However the process ends, and while it is stopped,
 * the terminal is as it was before: its text, and its cursor.
 */
export class LiveScreen {
  #layOut: (rows: number) => readonly string[] = () => []
  #isOpen = false
  readonly #redraw = () => this.#paint()
  readonly #restore = () => this.#close()
  readonly #stop = () => {
    this.#close()
    process.kill(process.pid, 'SIGSTOP')
  }
  readonly #goOn = () => this.draw(this.#layOut)

  constructor() {
    process.on('exit', this.#restore)
    process.on('SIGTSTP', this.#stop)
    process.on('SIGCONT', this.#goOn)
    process.stdout.on('resize', this.#redraw)
  }

  /** @param layOut makes the lines for a window of so many rows; asked again when that changes. */
  draw(layOut: (rows: number) => readonly string[]): void {
    this.#layOut = layOut
    if (!this.#isOpen) writeSync(1, enter)
    this.#isOpen = true
    this.#paint()
  }

  #paint(): void {
    if (!this.#isOpen) return
    // some terminals do not know their size, and say 0
    const [columns, rows] = [process.stdout.columns || 80, process.stdout.rows || 24]
    const room = Math.max(1, rows - 1)
    const text = this.#layOut(room)
      .slice(0, room)
      .map((line) => `${fitted(line, columns)}\u001B[K\n`)
      .join('')
    process.stdout.write(`\u001B[H${text}\u001B[J`)
  }

  /** Gives the terminal back. */
  end(): void {
    this.#close()
    process.off('exit', this.#restore)
    process.off('SIGTSTP', this.#stop)
    process.off('SIGCONT', this.#goOn)
    process.stdout.off('resize', this.#redraw)
  }

  #close(): void {
    if (this.#isOpen) writeSync(1, leave)
    this.#isOpen = false
  }
}

/** A line that fits; one that does not loses its colours with its end. */
function fitted(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line)
  const clipped = clip(plain, columns - 1)
  return clipped === plain ? line : `${clip(plain, columns - 2)}…`
}
