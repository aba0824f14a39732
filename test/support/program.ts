import { spawn } from 'node:child_process'
import { once } from 'node:events'

interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

interface Program {
  readonly ended: Promise<Ended>
  kill(): void
  /** Resolves when the program has written this many whole lines, or has ended. */
  lines(count: number): Promise<void>
}

/** Starts a bundled program with node. */
export function start(
  file: string,
  args: readonly string[],
  options: { env?: Record<string, string> } = {},
): Program {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }))
  return {
    ended,
    kill: () => child.kill('SIGKILL'),
    async lines(count) {
      while (stdout.split('\n').length <= count && child.exitCode === null && child.signalCode === null) {
        await Promise.race([once(child.stdout, 'data'), ended])
      }
    },
  }
}
