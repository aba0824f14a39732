import { createHash } from 'node:crypto'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import { unless } from '../../errors/unless.ts'
import { HookError, type HookProblem } from '../../errors/document-errors.ts'
import { loadMs, startDeadline } from './deadline.ts'
import type { ThreadMessage, ThreadStart } from './thread-messages.ts'
import { packageVersion, program } from '../../platform/process/package.ts'
import { disk } from '../../platform/storage/disk.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { transformCache } from './transform-cache.ts'

/** Digests of the files of a module at its trial, by their paths from the root. */
const proofSchema = z.record(z.string(), z.string())

/**
 * Loads a module and checks its archetypes in a thread first: a module that never ends, or exits, ends only
 * that thread. One that passed is not tried again until one of its files changes.
 * @throws {HookError} with every problem that was found.
 */
export async function tryOut(root: string, file: string): Promise<void> {
  const proof = proofOf(root, file)
  if (proof !== undefined && isProved(root, proof)) return
  const message = await outcome({ root, file, isTrial: true })
  if (message.kind === 'broken') throw new HookError(file, message.problems)
  if (message.kind === 'tried' && proof !== undefined) note(root, proof, message.files)
}

async function outcome(start: ThreadStart): Promise<ThreadMessage> {
  const worker = new Worker(program('hook-thread'), { workerData: start })
  const broken = (problem: HookProblem): ThreadMessage => ({ kind: 'broken', problems: [problem] })
  let stop: (() => void) | undefined
  try {
    return await new Promise<ThreadMessage>((resolve) => {
      const late = `it did not load within ${loadMs / 1000} s`
      stop = startDeadline(loadMs, () => resolve(broken({ message: late })))
      worker.on('message', resolve)
      worker.on('error', (error: Error) => resolve(broken({ message: error.message })))
      worker.on('exit', () => resolve(broken({ message: 'it ended its thread while it was loaded' })))
    })
  } finally {
    stop?.()
    await worker.terminate()
  }
}

/**
 * Whether every file of a module is as it was when the module passed its trial.
 * @param proof path of the file that holds their digests.
 */
function isProved(root: string, proof: string): boolean {
  const parsed = proofSchema.safeParse(parse(disk.read(proof)))
  return (
    parsed.success &&
    Object.entries(parsed.data).every(([name, known]) => digestOf(path.resolve(root, name)) === known)
  )
}

function parse(text: string | undefined): unknown {
  return unless(SyntaxError, () => JSON.parse(text ?? 'null'))
}

/** Path of the file that proves a module's trial; undefined without a cache, and it is tried each time. */
function proofOf(root: string, file: string): string | undefined {
  const folder = transformCache()
  if (folder === undefined) return undefined
  const module = [packageVersion, process.version, path.relative(root, file), digestOf(file)]
  return path.join(folder, `${digest(JSON.stringify(module))}.tried`)
}

function note(root: string, proof: string, files: readonly string[]): void {
  const digests = Object.fromEntries(files.map((file) => [path.relative(root, file), digestOf(file)]))
  // a cache that cannot be written costs another trial
  unless(isSystemError, () => {
    const aside = `${proof}.${uuid()}`
    disk.create(aside, JSON.stringify(digests), { isDurable: false })
    disk.rename(aside, proof)
  })
}

function digestOf(file: string): string | undefined {
  const text = disk.read(file)
  return text === undefined ? undefined : digest(text)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
