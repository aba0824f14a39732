import { ConfigValidationError, UnreadableDocumentError } from '../../errors/document-errors.ts'
import { NewerFormatError, newerAdvice } from '../../errors/newer-format.ts'

/** `ok` and `note` need nothing to be done; a `warning` or an `error` does. */
export type Severity = 'error' | 'warning' | 'note' | 'ok'

/** What a finding is about; findings are shown in this order. */
export const areas = [
  'environment',
  'federation',
  'git',
  'configuration',
  'registry',
  'teams',
  'workspaces',
  'lifecycles',
  'mail',
  'sessions',
  'learnings',
  'skills',
  'agents',
  'chat',
  'telemetry',
] as const
export type Area = (typeof areas)[number]

/** One thing that a check found. */
export interface Found {
  readonly severity: Severity
  /** Absolute path of the file or folder. */
  readonly where?: string
  readonly message: string
  /** What to do about it. */
  readonly fix?: string
  /** Whether nothing of fed can work here: it is no federation's fault. */
  readonly isFatal?: boolean
  /**
   * Puts it right without losing anything, and says what it did, or nothing when there was nothing to do any
   * more. Present only where that is possible.
   */
  readonly repair?: () => Promise<string | undefined> | string | undefined
}

/** The same with what it is about, which its check says. */
export interface Finding extends Found {
  readonly area: Area
}

/** Whether something must be done. */
export function isProblem({ severity }: Pick<Finding, 'severity'>): boolean {
  return severity === 'error' || severity === 'warning'
}

/** What an error says is wrong, in one line and without the file's name, which stands beside it. */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableDocumentError) return error.reason
  if (error instanceof ConfigValidationError) {
    return error.problems
      .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
      .join('; ')
  }
  return error instanceof Error ? error.message : String(error)
}

/** What to do where nothing can be repaired. */
export const copyBack = 'put it back from a copy; nothing here can replace it'

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
