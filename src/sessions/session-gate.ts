/**
 * Stands between a launcher and an agent. It starts the agent only when its launcher has recorded the
 * session (one line on the standard input), and ends it when the launcher dies (the input ends): so no agent
 * runs without a record, and none is left behind.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { AgentCommand } from './agent-command.ts'

/** Time that an agent has to end after it was asked to, in milliseconds. */
const graceMs = 5000

let stopping = false

function stop(): void {
  if (stopping) return
  stopping = true
  // the whole group, this process included: an agent's own children must not outlive it
  process.kill(-process.pid, 'SIGTERM')
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), graceMs).unref()
}

function start({ file, args, cwd, env }: AgentCommand): void {
  const agent = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  agent.on('error', (error) => {
    process.stderr.write(`${file} could not be started: ${error.message}\n`)
    process.exit(127)
  })
  agent.on('exit', (code, signal) =>
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
  )
}

process.on('SIGTERM', stop)
process.on('SIGINT', stop)

const launcher = createInterface({ input: process.stdin })
launcher.once('line', (line) => start(JSON.parse(line) as AgentCommand))
launcher.on('close', stop)
