import type { Dispatched } from '../../agents/dispatch/dispatch.ts'
import type { Spent } from '../../agents/usage/session-usage.ts'
import type { GoalStatus } from '../../federation/goal/goal-status.ts'
import type { Team } from '../../federation/team.ts'
import { activityOf } from './agent-activity.ts'
import type { CommonOptions } from './declare-command.ts'
import { goalLines } from './goal-text.ts'
import { openLiveLines } from './live-lines.ts'
import { clip, note } from './output.ts'
import { formatDuration } from './parse-duration.ts'
import { oneLine } from './plain-text.ts'
import { limitLine, unavailableLine } from './progress-words.ts'

/** What teams have used up, by their ids. */
type Costs = ReadonlyMap<string, Spent>

/** What a person sees of a goal while it is worked on: at a terminal lines that change, elsewhere what is new. */
export interface GoalView {
  /** @param costs what each team has used up. */
  show(status: GoalStatus, costs: Costs): void
  tell(team: Team, happened: Dispatched): void
  /** Removes what is only live. */
  end(): void
}

const repaintMs = 200

export function openGoalView(options: CommonOptions): GoalView {
  if (options.quiet) return { show: () => undefined, tell: () => undefined, end: () => undefined }
  return process.stderr.isTTY && process.env.TERM !== 'dumb' ? new LiveGoal() : new PlainGoal(options)
}

class LiveGoal implements GoalView {
  readonly #lines = openLiveLines()
  readonly #words = new Map<string, string>()
  readonly #repaint = () => this.#paint()
  readonly #timer = setInterval(this.#repaint, repaintMs)
  #status: GoalStatus | undefined
  #costs: Costs = new Map()

  show(status: GoalStatus, costs: Costs): void {
    this.#status = status
    this.#costs = costs
    this.#paint()
  }

  tell({ id }: Team, happened: Dispatched): void {
    if (happened.kind === 'stopped') return this.#lines.say(`! ${id} ${oneLine(happened.error.message)}`)
    if (happened.kind === 'ended') return void this.#words.delete(id)
    const { progress } = happened
    if (progress.kind === 'activity')
      this.#words.set(id, activityOf(progress.line) || (this.#words.get(id) ?? ''))
    else if (progress.kind === 'idle') this.#words.set(id, oneLine(`waits for ${progress.waitsFor}`))
    else if (progress.kind === 'limit') this.#words.set(id, limitLine(progress))
    else if (progress.kind === 'unavailable') this.#words.set(id, unavailableLine(progress))
  }

  end(): void {
    clearInterval(this.#timer)
    this.#lines.end()
  }

  #paint(): void {
    if (this.#status === undefined) return
    const [columns, rows] = [(process.stderr.columns || 80) - 1, process.stderr.rows || 24]
    const lines = goalLines(this.#status, this.#words, this.#costs)
    const room = Math.max(1, rows - 2)
    const shown =
      lines.length <= room
        ? lines
        : [...lines.slice(0, room - 1), `and ${lines.length - room + 1} lines more`]
    this.#lines.paint(shown.map((line) => clip(line, columns)))
  }
}

class PlainGoal implements GoalView {
  readonly #options: CommonOptions
  readonly #begun = performance.now()
  readonly #said = new Set<string>()
  #state = ''
  readonly #states = new Map<string, string>()

  constructor(options: CommonOptions) {
    this.#options = options
  }

  show({ coordinator, state, tasks, needs }: GoalStatus): void {
    if (state !== this.#state) this.#say(`${coordinator} ${(this.#state = state)}`)
    for (const { task, state: now, team, waitsFor, reason } of tasks) {
      const why = waitsFor === '' ? (reason ?? '') : `waits for ${waitsFor}`
      const told = `${now}${why === '' ? '' : `: ${why}`}`
      if (this.#states.get(task) === told) continue
      this.#states.set(task, told)
      this.#say(`${task} ${told}${now === 'running' ? ` (${team})` : ''}`)
    }
    for (const need of needs) if (!this.#said.has(need)) this.#say(`needs you: ${need}`)
    for (const need of needs) this.#said.add(need)
  }

  tell({ id }: Team, happened: Dispatched): void {
    if (happened.kind === 'stopped') this.#say(`${id} ${happened.error.message}`)
    if (happened.kind !== 'progress') return
    const { progress } = happened
    if (progress.kind === 'limit') this.#say(`${id} ${limitLine(progress)}`)
    if (progress.kind === 'unavailable') this.#say(`${id} ${unavailableLine(progress)}`)
  }

  end(): void {
    // every line stays
  }

  #say(text: string): void {
    note(this.#options, `[${formatDuration(performance.now() - this.#begun)}] ${text}`)
  }
}
