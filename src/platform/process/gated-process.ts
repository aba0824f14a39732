import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { program } from './package.ts'
import type { Command } from './command.ts'
import { signalGroup } from './process-group.ts'

/** How long a program may take to end after its input was closed, in milliseconds; then it is killed. */
const endMs = 4000
/** How long it may take to end by itself, in milliseconds; then the gate is told to end it. */
const askedMs = 1000

/**
 * A program that is talked to over its standard streams, behind a gate: whatever it started ends with it, and it ends
 * when this process does.
 */
export class GatedProcess {
  readonly #gate: ChildProcess

  /** @param log gets what the program prints to its standard error. */
  constructor(command: Omit<Command, 'takesInput'>, log: (text: string) => void) {
    this.#gate = spawn(process.execPath, [program('gate')], {
      // descriptor 3 is the program's input: the gate's own input ends when this process does
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    })
    for (const stream of [this.#gate.stdin, this.input]) stream?.on('error', () => undefined)
    this.#gate.stderr?.setEncoding('utf8').on('data', (text: string) => log(text.trimEnd()))
    this.#gate.stdin?.write(`${JSON.stringify({ ...command, takesInput: true })}\n`)
  }

  /** What the program reads. */
  get input(): Writable {
    return this.#gate.stdio[3] as Writable
  }

  /** What the program prints. */
  get output(): Readable {
    return this.#gate.stdout as Readable
  }

  /** Calls a listener when the program has ended. @returns a function that takes the listener away again. */
  onExit(listener: () => void): () => void {
    this.#gate.once('exit', listener)
    return () => this.#gate.off('exit', listener)
  }

  /** Ends the program and all that it started. */
  async end(): Promise<void> {
    const gate = this.#gate
    if (gate.exitCode !== null || gate.signalCode !== null) return
    const gone = new Promise((resolve) => gate.once('exit', resolve))
    // most programs end when their input does; the gate ends those that do not, and all that they started
    this.input.end()
    const asked = setTimeout(() => gate.stdin?.end(), askedMs)
    const limit = setTimeout(() => signalGroup(gate.pid as number, 'SIGKILL'), endMs)
    await gone
    clearTimeout(asked)
    clearTimeout(limit)
  }
}
