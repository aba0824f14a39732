import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { tellFault } from '../../federation/hooks/fault-listener.ts'
import { tellSetAside } from '../../platform/git/set-aside-listener.ts'
import { program } from '../../platform/process/package.ts'
import type { TrayTask } from './answer-request.ts'

/** What a thread is told. */
export type ThreadOrder =
  | { readonly kind: 'answer'; readonly number: number; readonly task: TrayTask }
  /** Whoever asked is gone. */
  | { readonly kind: 'abort'; readonly number: number }

/** What a thread tells. */
export type ThreadWord =
  | { readonly kind: 'answered'; readonly number: number }
  | { readonly kind: 'hook-fault' | 'set-aside'; readonly line: string }

interface Thread {
  readonly worker: Worker
  /** What it has to do: for whose workspace, and whom to tell. */
  readonly underWay: Map<number, { readonly workspace: string; readonly settle: () => void }>
}

/** So many requests are answered at once although each holds its thread, as a look at a large repository does. */
const mostThreads = Math.max(4, availableParallelism())

const threads = new Set<Thread>()
let last = 0

/** Starts a thread ahead of the first request. */
export function prepareThread(): void {
  if (threads.size === 0) startThread()
}

/**
 * Answers a request in a thread of this process: a long look for one team holds up neither the launcher nor the
 * requests of others. When the thread dies, the request is given up; it stays in its tray.
 */
export async function answerInThread(task: TrayTask, signal: AbortSignal): Promise<void> {
  const { workspace } = task.post
  const thread = threadFor(workspace)
  last += 1
  const number = last
  const { worker, underWay } = thread
  const abort = () => worker.postMessage({ kind: 'abort', number } satisfies ThreadOrder)
  await new Promise<void>((resolve) => {
    underWay.set(number, { workspace, settle: resolve })
    worker.ref()
    worker.postMessage({ kind: 'answer', number, task } satisfies ThreadOrder)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
  signal.removeEventListener('abort', abort)
  underWay.delete(number)
  // it keeps no process alive that has nothing else to do
  if (underWay.size === 0) worker.unref()
}

/**
 * The thread that does something for this team already, where what is asked twice is done once; else the one with the
 * least to do, or another one where each has something, as long as there may be more.
 */
function threadFor(workspace: string): Thread {
  const own = [...threads].find(({ underWay }) =>
    [...underWay.values()].some((one) => one.workspace === workspace),
  )
  if (own !== undefined) return own
  const [first] = [...threads].toSorted((a, b) => a.underWay.size - b.underWay.size)
  if (first !== undefined && (first.underWay.size === 0 || threads.size >= mostThreads)) return first
  return startThread()
}

function startThread(): Thread {
  const thread: Thread = { worker: new Worker(program('postman-thread')), underWay: new Map() }
  const { worker, underWay } = thread
  worker.on('message', (word: ThreadWord) => {
    if (word.kind === 'answered') underWay.get(word.number)?.settle()
    if (word.kind === 'hook-fault') tellFault(word.line)
    if (word.kind === 'set-aside') tellSetAside(word.line)
  })
  // what it had not answered still lies in its tray
  worker.on('error', () => undefined)
  worker.on('exit', () => {
    threads.delete(thread)
    for (const { settle } of underWay.values()) settle()
  })
  threads.add(thread)
  // without anything to do it keeps no process alive
  worker.unref()
  return thread
}
