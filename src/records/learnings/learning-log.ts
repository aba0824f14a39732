import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '../../errors/fed-error.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import {
  learningSchema,
  ownLearningSchema,
  type Learning,
  type OwnLearning,
} from '../../protocol/learning.ts'
import { printable } from '../../errors/printable.ts'
import { describeProblems } from '../../protocol/problems.ts'
import { now } from '../../protocol/time.ts'
import { appendLine, readNumberedLines } from '../../platform/storage/append-log.ts'

/** When a finding was made, ISO 8601. */
interface Moment {
  /** A clock that was set back since then does not make the finding older. */
  readonly notBefore?: string | undefined
  /** With it the finding is logged once, however often it is given. Without it, it is made now. */
  readonly at?: string | undefined
}

/**
 * Appends a finding to a team's learning log (spec §2.5), as one whole line.
 * @throws {UsageError} naming every field that is wrong.
 */
export function learn(
  workspace: string,
  finding: Omit<OwnLearning, 'timestamp'>,
  { notBefore, at }: Moment = {},
): OwnLearning {
  const present = at ?? now()
  const isSetBack = notBefore !== undefined && Date.parse(present) < Date.parse(notBefore)
  const parsed = ownLearningSchema.safeParse({ timestamp: isSetBack ? notBefore : present, ...finding })
  if (!parsed.success) {
    throw new UsageError(describeProblems(parsed.error))
  }
  const isLogged =
    at !== undefined && readLearnings(workspace).findings.some((one) => isDeepStrictEqual(one, parsed.data))
  if (!isLogged) appendLine(workspaceLayout(workspace).learnings, parsed.data)
  return parsed.data
}

/** A line of a learning log that is no finding, with its number and what is wrong with it. */
export interface BadLearning {
  readonly line: number
  readonly reason: string
}

/** Lines that are passed over, in words; undefined where there are none. */
export function describeBad(bad: readonly BadLearning[]): string | undefined {
  const [first] = bad
  if (first === undefined) return undefined
  const lines = bad.length === 1 ? '1 line is' : `${bad.length} lines are`
  return `${lines} no finding and passed over; line ${first.line}: ${first.reason}`
}

/** A team's findings in the order in which they were logged, and the lines that are none, for people to look at. */
export function readLearnings(workspace: string): {
  readonly file: string
  readonly findings: Learning[]
  readonly bad: BadLearning[]
} {
  const file = workspaceLayout(workspace).learnings
  const { entries, bad } = readNumberedLines(file)
  const findings: Learning[] = []
  const passedOver: BadLearning[] = bad.map(({ line, reason }) => ({ line, reason: printable(reason) }))
  for (const { line, value } of entries) {
    const parsed = learningSchema.safeParse(value)
    if (parsed.success) findings.push(parsed.data)
    else passedOver.push({ line, reason: describeProblems(parsed.error, '; ') })
  }
  return { file, findings, bad: passedOver.toSorted((a, b) => a.line - b.line) }
}

/** A team's findings in the order in which they were logged; lines that are none are passed over. */
export function learnings(workspace: string): Learning[] {
  return readLearnings(workspace).findings
}
