import { newerAdvice, type NewerFormatError } from '../../errors/newer-format.ts'
import type { Area, Finding } from './finding.ts'

/**
 * What a newer release wrote is told, and neither repaired nor put aside.
 * @param whose begins the message, such as `docs: `.
 */
export function newerFinding(area: Area, { file, reason }: NewerFormatError, whose = ''): Finding {
  return { severity: 'error', area, where: file, message: `${whose}${reason}`, fix: newerAdvice }
}
