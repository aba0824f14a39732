import type { Progress } from '../../agents/sessions/supervise.ts'
import { activityOf } from './agent-activity.ts'
import { columnsOf, oneLine } from './plain-text.ts'
import type { Conclusion } from './conclusion.ts'
import { formatDuration } from './parse-duration.ts'
import { openLiveLines } from './live-lines.ts'
import { clip } from './output.ts'
import { branchLine, codebaseLine, limitLine, sessionLine, unavailableLine } from './progress-words.ts'

const repaintMs = 100
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** How a launch ended. */
export type Ended = Pick<Conclusion, 'state' | 'exitCode'>

/** What is known of a team's launch. */
interface Row {
  readonly team: string
  state: string
  /** When it came to that state; not the time of day, which may be set back meanwhile. */
  since: number
  session: number | undefined
  /** The last that its agent said, or for what it waits. */
  word: string
  isIdle: boolean
}

/**
 * Launches at a terminal: a line for each that is under way, and above them what stays. One that is alone tells each
 * state that is over; of several only how each ended, and what somebody should know.
 */
export class LiveTable {
  readonly #rows: Map<string, Row>
  readonly #isAlone: boolean
  readonly #lines = openLiveLines()
  readonly #repaint = () => this.#paint()
  readonly #timer: NodeJS.Timeout
  readonly #begun = performance.now()
  #frame = 0

  constructor(teams: readonly string[]) {
    const since = this.#begun
    const rows = teams.map((team): Row => ({
      team,
      state: '',
      since,
      session: undefined,
      word: '',
      isIdle: false,
    }))
    this.#rows = new Map(rows.map((row) => [row.team, row]))
    this.#isAlone = teams.length === 1
    this.#timer = setInterval(this.#repaint, repaintMs)
    process.stderr.on('resize', this.#repaint)
  }

  show(team: string, progress: Progress): void {
    const row = this.#rows.get(team)
    if (row === undefined) return
    row.isIdle = ['idle', 'limit', 'unavailable'].includes(progress.kind)
    switch (progress.kind) {
      case 'activity':
        // the next repaint shows it: an agent may print faster than a terminal paints
        row.word = activityOf(progress.line) || row.word
        return
      case 'idle':
        row.word = oneLine(`waits for ${progress.waitsFor}`)
        return
      case 'session':
        row.session = progress.number
        if (this.#isAlone) this.#sayDimmed(`· ${team} ${sessionLine(progress)}`)
        return
      case 'branch':
        return this.#sayDimmed(`· ${team} ${branchLine(progress)}`)
      case 'untaken':
        return this.#lines.say(`! ${team} ${oneLine(progress.why)}`)
      case 'codebase':
        return this.#lines.say(`! ${team} ${codebaseLine(progress.change)}`)
      case 'limit':
      case 'unavailable':
        row.word = progress.kind === 'limit' ? limitLine(progress) : unavailableLine(progress)
        return this.#lines.say(`! ${team} ${row.word}`)
      case 'state':
        if (this.#isAlone) this.#settle(row)
        Object.assign(row, { state: progress.state, since: performance.now(), word: '' })
        this.#paint()
        return
      default:
        progress satisfies never
    }
  }

  /** The launch of a team is over, once. */
  end(team: string, ended?: Ended): void {
    if (!this.#rows.delete(team)) return
    if (ended !== undefined && !this.#isAlone) {
      const took = formatDuration(performance.now() - this.#begun)
      this.#lines.say(`${ended.exitCode === 0 ? '✓' : '✗'} ${team} ${ended.state} ${dim(took)}`)
    }
    if (this.#rows.size > 0) return
    clearInterval(this.#timer)
    process.stderr.off('resize', this.#repaint)
    this.#lines.end()
  }

  #settle({ team, state, since }: Row): void {
    if (state === '') return
    this.#lines.say(`✓ ${team} ${state} ${dim(formatDuration(performance.now() - since))}`)
  }

  #sayDimmed(text: string): void {
    this.#lines.say(dim(clip(text, width())))
  }

  #paint(): void {
    this.#frame += 1
    const rows = [...this.#rows.values()].filter(({ state }) => state !== '')
    // those that wait for somebody else give way first
    const inOrder = rows.toSorted((a, b) => Number(a.isIdle) - Number(b.isIdle))
    const rowsOfWindow = process.stderr.rows || 24
    const room = Math.max(1, rowsOfWindow - 2)
    const shown = inOrder.length > room ? inOrder.slice(0, Math.max(1, room - 1)) : inOrder
    const hidden = inOrder.slice(shown.length)
    const widths = {
      team: Math.max(...shown.map(({ team }) => team.length)),
      state: Math.max(...shown.map(({ state }) => state.length)),
    }
    const lines = shown.map((row) => this.#line(row, widths))
    if (hidden.length > 0 && rowsOfWindow > 1)
      lines.push(dim(clip(`and ${hidden.length} more: ${countedStates(hidden)}`, width())))
    this.#lines.paint(lines)
  }

  /** The state goes before all else, and what the agent says gets what is left. */
  #line(row: Row, widths: { readonly team: number; readonly state: number }): string {
    const { team, state, since, session, word, isIdle } = row
    const sign = isIdle ? '·' : frames[this.#frame % frames.length]
    const head = `${clip(`${sign} ${team.padEnd(widths.team)}`, width() - state.length - 1)} `
    const cells = [
      formatDuration(performance.now() - since).padEnd(7),
      ...(this.#isAlone ? [] : [session === undefined ? '' : `session ${session}`]).map((cell) =>
        cell.padEnd(9),
      ),
    ]
    let line = `${head}${bold(state)}`
    let room = width() - columnsOf(head) - state.length
    const gap = widths.state - state.length
    for (const cell of cells) {
      const text = `${cell === cells[0] ? ' '.repeat(gap) : ''} ${cell}`
      if (text.trimEnd().length > room) return line
      line += text.slice(0, room)
      room -= text.length
    }
    return room > 1 ? `${line} ${dim(clip(word, room - 1))}` : line
  }
}

/** Such as `12 scanning, 3 preparing`. */
function countedStates(rows: readonly Row[]): string {
  const counts = new Map<string, number>()
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ')
}

/** A line that is full would break in some terminals. */
function width(): number {
  return (process.stderr.columns || 80) - 1
}

function dim(text: string): string {
  return process.env.NO_COLOR ? text : `\u001B[2m${text}\u001B[22m`
}

function bold(text: string): string {
  return process.env.NO_COLOR ? text : `\u001B[1m${text}\u001B[22m`
}
