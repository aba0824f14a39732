type ErrorClass = abstract new (...all: never[]) => Error

/** An error that somebody reckons with: its class, the code that the system gave it, or what knows it. */
type Expected = string | ErrorClass | ((error: unknown) => boolean)

/** Of what is awaited only the promise would be seen here. */
type Settled<Result> = Result extends PromiseLike<unknown> ? never : Result

/**
 * What `act` gives, or undefined where it throws what is expected; every other error goes on.
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

/** Whether `act` came to its end: false where it throws what is expected. */
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
