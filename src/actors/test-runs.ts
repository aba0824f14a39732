import * as z from 'zod/mini'
import { workspaceLayout } from '../protocol/layout.ts'
import { timestampSchema } from '../protocol/time.ts'
import { appendLine, readLines } from '../storage/append-log.ts'

/** A command that `fed` itself ran for a coding team: the only evidence that tests passed. */
const testRunSchema = z.strictObject({
  at: timestampSchema,
  command: z.string(),
  commit: z.string(),
  exitCode: z.int(),
})
export type TestRun = z.infer<typeof testRunSchema>

export function recordTestRun(workspace: string, run: TestRun): void {
  appendLine(workspaceLayout(workspace).testRuns, testRunSchema.parse(run))
}

/** The newest run, or null before the first. */
export function newestTestRun(workspace: string): TestRun | null {
  const newest = readLines(workspaceLayout(workspace).testRuns).values.at(-1)
  const parsed = testRunSchema.safeParse(newest)
  return parsed.success ? parsed.data : null
}
