import path from 'node:path'
import * as z from 'zod/mini'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { timestampSchema } from '../../protocol/time.ts'
import { appendLine, readLines, readNumberedLines } from '../../platform/storage/append-log.ts'
import { makeDirectory } from '../../platform/storage/disk.ts'
import { makePlain } from '../../platform/storage/plain-file.ts'
import { sealed, unsealed } from '../../platform/storage/seal.ts'

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

/** Records a run, sealed. */
export function recordTestRun(workspace: string, run: TestRun): void {
  appendLine(workspaceLayout(workspace).testRuns, sealed(format.stamp(testRunSchema.parse(run))))
}

/**
 * The newest run, or null before the first, and where somebody changed it.
 * @throws {NewerFormatError}
 */
export function newestTestRun(workspace: string): TestRun | null {
  const { testRuns } = workspaceLayout(workspace)
  const { json, isIntact } = unsealed(readLines(testRuns).values.at(-1))
  const run = format.decodeOrNothing(json, testRuns)
  return isIntact ? (run ?? null) : null
}

/** Lines of runs that somebody changed, or that fed did not write on this machine, counted from 1. */
export function changedTestRuns(workspace: string): number[] {
  const { entries } = readNumberedLines(workspaceLayout(workspace).testRuns)
  return entries.flatMap(({ line, value }) => (!unsealed(value).isIntact && format.isOf(value) ? [line] : []))
}
