type ErrorClass = abstract new (...all: never[]) => Error

/** An expected error: the code that the system gave it, its class, or a function that recognizes it. */
type Expected = string | ErrorClass | ((error: unknown) => boolean)

/** `never` for a promise, which rejects an `act` that returns one: its error could not be caught here. */
type Settled<Result> = Result extends PromiseLike<unknown> ? never : Result

/**
 * What `act` returns, or undefined when it throws an expected error; every other error is thrown on.
 * @example
 * const root = unless(['ENOENT', 'ENOTDIR'], () => realpathSync(dir)) ?? dir
 */
export function unless<Result>(
  expected: Expected | readonly Expected[],
  act: () => Settled<Result>,
): Result | undefined {
  try {
    return act()
  } catch (error) {
    if ([expected].flat().some((one) => isOne(error, one))) return undefined
    throw error
  }
}

/** Whether `act` came to its end: false when it throws an expected error; every other error is thrown on. */
export function succeedsUnless<Result>(
  expected: Expected | readonly Expected[],
  act: () => Settled<Result>,
): boolean {
  return unless(expected, () => (act(), true)) ?? false
}

function isOne(error: unknown, expected: Expected): boolean {
  if (typeof expected === 'string')
    return error instanceof Error && 'code' in error && error.code === expected
  return isClass(expected) ? error instanceof expected : expected(error)
}

function isClass(expected: Exclude<Expected, string>): expected is ErrorClass {
  return expected === Error || expected.prototype instanceof Error
}
