import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { v4 as uuid } from 'uuid'
import type { OwnFacts } from '../../engine/step/own-facts.ts'
import { unless } from '../../errors/unless.ts'
import type { OwnFinding } from '../../../machines/team-event.ts'
import { realpathSync, statSync } from 'node:fs'
import { HookError } from '../../errors/document-errors.ts'
import { program } from '../../platform/process/package.ts'
import type { HookFunction } from './hook-definition.ts'
import { callMs, loadMs, startDeadline } from './deadline.ts'
import { whyUntrusted } from '../trust/allowed-parts.ts'
import { tellFault } from './fault-listener.ts'
import { recordFault } from './faults.ts'
import { hookFile } from './hook-file.ts'
import type { ThreadCall, ThreadFault, ThreadMessage, ThreadStart } from './thread-messages.ts'

/** What came of a call; undefined where it failed, which was recorded. */
interface Returned {
  readonly value: unknown
}

interface FunctionCall {
  readonly name: HookFunction
  readonly facts: unknown
}

interface EvidenceCall {
  readonly archetype: string
  readonly evidence: string
  readonly facts: OwnFacts
}

/** A thread that has the hook loaded. It does not keep its process alive. */
class HookThread {
  readonly #worker: Worker
  readonly #root: string
  readonly #file: string
  #functions: Readonly<Partial<Record<HookFunction, ThreadFault>>> = {}
  isOver = false

  constructor(start: ThreadStart, root: string) {
    this.#root = root
    this.#file = start.file
    this.#worker = new Worker(program('hook-thread'), { workerData: start })
    this.#worker.on('error', () => (this.isOver = true))
    this.#worker.on('exit', () => (this.isOver = true))
  }

  async load(): Promise<boolean> {
    const message = await this.#next(loadMs)
    if (message.kind === 'ready') this.#functions = message.functions
    else if (message.kind === 'broken') this.#end('load', message.problems[0] ?? { message: 'it is broken' })
    else if ('fault' in message) this.#end('load', message.fault)
    return message.kind === 'ready'
  }

  has(name: HookFunction): boolean {
    return this.#functions[name] !== undefined
  }

  async call(name: HookFunction, facts: unknown, team?: string): Promise<Returned | undefined> {
    const answered = await this.#ask({ name, facts })
    if ('value' in answered) return answered
    const { file = this.#file, line, message } = answered.fault
    const declared = this.#functions[name]
    const place = line === undefined ? { file: declared?.file ?? file, line: declared?.line } : { file, line }
    recordFault(this.#root, this.#file, {
      function: name,
      ...place,
      message,
      ...(team === undefined ? {} : { team }),
    })
    return undefined
  }

  /** Asks a function of an archetype's own: what fails is the answer, for whoever reads the team's history. */
  async find(asked: EvidenceCall): Promise<OwnFinding> {
    const answered = await this.#ask(asked, largestFinding)
    if ('value' in answered) return { value: answered.value ?? null }
    const { file, line, message } = answered.fault
    return { fault: file === undefined ? message : `${path.relative(this.#root, file)}:${line}: ${message}` }
  }

  async #ask(
    asked: FunctionCall | EvidenceCall,
    largest = Infinity,
  ): Promise<Returned | { readonly fault: ThreadFault }> {
    const call = uuid()
    this.#worker.postMessage({ ...asked, call } satisfies ThreadCall)
    const message = await this.#next(callMs, call)
    if ('fault' in message) return { fault: message.fault }
    if (message.kind !== 'returned') return { fault: { message: 'it did not answer' } }
    return readAnswer(message.json, largest)
  }

  #end(name: 'load', { file = this.#file, line, message }: ThreadFault): void {
    void this.#worker.terminate()
    this.isOver = true
    recordFault(this.#root, this.#file, { function: name, file, line, message })
  }

  /** The thread's next word, or why there is none; a thread without a word is over. */
  #next(deadlineMs: number, call?: string): Promise<ThreadMessage> {
    const worker = this.#worker
    worker.ref()
    return new Promise((resolve) => {
      // the module may send what it likes: only what names the call is its answer
      const settle = (message: ThreadMessage) => {
        if (
          call !== undefined &&
          (typeof message !== 'object' || (message as { call?: unknown } | null)?.call !== call)
        )
          return
        stop()
        worker.off('message', settle).off('error', failed).off('exit', exited)
        worker.unref()
        resolve(message)
      }
      const silent = (message: string) => {
        this.isOver = true
        void worker.terminate()
        settle({ kind: 'threw', call: call ?? '', fault: { message } })
      }
      const failed = (error: Error) => silent(error.message)
      const exited = () => silent('it ended the thread')
      const stop = startDeadline(deadlineMs, () => silent(`it did not end within ${deadlineMs / 1000} s`))
      worker.on('message', settle).on('error', failed).on('exit', exited)
    })
  }
}

/** So much of what a function finds out is kept in its team's history, in characters of JSON. */
const largestFinding = 16_384

/** @param json what a thread says that a function returned. */
function readAnswer(json: unknown, largest: number): Returned | { readonly fault: ThreadFault } {
  if (json === undefined) return { value: undefined }
  if (typeof json !== 'string') return { fault: { message: 'it returned what is no JSON' } }
  if (json.length > largest) return { fault: { message: `it returned more than ${largest} characters` } }
  const parsed = unless(SyntaxError, () => ({ value: JSON.parse(json) as unknown }))
  return parsed ?? { fault: { message: 'it returned what is no JSON' } }
}

let present: { readonly key: string; readonly thread: Promise<HookThread | undefined> } | undefined

/** Why a hook was not called, in the words that this process has said once. */
const told = new Set<string>()

/**
 * The thread of a federation's hook, of which a process has one at a time. Undefined where the module cannot be
 * loaded, which is recorded, or is not trusted.
 */
async function threadOf(root: string, configured: string): Promise<HookThread | undefined> {
  let file: string
  try {
    file = hookFile(root, configured)
  } catch (error) {
    if (!(error instanceof HookError)) throw error
    const [first] = error.problems
    recordFault(root, error.file, {
      function: 'load',
      file: error.file,
      message: first?.message ?? error.message,
    })
    return undefined
  }
  const untrusted = whyUntrusted(root, 'importHook')
  if (untrusted !== undefined) {
    if (!told.has(untrusted.message)) tellFault(untrusted.message)
    told.add(untrusted.message)
    return undefined
  }
  const { mtimeMs, size } = statSync(file)
  const key = JSON.stringify([root, file, mtimeMs, size])
  const known = present?.key === key ? await present.thread : undefined
  if (known !== undefined && !known.isOver) return known
  const begin = async () => {
    const thread = new HookThread({ root: realpathSync(root), file }, root)
    return (await thread.load()) ? thread : undefined
  }
  present = { key, thread: begin() }
  return present.thread
}

/** The thread answers one call at a time, and several teams may be stepped at once. */
let turn: Promise<unknown> = Promise.resolve()

/** One call of a hook's function, and for which team it is. */
export interface HookCall {
  readonly name: HookFunction
  readonly facts: unknown
  readonly team?: string
}

/**
 * Calls functions of a federation's hook, one after the other, outside of any decision. What one throws or how
 * long it takes stops nobody: it is recorded and told once, and after one that never ended the rest is left out.
 * @returns what each returned; undefined for one that failed or that the hook does not have.
 */
export function callHook(
  root: string,
  configured: string,
  calls: readonly HookCall[],
): Promise<readonly (Returned | undefined)[]> {
  const mine = turn.then(() => callAll(root, configured, calls))
  turn = mine.catch(() => undefined)
  return mine
}

/** Asks a function of an archetype's own what it finds out for a guard; what fails stands in the answer. */
export function askEvidence(
  root: string,
  configured: string | undefined,
  asked: EvidenceCall,
): Promise<OwnFinding> {
  const mine = turn.then(async (): Promise<OwnFinding> => {
    const thread = configured === undefined ? undefined : await threadOf(root, configured)
    return (
      (await thread?.find(asked)) ?? { fault: "the hook's module cannot be loaded; 'fed doctor' says more" }
    )
  })
  turn = mine.catch(() => undefined)
  return mine
}

async function callAll(
  root: string,
  configured: string,
  calls: readonly HookCall[],
): Promise<readonly (Returned | undefined)[]> {
  const thread = await threadOf(root, configured)
  const results: (Returned | undefined)[] = []
  for (const { name, facts, team } of calls) {
    const isCalled = thread !== undefined && !thread.isOver && thread.has(name)
    results.push(isCalled ? await thread.call(name, facts, team) : undefined)
  }
  return results
}
