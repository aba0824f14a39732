import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  watch,
  writeFileSync,
  type FSWatcher,
} from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { NoAnswerError, relayed } from '../../errors/tray-errors.ts'
import { unless } from '../../errors/unless.ts'
import {
  answerFormat,
  answersOf,
  heartbeatName,
  progressName,
  requestFormat,
  type TrayRequest,
} from '../../protocol/tray.ts'

/** How long the heartbeat may stand still before nobody is believed to serve the tray, in milliseconds. */
const patienceMs = 30_000
/** How often the answer is looked for although no hint came, in milliseconds. */
const pollMs = 50

/** What is asked, and who is told while it takes long. */
export interface Asking {
  readonly verb: string
  /** As whom, where that was said. */
  readonly as?: string | undefined
  readonly args: Readonly<Record<string, unknown>>
  /** Gets what a request that takes long says to people. */
  readonly onProgress?: (bytes: Buffer) => void
}

/**
 * Asks fed by a session's tray, and waits for the answer.
 * @param tray absolute path, as `FED_TRAY` names it.
 * @returns what the request answers, as JSON carries it.
 * @throws {RelayedError} with the words and the exit code of what went wrong at the other end; {NoAnswerError} when
 * nobody serves the tray.
 */
export async function ask(tray: string, { verb, as, args, onProgress }: Asking): Promise<unknown> {
  const id = uuid()
  const answers = answersOf(tray)
  const hints = new Hints(answers)
  try {
    drop(tray, { id, verb, ...(as === undefined ? {} : { as }), args })
    return await answerTo(answers, id, hints, onProgress)
  } finally {
    hints.end()
  }
}

/** Puts a request into the tray, whole. */
function drop(tray: string, request: TrayRequest): void {
  try {
    const aside = path.join(tray, `${request.id}.tmp`)
    writeFileSync(aside, requestFormat.textOf(request), { flag: 'wx' })
    renameSync(aside, path.join(tray, `${request.id}.json`))
  } catch (error) {
    throw new NoAnswerError(`the tray ${tray} takes nothing`, error)
  }
}

async function answerTo(
  answers: string,
  id: string,
  hints: Hints,
  onProgress: Asking['onProgress'],
): Promise<unknown> {
  const file = path.join(answers, `${id}.json`)
  const progress = new Progress(path.join(answers, progressName(id)), onProgress)
  const life = new Life(path.join(answers, heartbeatName))
  try {
    for (;;) {
      // the answer is whole when it has its name, and what was said before it is said by then
      const isThere = existsSync(file)
      progress.pass()
      if (isThere) break
      if (!life.goesOn()) {
        throw new NoAnswerError('nobody serves this session any more, and what was asked waits in its tray')
      }
      await hints.next()
    }
  } finally {
    progress.end()
  }
  const answer = answerFormat.decode(JSON.parse(readFileSync(file, 'utf8')), file)
  if ('error' in answer) throw relayed(answer.error)
  return answer.value
}

/** Wakes whoever waits for a change in a folder, at once where the system tells, and soon where it does not. */
class Hints {
  readonly #watcher: FSWatcher | undefined
  #wake: () => void = () => undefined

  constructor(folder: string) {
    // none are left to give, or there is no such folder
    this.#watcher = unless(['ENOSPC', 'EMFILE', 'ENOENT'], () =>
      watch(folder, () => this.#wake()).on('error', () => undefined),
    )
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      const poll = setTimeout(resolve, pollMs)
      this.#wake = () => {
        clearTimeout(poll)
        resolve()
      }
    })
  }

  end(): void {
    this.#watcher?.close()
  }
}

/** Tells whether somebody serves a tray: the time of a file moves while one does, whatever its clock shows. */
class Life {
  readonly #file: string
  #seen: number | undefined
  #since = performance.now()

  constructor(file: string) {
    this.#file = file
  }

  goesOn(): boolean {
    const beat = statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs
    if (beat !== undefined && beat !== this.#seen) {
      this.#seen = beat
      this.#since = performance.now()
    }
    // without a file nobody began, or the session has ended in order
    return beat !== undefined && performance.now() - this.#since < patienceMs
  }
}

/** Passes on what is appended to a file. */
class Progress {
  readonly #file: string
  readonly #onProgress: ((bytes: Buffer) => void) | undefined
  readonly #bytes = Buffer.alloc(65_536)
  #descriptor: number | undefined

  constructor(file: string, onProgress: ((bytes: Buffer) => void) | undefined) {
    this.#file = file
    this.#onProgress = onProgress
  }

  pass(): void {
    if (this.#onProgress === undefined) return
    this.#descriptor ??= unless('ENOENT', () => openSync(this.#file, 'r'))
    if (this.#descriptor === undefined) return
    for (;;) {
      const count = readSync(this.#descriptor, this.#bytes)
      if (count === 0) return
      this.#onProgress(Buffer.from(this.#bytes.subarray(0, count)))
    }
  }

  end(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }
}
