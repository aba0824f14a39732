import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { outsideOfHooks } from '../git/git-start.ts'
import { program } from './package.ts'
import { printable } from '../../errors/printable.ts'
import type { Command, Exceeded } from './command.ts'
import { exceededBy } from './exceeded.ts'
import { ProcessOutput } from './process-output.ts'
import { bearersOf, dwellersIn, endAll, endGroup, hasMembers } from './process-group.ts'

/** Time that processes have to end by themselves once the command ended: some notice it late; in milliseconds. */
const settleMs = 2000
const pollMs = 20

export interface GatedRun {
  /** File for what it prints, absolute. */
  readonly log: string
  /** Ends it when it is aborted. */
  readonly signal: AbortSignal
  /** Gets what it prints, beside the log. */
  readonly onOutput: (chunk: Buffer) => void
  /** What it gets instead of this process's environment. */
  readonly environment?: NodeJS.ProcessEnv
  /** Name of a variable that it bears with the value 1, by which what it leaves behind is found. */
  readonly mark?: string
  /** A folder of its own, by which what it leaves there is found as well, whatever its environment. */
  readonly place?: string
  readonly timeoutMs?: number
}

export interface GatedEnd {
  readonly exitCode: number
  readonly timedOut: boolean
  /** What it used up more of than it may, for which it was ended. */
  readonly exceeded: Exceeded | undefined
  /** Processes that went on after it, as a person would name them; they were ended. */
  readonly left: readonly string[]
}

/**
 * Runs a command behind a gate and in a process group of its own, so that nothing of it outlives this process,
 * however that ends.
 * @returns when nothing of it runs.
 * @throws the system's error when its output could not be kept; it was ended then.
 */
export async function runBehindGate(
  command: Command,
  { log, signal, onOutput, environment = outsideOfHooks(), mark, place, timeoutMs }: GatedRun,
): Promise<GatedEnd> {
  const gate = spawn(process.execPath, [program('gate')], {
    stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'ipc'],
    env: environment,
    // a process group of its own, which ends as a whole
    detached: true,
  }) as ChildProcessWithoutNullStreams
  // a gate that is gone already is told by its exit
  gate.stdin.on('error', () => undefined)
  const { pid } = gate
  if (pid === undefined) throw new FedError(`${command.file} could not be started`)
  const exceeded = exceededBy(gate)
  const output = new ProcessOutput(gate, { log }, () => undefined)
  for (const stream of [gate.stdout, gate.stderr]) stream.on('data', onOutput)
  const stop = () => gate.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let timedOut = false
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true
          stop()
        }, timeoutMs)
  const exited = once(gate, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const marked = mark === undefined ? {} : { [mark]: '1' }
  gate.stdin.write(`${JSON.stringify({ ...command, env: { ...command.env, ...marked } })}\n`)
  const [code, ended] = await exited
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  const bearers = () => [
    ...new Set([
      ...(mark === undefined ? [] : bearersOf(`${mark}=1`)),
      ...(place === undefined ? [] : dwellersIn(place)),
    ]),
  ]
  const left = mark === undefined || timedOut || signal.aborted ? [] : await leftBehind(pid, bearers)
  // what it started and left must not go on
  await endGroup(pid)
  await endAll(bearers)
  await output.end()
  if (output.failure !== undefined) throw output.failure
  return {
    exitCode: code ?? 128 + (ended === null ? 0 : constants.signals[ended]),
    timedOut,
    exceeded: exceeded(),
    left,
  }
}

/** What runs on although it had the time to end. */
async function leftBehind(group: number, bearers: () => number[]): Promise<string[]> {
  const deadline = performance.now() + settleMs
  while (performance.now() < deadline) {
    if (!hasMembers(group) && bearers().length === 0) return []
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  const left = bearers().flatMap((pid) => describeProcess(pid) ?? [])
  return left.length === 0 && hasMembers(group) ? [`some of process group ${group}`] : left
}

/** A process by number and command line; undefined when it is gone. */
function describeProcess(pid: number): string | undefined {
  return unless(['ENOENT', 'ESRCH'], () => {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return `${pid} ${printable(words, 80)}`
  })
}
