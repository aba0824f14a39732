/**
 * Stands between a launcher and an agent. It starts the agent only when its launcher has recorded the
 * session (one line on the standard input), and ends it when the launcher dies (the input ends): so no agent
 * runs without a record, and none is left behind.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { Command, Exceeded } from './command.ts'
import { watchLimits } from './limits.ts'
import { graceMs, signalGroup, signalOthers } from './process-group.ts'

/** How long children of an agent may run after its end when the launcher is gone, in milliseconds. */
const orphanGraceMs = 500

/** The gate's file descriptor that becomes the standard input of an agent with `takesInput`. */
const conversation = 3

/** How long a program that ends by another signal than SIGTERM has for it, in milliseconds. */
const askedMs = 2000

let stopping = false
/** The signal by which the agent is asked to end. */
let endsBy: NodeJS.Signals = 'SIGTERM'
let launcherIsGone = false
/** Process id of what holds the agent within walls, where there are some. */
let holder: number | undefined
/** What the launcher leaves behind when it is killed. */
let left: string | undefined

function stop(): void {
  if (stopping) return
  stopping = true
  ask(endsBy)
  if (endsBy !== 'SIGTERM') setTimeout(() => ask('SIGTERM'), askedMs).unref()
  setTimeout(() => signalGroup(process.pid, 'SIGKILL'), graceMs).unref()
}

function ask(signal: NodeJS.Signals): void {
  // the whole group, this process included: an agent's own children must not outlive it; but what holds it would kill
  // its agent at once, and ends with it anyway, so it is asked only while it holds nobody yet
  if (signal === 'SIGKILL') signalOthers(process.pid, signal, [process.pid])
  else if (holder === undefined || !signalOthers(process.pid, signal, [process.pid, holder]))
    signalGroup(process.pid, signal)
}

function start(command: Command): void {
  const { file, args, cwd, env, takesInput, isConfined, limits, leaves, endsBy: asked } = command
  left = leaves
  if (stopping) return
  endsBy = asked ?? endsBy
  const agent = spawn(file, args, {
    cwd,
    env: isConfined ? env : { ...process.env, ...env },
    // the launcher writes to the agent itself: this process's own input only says that the launcher lives
    stdio: [takesInput ? conversation : 'ignore', 'inherit', 'inherit'],
  })
  if (isConfined) holder = agent.pid
  if (limits !== undefined && agent.pid !== undefined)
    watchLimits(agent.pid, limits, (exceeded) => {
      // the launcher says why; nobody inside can send this
      process.send?.({ exceeded } satisfies { exceeded: Exceeded })
      // walls end all that is inside with them, at once
      agent.kill('SIGKILL')
    })
  agent.on('error', (error) => {
    process.stderr.write(`${file} could not be started: ${error.message}\n`)
    process.exit(127)
  })
  agent.on('exit', (code, signal) => {
    const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
    // a launcher ends the rest of the group itself, and gets the exit code
    if (!launcherIsGone) process.exit(exitCode)
    setTimeout(() => signalGroup(process.pid, 'SIGKILL'), orphanGraceMs)
  })
}

process.on('SIGTERM', stop)
process.on('SIGINT', stop)

const launcher = createInterface({ input: process.stdin })
launcher.once('line', (line) => start(JSON.parse(line) as Command))
launcher.on('close', () => {
  launcherIsGone = true
  if (left !== undefined) rmSync(left, { recursive: true, force: true })
  stop()
})
