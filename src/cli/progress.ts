import type { Progress } from '../sessions/launch.ts'
import type { CommonOptions } from './command.ts'
import { formatDuration } from './duration.ts'

/** Without a terminal, what the agent says is shown at most this often. */
const plainIntervalMs = 1000
const repaintMs = 100
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export interface ProgressView {
  show(progress: Progress): void
  /** Removes what is only live. */
  end(): void
}

/** Live progress of one launch on the standard error: one line that changes at a terminal, plain lines elsewhere. */
export function progressView(options: CommonOptions, team: string): ProgressView {
  if (options.quiet) return { show: () => undefined, end: () => undefined }
  return process.stderr.isTTY ? liveView(team) : plainView(team)
}

function plainView(team: string): ProgressView {
  const begun = Date.now()
  let shownAt = 0
  const say = (text: string) =>
    process.stderr.write(`[${formatDuration(Date.now() - begun)}] ${team} ${text}\n`)
  return {
    show(progress) {
      if (progress.kind === 'session')
        return say(`session ${progress.number} of ${progress.agent}, output in ${progress.log}`)
      if (progress.kind === 'state') return say(progress.state)
      if (Date.now() - shownAt < plainIntervalMs) return
      shownAt = Date.now()
      say(`  ${progress.line}`)
    },
    end: () => undefined,
  }
}

function liveView(team: string): ProgressView {
  const begun = Date.now()
  const colour = process.env.NO_COLOR === undefined
  const dim = (text: string) => (colour ? `\u001B[2m${text}\u001B[22m` : text)
  const bold = (text: string) => (colour ? `\u001B[1m${text}\u001B[22m` : text)
  let state = ''
  let stateSince = begun
  let activity = ''
  let frame = 0
  const paint = () => {
    if (state === '') return
    frame += 1
    const head = `${frames[frame % frames.length]} ${team} `
    const elapsed = formatDuration(Date.now() - begun)
    const room = (process.stderr.columns ?? 80) - head.length - state.length - elapsed.length - 5
    const tail = [...activity].slice(0, Math.max(0, room)).join('')
    process.stderr.write(`\r\u001B[2K${head}${bold(state)} ${elapsed}  ${dim(tail)}`)
  }
  const timer = setInterval(paint, repaintMs)
  const settle = () => {
    if (state !== '')
      process.stderr.write(`\r\u001B[2K✓ ${team} ${state} ${dim(formatDuration(Date.now() - stateSince))}\n`)
  }
  return {
    show(progress) {
      if (progress.kind === 'activity') activity = progress.line
      if (progress.kind === 'state') {
        settle()
        state = progress.state
        stateSince = Date.now()
        activity = ''
      }
      paint()
    },
    end() {
      clearInterval(timer)
      process.stderr.write('\r\u001B[2K')
    },
  }
}
