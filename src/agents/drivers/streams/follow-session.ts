import { statSync, watch, type FSWatcher } from 'node:fs'
import { unless } from '../../../errors/unless.ts'
import { LineTail } from '../../../platform/storage/line-tail.ts'
import { isSystemError } from '../../../platform/storage/system-error.ts'
import type { Listener } from '../driver.ts'
import { parseLine } from './json.ts'
import { sessionFileOf } from './session-files.ts'

/** How often a file is looked for, and looked into where nothing tells of its changes, in milliseconds. */
const lookMs = 500
/** After a change it is looked into so much later, in milliseconds: many come at once. */
const gatherMs = 50

/** Reports what an agent's own file of its session tells of its usage, while it runs and at its end. */
export class SessionFollower {
  readonly #format: string
  readonly #report: Listener
  readonly #env: NodeJS.ProcessEnv
  /** Bytes of the file that an earlier run wrote, where there was one. */
  readonly #from: number
  #session: string | undefined
  #look: ((isLast: boolean) => void) | undefined
  #soon: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  #watcher: FSWatcher | undefined

  /** @param session the agent's name of the session, where it is known before the agent runs. */
  constructor(format: string, report: Listener, env: NodeJS.ProcessEnv, session: string | undefined) {
    this.#format = format
    this.#report = report
    this.#env = env
    const earlier = session && sessionFileOf(format, session)?.find(session, env)
    // what else lies there is no file that somebody writes on
    this.#from = (earlier && unless(isSystemError, () => statSync(earlier).size)) || 0
  }

  /** Begins to follow the session that the agent names. */
  follow(session: string): void {
    if (this.#session !== undefined || sessionFileOf(this.#format, session) === undefined) return
    this.#session = session
    this.#timer = setInterval(() => this.#lookOn(), lookMs).unref()
    this.#lookOn()
  }

  /** Reads what is there once more, and follows no longer. */
  end(): void {
    if (this.#session !== undefined) this.#lookOn(true)
    clearInterval(this.#timer)
    clearTimeout(this.#soon)
    this.#watcher?.close()
  }

  #lookSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.#lookOn()
    }, gatherMs).unref()
  }

  #lookOn(isLast = false): void {
    // it is the agent's, who may do with it what it likes: then its usage is not known
    unless(isSystemError, () => {
      this.#look ??= this.#open()
      this.#look?.(isLast)
    })
  }

  #open(): ((isLast: boolean) => void) | undefined {
    const session = this.#session as string
    const known = sessionFileOf(this.#format, session)
    const file = known?.find(session, this.#env)
    if (known === undefined || file === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile())
      return undefined
    const tail = new LineTail(file, this.#from)
    const read = known.reader()
    // where nothing more can be watched, it is looked into from time to time
    this.#watcher = unless(isSystemError, () => watch(file, { persistent: false }, () => this.#lookSoon()))
    // a file that is gone is no longer watched
    this.#watcher?.on('error', () => undefined)
    return (isLast) => {
      for (const line of isLast ? tail.readAll() : tail.read()) {
        const event = parseLine(line)
        const tokens = event === undefined ? undefined : read(event)
        if (tokens === undefined) continue
        this.#report({
          kind: 'usage',
          ...(known.tells === 'run' ? { usage: { tokens } } : { total: { tokens } }),
        })
      }
    }
  }
}
