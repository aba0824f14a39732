import { newerAdvice, NewerFormatError } from '../../errors/newer-format.ts'
import type { Found } from './finding.ts'

/**
 * What a newer release wrote is told, and neither repaired nor put aside.
 * @param whose begins the message, such as `docs: `.
 */
export function newerFinding({ file, reason }: NewerFormatError, whose = ''): Found {
  return { severity: 'error', where: file, message: `${whose}${reason}`, fix: newerAdvice }
}

/** What a check finds, or only that a newer release wrote what it reads. */
export function unlessNewer(find: () => Found[]): Found[] {
  try {
    return find()
  } catch (error) {
    if (error instanceof NewerFormatError) return [newerFinding(error)]
    throw error
  }
}
