import { NotDoneError, UnfinishedError } from '../../errors/fed-error.ts'
import { GitError } from '../../errors/git-errors.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'

/** Whether an error is the operating system's, or says what was not done or not finished because of one. */
export function isSystemTrouble(error: unknown): boolean {
  if (error instanceof GitError) return error.isOfFullDisk
  return isSystemError(error) || error instanceof NotDoneError || error instanceof UnfinishedError
}

/**
 * Does what follows from a commit that stands.
 * @param state where the team is since then.
 * @throws {UnfinishedError} when the operating system says no: nobody may be told that the commit was not made.
 */
export async function following<Result>(
  team: string,
  state: string,
  act: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!isSystemTrouble(error)) throw error
    throw new UnfinishedError(
      `${team} is ${state}`,
      `whatever steps ${team} next finishes what follows from that`,
      error,
    )
  }
}
