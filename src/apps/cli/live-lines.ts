import { stripVTControlCharacters } from 'node:util'

const wipe = '\r\u001B[2K'
const up = '\u001B[1A'

/** The last lines of a terminal, which are painted again and again; what is said meanwhile stays above them. */
class LiveLines {
  /** The lines as they stand on the terminal. */
  #painted: readonly string[] = []

  paint(lines: readonly string[]): void {
    process.stderr.write(this.#wiped() + lines.join('\n'))
    this.#painted = lines
  }

  /** Says something that stays. */
  say(text: string): void {
    const painted = this.#painted
    process.stderr.write(`${this.#wiped()}${text}\n${painted.join('\n')}`)
  }

  end(): void {
    process.stderr.write(`${this.#wiped()}${wipe}`)
    this.#painted = []
    if (present === this) present = undefined
  }

  /** Takes them away, from the last to the first; in a window that became narrower they are more than they were. */
  #wiped(): string {
    const columns = process.stderr.columns || 80
    const rows = this.#painted.reduce((sum, line) => sum + rowsOf(line, columns), 0)
    return rows === 0 ? '' : wipe + `${up}${wipe}`.repeat(rows - 1)
  }
}

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil([...stripVTControlCharacters(line)].length / columns))
}

let present: LiveLines | undefined

export function openLiveLines(): LiveLines {
  present = new LiveLines()
  return present
}

/** Says a line on the standard error, above what is live there. */
export function sayOnError(line: string): void {
  if (present === undefined) process.stderr.write(`${line}\n`)
  else present.say(line)
}
