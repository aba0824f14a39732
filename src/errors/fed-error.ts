/**
 * Every error that a user can cause or meet. A message says what was wrong, where, and what to do next;
 * `exitCode` is what the command line ends with (0 done, 1 failed, 2 wrong usage, input or configuration,
 * 3 timed out, 4 not found, 5 refused).
 */
export class FedError extends Error {
  readonly exitCode: number = 1

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** The operating system said no; says what was not done because of it. The cause names the file. */
export class NotDoneError extends FedError {
  readonly what: string

  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.what = what
  }
}

/**
 * The operating system said no after what counts was done: it stands, and whoever comes next finishes what follows
 * from it. The cause names the file.
 */
export class UnfinishedError extends FedError {
  /** What is so now, such as `docs is paused`. */
  readonly stands: string
  /** Who finishes the rest, such as `whatever steps docs next finishes it`. */
  readonly next: string

  constructor(stands: string, next: string, cause: unknown) {
    // what could not be done because of it, the system's error says best
    const first = cause instanceof NotDoneError || cause instanceof UnfinishedError ? cause.cause : cause
    super(`${stands}, but ${first instanceof Error ? first.message : String(first)}; ${next}`, {
      cause: first,
    })
    this.stands = stands
    this.next = next
  }
}

/** A command, an argument or a name that cannot be meant. */
export class UsageError extends FedError {
  override readonly exitCode = 2
}

/** What was named is nowhere. */
export class NotFoundError extends FedError {
  override readonly exitCode = 4
}

/** The machine, a policy or a running session says no. */
export class RefusedError extends FedError {
  override readonly exitCode = 5
}

/** The time that the caller allowed ran out. */
export class TimedOutError extends FedError {
  override readonly exitCode = 3
}

/** The user interrupted; what was done so far is kept. */
export class InterruptedError extends FedError {
  override readonly exitCode = 130
}
