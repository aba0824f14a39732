// Processes that a row starts: each says that it is ready, begins when it is told to, and answers with a message.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { programs } from './places.mjs'
import { Skipped } from './rivals.mjs'

const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program of `programs/` and waits until it is ready. */
export async function startProgram(name, ...args) {
  const child = fork(path.join(programs, `${name}.mjs`), args.map(String), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  await answerOf(child)
  return child
}

/** The next message of a program. */
export async function answerOf(child) {
  const ending = new AbortController()
  const { signal } = ending
  try {
    const message = await Promise.race([
      once(child, 'message', { signal }).then(([one]) => one),
      once(child, 'exit', { signal }).then(([code, by]) => {
        throw new Error(`${child.spawnargs[1]} ended (${code ?? by}) without an answer`)
      }),
    ])
    if (message.skipped !== undefined) throw new Skipped(message.skipped)
    return message
  } finally {
    ending.abort()
  }
}

/** Lets a program begin. */
export function tell(child, message = 'go') {
  child.send(message)
}

export async function stop(child) {
  if (!running.has(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** In a program: says that it is ready and waits until it may begin. */
export async function begin() {
  // an ended parent leaves nobody to measure for
  process.once('disconnect', () => process.exit(0))
  process.send({ ready: true })
  const [message] = await once(process, 'message')
  return message
}

/** In a program: the main function; what it returns is the answer, and a rival that is missing is told of. */
export async function answer(work) {
  try {
    await say(await work())
  } catch (error) {
    if (!(error instanceof Skipped)) throw error
    await say({ skipped: error.message })
  }
  process.exit(0)
}

/** In a program: one message to whoever started it. */
export function say(message) {
  return new Promise((resolve) => process.send(message, resolve))
}
