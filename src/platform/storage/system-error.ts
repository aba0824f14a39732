/** True when `error` is a file system error with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** True for what the operating system says, such as a full disk: no fault of the program. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/**
 * Runs a call on an open file. The system's errors of such calls name the call and not the file, which is what
 * a person needs to know: it is added as `path`.
 */
export function naming<Result>(file: string, call: () => Result): Result {
  try {
    return call()
  } catch (error) {
    if (error instanceof Error && 'code' in error && !('path' in error)) Object.assign(error, { path: file })
    throw error
  }
}
