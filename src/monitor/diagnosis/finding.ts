import type { View } from './view.ts'

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

/** A check, and what it looks at. */
export type Check = readonly [Area, (view: View) => Found[] | Promise<Found[]>]

/** Whether something must be done. */
export function isProblem({ severity }: Pick<Finding, 'severity'>): boolean {
  return severity === 'error' || severity === 'warning'
}
