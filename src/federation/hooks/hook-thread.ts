/**
 * The thread in which a federation's hook runs: it loads the module and carries out the calls that it is
 * told, one after the other. Whatever the module does (throws, never ends, exits), the process that decides
 * and commits goes on.
 */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { HookError } from '../../errors/document-errors.ts'
import { callMs, loadMs } from './deadline.ts'
import { hookFunctions, type Hook } from './hook-definition.ts'
import { limitChildren } from './child-limit.ts'
import { checkHook, readHook } from './load-hook.ts'
import { findText, placeOf, reasonOf } from './source-place.ts'
import type { ThreadFault, ThreadMessage, ThreadCall, ThreadStart } from './thread-messages.ts'

// what a hook prints is no result of the command in which it runs; by way of the main thread it would come after
// the answer, or never
const writeAtOnce = (chunk: string | Uint8Array): boolean => {
  try {
    writeSync(2, typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  } catch {
    // nobody reads it, or not fast enough: a hook is not held up by that
  }
  return true
}
for (const output of [process.stdout, process.stderr]) output.write = writeAtOnce as typeof output.write

const { root, file, isTrial = false } = workerData as ThreadStart
const port = parentPort as NonNullable<typeof parentPort>
// as they are before the module is loaded, which may change them
const { postMessage } = port
const { stringify } = JSON
const answer = (message: ThreadMessage) => postMessage.call(port, message)

// another one would be ended with all that it does
const { kill } = process
process.kill = (pid, signal) => {
  if (pid === process.pid || pid === 0) throw new Error('it kills its own process')
  return kill.call(process, pid, signal)
}

/** How long after a deadline child processes are killed, in milliseconds: the timeout is reported first. */
const afterDeadlineMs = 500
let isLoaded = false
limitChildren(() => (isLoaded ? callMs : loadMs) + afterDeadlineMs)

function faultOf(error: unknown): ThreadFault {
  try {
    return { message: reasonOf(error), ...placeOf(error, root) }
  } catch {
    return { message: 'it threw what nobody can look at' }
  }
}

/** The first error beside a call: of a promise that nobody awaits, or of a timer. */
let stray: { readonly error: unknown } | undefined
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => (stray ??= { error }))

/** Waits for the end of this turn, and throws what failed beside the call until then. */
async function throwStray(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  if (stray === undefined) return
  const { error } = stray
  stray = undefined
  throw error
}

async function begin(): Promise<void> {
  if (isTrial) {
    const { files } = await checkHook(root, file)
    await throwStray()
    return answer({ kind: 'tried', files })
  }
  const { hook, files } = await readHook(root, file)
  const functions = Object.fromEntries(
    hookFunctions
      .filter((name) => hook[name] !== undefined)
      .map((name) => [name, { message: name, file, ...findText(files, [name]) }]),
  )
  const called = (asked: ThreadCall): unknown => {
    if ('name' in asked) return hook[asked.name]
    const archetypes = hook.archetypes as Hook['archetypes']
    return archetypes?.[asked.archetype]?.evidence?.[asked.evidence]
  }
  port.on('message', (asked: ThreadCall) => {
    void call(asked.call, called(asked) as ((facts: unknown) => unknown) | undefined, asked.facts)
  })
  isLoaded = true
  answer({ kind: 'ready', functions })
}

void begin().catch((error: unknown) => {
  answer({ kind: 'broken', problems: error instanceof HookError ? error.problems : [faultOf(error)] })
})

async function call(
  id: string,
  asked: ((facts: unknown) => unknown) | undefined,
  facts: unknown,
): Promise<void> {
  try {
    const value = await asked?.(facts)
    await throwStray()
    const json = stringify(value) as string | undefined
    if (json === undefined && value !== undefined)
      throw new Error(`it returned a ${typeof value}, which is no JSON`)
    answer({ kind: 'returned', call: id, json })
  } catch (error) {
    answer({ kind: 'threw', call: id, fault: faultOf(error) })
  }
}
