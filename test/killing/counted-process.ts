import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { packageRoot, program } from '../../src/platform/process/package.ts'
import { processStat } from '../../src/platform/process/process-identity.ts'

const preload = path.join(packageRoot, 'test', 'killing', 'preload.cjs')

/** Programs of the system only, so that no agent that is installed here takes part. */
const systemPath = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter)

/** No command of a test takes this long, in milliseconds: it hangs. */
const hangs = 120_000

/** What to run: a program with its arguments, in a folder. */
export interface Act {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
}

/** `fed` with these arguments. */
export function fed(cwd: string, ...args: string[]): Act {
  return { program: program('fed'), args, cwd }
}

/** A program of `test/workers/library.mjs`, which uses the built library. */
export function library(cwd: string, ...args: string[]): Act {
  return { program: path.join(packageRoot, 'test', 'workers', 'library.mjs'), args, cwd }
}

/** Before or after which of its calls a process gets which signal. */
export interface Point {
  /** Counted from 1. */
  readonly number: number
  readonly moment: 'before' | 'after'
}

export interface Outcome {
  /** Exit code, null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Counted extends Outcome {
  /** The calls that it made, in words, in order. */
  readonly calls: readonly string[]
}

export interface CountedProcess {
  readonly pid: number
  readonly ended: Promise<Counted>
  /** Resolves with true when it is stopped, with false when it ended without that. */
  stopped(): Promise<boolean>
  isStopped(): boolean
  goOn(): void
}

/** Starts an act; with a point, its process is killed or stopped there. */
export function start(act: Act, point?: Point & { readonly signal: 'SIGKILL' | 'SIGSTOP' }): CountedProcess {
  return startCounting(act, { ...point })
}

/** Starts an act; where it speaks with servers, also what it says counts as a call. */
export function startCounting(
  act: Act,
  order: Partial<Point> & { readonly signal?: 'SIGKILL' | 'SIGSTOP'; readonly sockets?: boolean },
): CountedProcess {
  const place = mkdtempSync(path.join(os.tmpdir(), 'fed-point-'))
  const log = path.join(place, 'calls')
  return counted(
    spawnAct(act, ['--require', preload], { FED_POINT: JSON.stringify({ log, ...order }) }),
    place,
  )
}

/** A process that writes its calls, in words, into the file `calls` of a folder of its own. */
export function counted(child: ReturnType<typeof spawnAct>, place: string): CountedProcess {
  const log = path.join(place, 'calls')
  const ended = outcomeOf(child).then((outcome) => {
    const calls = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []
    rmSync(place, { recursive: true })
    return { ...outcome, calls }
  })
  const isStopped = () => stateOf(child.pid as number) === 'T'
  return {
    pid: child.pid as number,
    ended,
    isStopped,
    goOn: () => child.kill('SIGCONT'),
    async stopped() {
      const over = ended.then(() => 'over' as const)
      for (;;) {
        if (isStopped()) return true
        const turn = new Promise((resolve) => setTimeout(resolve, 5))
        if ((await Promise.race([over, turn])) === 'over') return false
      }
    },
  }
}

/** A process's state in one letter, as the kernel says it. */
function stateOf(pid: number): string | undefined {
  if (process.platform === 'linux') return processStat(pid)?.[0]
  return spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()[0]
}

/** Runs an act to its end, uncounted; it need not wait for the disk. */
export function run(act: Act): Promise<Outcome> {
  return outcomeOf(spawnAct(act, [], { FED_DURABILITY: 'process' }))
}

/** Starts an act as the first of a process group of its own, by which it is killed. */
export function spawnAct({ program: file, args, cwd }: Act, options: string[], env: Record<string, string>) {
  // as a user has it: no word on durability, so that what makes things durable is counted too
  const inherited = Object.entries(process.env).filter(([name]) => !/^(FED_|NO_COLOR|OTEL_)/.test(name))
  return spawn(process.execPath, [...options, file, ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...Object.fromEntries(inherited), PATH: systemPath, FED_TELEMETRY_ENABLED: 'false', ...env },
  })
}

async function outcomeOf(child: ReturnType<typeof spawnAct>): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const limit = setTimeout(() => {
    stderr += `it was still running after ${hangs} ms`
    process.kill(-(child.pid as number), 'SIGKILL')
  }, hangs)
  // not its output's end: what it started and left behind may hold that open
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  clearTimeout(limit)
  await drained(child, () => stdout.length + stderr.length)
  return { code, signal, stdout, stderr }
}

/** Reads what a process that is gone left in its pipes: on, until a turn of the event loop brings nothing more. */
async function drained(child: ReturnType<typeof spawnAct>, length: () => number): Promise<void> {
  for (let before = -1; before !== length();) {
    before = length()
    // between two of these, whatever can be read is read
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  child.stdout.destroy()
  child.stderr.destroy()
}
