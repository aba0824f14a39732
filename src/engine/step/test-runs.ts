import path from 'node:path'
import * as z from 'zod/mini'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { timestampSchema } from '../../protocol/time.ts'
import { appendLine, readLines } from '../../platform/storage/append-log.ts'
import { makeDirectory } from '../../platform/storage/disk.ts'
import { makePlain } from '../../platform/storage/plain-file.ts'

/** A command that `fed` itself ran for a coding team: the only evidence that tests passed. */
const testRunSchema = z.strictObject({
  at: timestampSchema,
  command: z.string(),
  commit: z.string(),
  exitCode: z.int(),
  /** Files with uncommitted changes when it began: then it says nothing about the commit. */
  uncommitted: z.array(z.string()),
  /** Absolute path of what it printed. */
  log: z.string(),
})
export type TestRun = z.infer<typeof testRunSchema>

const format = ownFormat('fed-test-run-1', testRunSchema)

/** Makes the file for what the next run prints, under a name that no other run has. */
export function newTestLog(workspace: string): string {
  const { testLogs } = workspaceLayout(workspace)
  makeDirectory(testLogs)
  for (let number = 1; ; number += 1) {
    const file = path.join(testLogs, `${number}.log`)
    if (makePlain(file)) return file
  }
}

export function recordTestRun(workspace: string, run: TestRun): void {
  appendLine(workspaceLayout(workspace).testRuns, format.stamp(testRunSchema.parse(run)))
}

/**
 * The newest run, or null before the first.
 * @throws {NewerFormatError}
 */
export function newestTestRun(workspace: string): TestRun | null {
  const { testRuns } = workspaceLayout(workspace)
  return format.decodeOrNothing(readLines(testRuns).values.at(-1), testRuns) ?? null
}
