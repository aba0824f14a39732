import { FedError, TimedOutError } from './fed-error.ts'

/** Nobody serves the tray of a session: its launcher has ended, or was killed. */
export class NoAnswerError extends TimedOutError {
  constructor(what: string, cause?: unknown) {
    super(`${what}; the next 'fed launch' of this team takes up what waits, so end this session`, { cause })
  }
}

interface Told {
  readonly name: string
  readonly message: string
  readonly exitCode: number
  readonly system?:
    { readonly code: string; readonly syscall: string; readonly path?: string | undefined } | undefined
}

/** What went wrong at the other end of a tray, in its words and with its exit code. */
class RelayedError extends FedError {
  override readonly exitCode: number

  constructor({ name, message, exitCode }: Told) {
    super(message)
    this.name = name
    this.exitCode = exitCode
  }
}

/** The error that was told: what the operating system said there is told here in the same words. */
export function relayed(told: Told): Error {
  const { message, system } = told
  return system === undefined ? new RelayedError(told) : Object.assign(new Error(message), system)
}

/** How an error is told at the other end. */
export function toldOf(error: unknown): Told {
  if (error instanceof FedError) {
    const { name, message, exitCode } = error
    return { name, message, exitCode }
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const { code, syscall, path } = error as Partial<NodeJS.ErrnoException>
  if (code === undefined || syscall === undefined)
    return { name, message: `unexpected: ${message}`, exitCode: 1 }
  return { name, message, exitCode: 1, system: { code, syscall, ...(path === undefined ? {} : { path }) } }
}
