import type { Progress } from '../../agents/sessions/supervise.ts'
import { activityOf } from './agent-activity.ts'
import type { CommonOptions } from './declare-command.ts'
import { formatDuration } from './parse-duration.ts'
import { LiveTable, type Ended } from './live-table.ts'
import { oneLine } from './plain-text.ts'
import { branchLine, codebaseLine, limitLine, sessionLine, unavailableLine } from './progress-words.ts'

/** Without a terminal, what the agent says is shown at most this often. */
const plainIntervalMs = 1000

export interface ProgressView {
  show(progress: Progress): void
  /** Removes what is only live; of several launches it tells how this one ended. */
  end(ended?: Ended): void
}

/**
 * Progress of launches on the standard error: at a terminal a line for each that changes, elsewhere plain lines.
 * @returns the view of each team.
 */
export function progressViews(
  options: CommonOptions,
  teams: readonly string[],
): (team: string) => ProgressView {
  if (options.quiet) return () => ({ show: () => undefined, end: () => undefined })
  const isLive = process.stderr.isTTY && process.env.TERM !== 'dumb'
  if (!isLive) return plainView
  const table = new LiveTable(teams)
  return (team) => ({
    show: (progress) => table.show(team, progress),
    end: (ended) => table.end(team, ended),
  })
}

/** Progress of one launch as plain lines. */
export function plainProgress(options: CommonOptions, team: string): ProgressView {
  return options.quiet ? { show: () => undefined, end: () => undefined } : plainView(team)
}

function plainView(team: string): ProgressView {
  // not the time of day, which may be set back meanwhile
  const begun = performance.now()
  let shownAt = -Infinity
  const say = (text: string) =>
    process.stderr.write(`[${formatDuration(performance.now() - begun)}] ${team} ${text}\n`)
  return {
    show(progress) {
      if (progress.kind === 'session') return say(`${sessionLine(progress)}, output in ${progress.log}`)
      if (progress.kind === 'branch') return say(branchLine(progress))
      if (progress.kind === 'untaken') return say(oneLine(progress.why))
      if (progress.kind === 'state') return say(progress.state)
      if (progress.kind === 'codebase') return say(codebaseLine(progress.change))
      if (progress.kind === 'limit') return say(limitLine(progress))
      if (progress.kind === 'unavailable') return say(unavailableLine(progress))
      if (progress.kind === 'idle') return say(oneLine(`waits for ${progress.waitsFor}`))
      if (performance.now() - shownAt < plainIntervalMs) return
      const activity = activityOf(progress.line)
      if (activity === '') return
      shownAt = performance.now()
      say(`  ${activity}`)
    },
    end: () => undefined,
  }
}
