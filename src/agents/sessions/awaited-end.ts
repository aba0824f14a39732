import path from 'node:path'
import * as z from 'zod/mini'
import { NewerFormatError } from '../../errors/newer-format.ts'
import { unless } from '../../errors/unless.ts'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { identify, isRunning } from '../../platform/process/process-identity.ts'
import { createOnce, disk } from '../../platform/storage/disk.ts'
import type { Team } from '../../federation/team.ts'

const format = ownFormat(
  'fed-awaited-end-1',
  z.strictObject({
    mission: z.int().check(z.minimum(1)),
    /** The process that waits. */
    waiter: z.optional(z.strictObject({ pid: z.int().check(z.minimum(1)), started: z.string() })),
  }),
)

type Note = NonNullable<ReturnType<typeof format.decodeOrNothing>>

/**
 * Notes that this process waits for the end of the team's mission, until `endIsTold`; where another one waits
 * for it already, that one's note stays.
 * @throws {NewerFormatError}
 */
export function awaitEnd(team: Team): void {
  const file = fileOf(team)
  const { missionNumber } = team.present()
  const text = format.textOf({ mission: missionNumber, waiter: identify(process.pid) })
  while (!createOnce(file, text, path.dirname(file))) {
    const noted = noteIn(file)
    if (noted?.mission === missionNumber && isOthers(noted)) return
    disk.unlink(file)
  }
}

/** This process told the end of the team's mission: nobody has to, unless another one waits for it still. */
export function endIsTold(team: Team): void {
  const file = fileOf(team)
  // a note of a newer release is left to it
  unless(NewerFormatError, () => {
    const noted = noteIn(file)
    if (noted === undefined || !isOthers(noted)) disk.unlink(file)
  })
}

/**
 * Whether the mission has ended, and whoever waited for that was killed before being told.
 * @throws {NewerFormatError}
 */
export function isEndUntold(team: Team): boolean {
  const noted = noteIn(fileOf(team))
  const { finished, missionNumber } = team.present()
  return finished && noted?.mission === missionNumber && !isOthers(noted)
}

/**
 * Number of the mission whose end was noted as awaited.
 * @throws {NewerFormatError}
 */
export function awaitedMission(file: string): number | undefined {
  return noteIn(file)?.mission
}

/** Whether another process that lives waits. */
function isOthers({ waiter }: Note): boolean {
  return waiter !== undefined && waiter.pid !== process.pid && isRunning(waiter)
}

function noteIn(file: string): Note | undefined {
  try {
    return format.decodeOrNothing(JSON.parse(disk.read(file) ?? 'null'), file) ?? undefined
  } catch (error) {
    // nobody waits, or nobody's fed wrote it
    if (error instanceof SyntaxError || error instanceof CorruptDocumentError) return undefined
    throw error
  }
}

function fileOf({ actor }: Team): string {
  return workspaceLayout(actor.workspace).awaitedEnd
}
