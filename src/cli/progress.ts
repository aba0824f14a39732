import type { BegunBranch } from '../sessions/begin-branch.ts'
import { describeChanges, type CodebaseChange } from '../sessions/codebase-change.ts'
import type { Progress } from '../sessions/supervise.ts'
import { activityOf } from './activity.ts'
import type { CommonOptions } from './command.ts'
import { formatDuration } from './duration.ts'
import { clip } from './output.ts'
import { oneLine } from './plain-text.ts'

/** Without a terminal, what the agent says is shown at most this often. */
const plainIntervalMs = 1000
const repaintMs = 100
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const wipe = '\r\u001B[2K'

export interface ProgressView {
  show(progress: Progress): void
  /** Removes what is only live. */
  end(): void
}

/**
 * Progress of one launch on the standard error: one line that changes at a terminal, plain lines elsewhere
 * and where several launches share the terminal.
 */
export function progressView(options: CommonOptions, team: string, isAlone = true): ProgressView {
  if (options.quiet) return { show: () => undefined, end: () => undefined }
  const isLive = process.stderr.isTTY && isAlone && process.env.TERM !== 'dumb'
  return isLive ? liveView(team) : plainView(team)
}

function sessionLine({ number, agent, hold }: Extract<Progress, { kind: 'session' }>): string {
  return oneLine([`session ${number} of ${agent}`, ...(hold === undefined ? [] : [hold])].join(', '))
}

function branchLine({ branch, target, commit, rescued }: BegunBranch): string {
  const kept = rescued.map(({ ref }) => ref).join(', ')
  const begins = `${branch} begins at ${commit.slice(0, 12)} of ${target}`
  return oneLine(kept === '' ? begins : `${begins}; what it held before is kept as ${kept}`)
}

function codebaseLine(change: CodebaseChange): string {
  return oneLine(
    `the codebase changed meanwhile: ${describeChanges(change)}; ${change.whoDidIt}; patch in ${change.patch}`,
  )
}

function limitLine({ until, words }: { readonly until: number; readonly words: string }): string {
  return oneLine(`waits until ${new Date(until).toISOString()}: its agent is over a limit: ${words}`)
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
      if (progress.kind === 'state') return say(progress.state)
      if (progress.kind === 'codebase') return say(codebaseLine(progress.change))
      if (progress.kind === 'limit') return say(limitLine(progress))
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

function liveView(team: string): ProgressView {
  const begun = performance.now()
  const colour = !process.env.NO_COLOR
  const dim = (text: string) => (colour ? `\u001B[2m${text}\u001B[22m` : text)
  const bold = (text: string) => (colour ? `\u001B[1m${text}\u001B[22m` : text)
  const width = () => (process.stderr.columns || 80) - 1
  let state = ''
  let stateSince = begun
  let activity = ''
  let frame = 0
  const paint = () => {
    if (state === '') return
    frame += 1
    const head = clip(`${frames[frame % frames.length]} ${team} `, width() - state.length)
    const elapsed = ` ${formatDuration(performance.now() - begun)}  `
    const room = width() - head.length - state.length - elapsed.length
    process.stderr.write(`${wipe}${head}${bold(state)}${room < 0 ? '' : elapsed}${dim(clip(activity, room))}`)
  }
  const timer = setInterval(paint, repaintMs)
  const settle = () => {
    if (state !== '')
      process.stderr.write(
        `${wipe}✓ ${team} ${state} ${dim(formatDuration(performance.now() - stateSince))}\n`,
      )
  }
  return {
    show(progress) {
      // the next repaint shows it: an agent may print faster than a terminal paints
      if (progress.kind === 'activity') activity = activityOf(progress.line) || activity
      if (progress.kind === 'idle') activity = oneLine(`waits for ${progress.waitsFor}`)
      if (progress.kind === 'session')
        process.stderr.write(`${wipe}${dim(clip(`· ${team} ${sessionLine(progress)}`, width()))}\n`)
      if (progress.kind === 'branch')
        process.stderr.write(`${wipe}${dim(clip(`· ${team} ${branchLine(progress)}`, width()))}\n`)
      if (progress.kind === 'codebase')
        process.stderr.write(`${wipe}! ${team} ${codebaseLine(progress.change)}\n`)
      if (progress.kind === 'limit') process.stderr.write(`${wipe}! ${team} ${limitLine(progress)}\n`)
      if (progress.kind !== 'state') return
      settle()
      state = progress.state
      stateSince = performance.now()
      activity = ''
      paint()
    },
    end() {
      clearInterval(timer)
      state = ''
      process.stderr.write(wipe)
    },
  }
}
