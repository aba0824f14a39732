import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { pathWith } from './fed.ts'

/** Whether util-linux's `script` is here, which gives a command a terminal; macOS and BSD have another one. */
export const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

const open = new Set<ChildProcess>()
process.once('exit', () => {
  for (const terminal of open) terminal.kill('SIGTERM')
})

/** A command at a pseudo-terminal, and somebody who reads and types. */
export interface Terminal {
  /** Everything shown so far, without what moves the cursor or colours. */
  shown(): string
  /** Resolves when a text is shown that was not there at the last `see`. */
  see(text: string): Promise<void>
  type(keys: string): void
  readonly exitCode: Promise<number | null>
}

/** Keys that are no letters. */
export const keys = { enter: '\r', down: '\u001B[B', interrupt: '\u0003', end: '\u0004', tab: '\t' }

export function openTerminal(
  cwd: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Terminal {
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('script', ['-qefc', `stty cols 80 rows 30; exec ${quoted}`, '/dev/null'], {
    cwd,
    env: { PATH: pathWith({}), FED_DURABILITY: 'process', TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  open.add(child)
  child.once('exit', () => open.delete(child))
  child.stdin.on('error', () => undefined)
  let text = ''
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more))
  const ended = once(child, 'close')
  const shown = () => stripVTControlCharacters(text)
  return {
    shown,
    async see(wanted) {
      for (;;) {
        const at = shown().indexOf(wanted, seen)
        if (at >= 0) {
          seen = at + wanted.length
          return
        }
        if (child.exitCode !== null) throw new Error(`'${wanted}' was never shown, but:\n${shown()}`)
        await Promise.race([once(child.stdout, 'data'), ended])
      }
    },
    type: (typed) => void child.stdin.write(typed),
    exitCode: ended.then(([code]) => code as number | null),
  }
}
