import { UsageError } from '../errors.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import { learningSchema, type Learning } from '../protocol/learning.ts'
import { describeProblems } from '../protocol/problems.ts'
import { now } from '../protocol/time.ts'
import { appendLine, readLines } from '../storage/append-log.ts'

/**
 * Appends a finding to a team's learning log (spec §2.5), as one whole line.
 * @throws {UsageError} naming every field that is wrong.
 */
export function learn(workspace: string, finding: Omit<Learning, 'timestamp'>): Learning {
  const parsed = learningSchema.safeParse({ timestamp: now(), ...finding })
  if (!parsed.success) {
    throw new UsageError(describeProblems(parsed.error))
  }
  appendLine(workspaceLayout(workspace).learnings, parsed.data)
  return parsed.data
}

/** A team's findings in the order in which they were logged; lines that are none are passed over. */
export function learnings(workspace: string): Learning[] {
  return readLines(workspaceLayout(workspace).learnings).values.flatMap((value) => {
    const parsed = learningSchema.safeParse(value)
    return parsed.success ? [parsed.data] : []
  })
}
