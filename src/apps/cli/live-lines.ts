import { stripVTControlCharacters } from 'node:util'
import { columnsOf } from './plain-text.ts'

const wipe = '\r\u001B[2K'
const up = '\u001B[1A'

/** The last lines of a terminal, painted again and again; what is printed meanwhile stays above them. */
class LiveLines {
  /** The lines as they stand on the terminal. */
  #painted: readonly string[] = []

  paint(lines: readonly string[]): void {
    process.stderr.write(this.#wiped() + lines.join('\n'))
    this.#painted = lines
  }

  /** Prints a text that stays, above the painted lines. */
  say(text: string): void {
    const painted = this.#painted
    process.stderr.write(`${this.#wiped()}${text}\n${painted.join('\n')}`)
  }

  end(): void {
    process.stderr.write(`${this.#wiped()}${wipe}`)
    this.#painted = []
    if (present === this) present = undefined
  }

  /** Control codes that clear the painted lines, last first; in a narrower window a line takes more rows. */
  #wiped(): string {
    const columns = process.stderr.columns || 80
    const rows = this.#painted.reduce((sum, line) => sum + rowsOf(line, columns), 0)
    return rows === 0 ? '' : wipe + `${up}${wipe}`.repeat(rows - 1)
  }
}

/** How many rows a line takes; a wide character goes to the next row as a whole. */
function rowsOf(line: string, columns: number): number {
  let rows = 1
  let used = 0
  for (const character of stripVTControlCharacters(line)) {
    const wide = columnsOf(character)
    if (used + wide > columns) {
      rows += 1
      used = 0
    }
    used += wide
  }
  return rows
}

let present: LiveLines | undefined

export function openLiveLines(): LiveLines {
  present = new LiveLines()
  return present
}

/** Prints a line on the standard error, above the painted lines where there are any. */
export function sayOnError(line: string): void {
  if (present === undefined) process.stderr.write(`${line}\n`)
  else present.say(line)
}
