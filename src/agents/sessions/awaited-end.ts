import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { disk } from '../../platform/storage/disk.ts'
import type { Team } from '../../federation/team.ts'

const format = ownFormat('fed-awaited-end-1', z.strictObject({ mission: z.int().check(z.minimum(1)) }))

/**
 * Notes that somebody waits for the end of the team's mission, until `endIsTold`.
 * @throws {NewerFormatError}
 */
export function awaitEnd(team: Team): void {
  const file = fileOf(team)
  awaitedMission(file)
  disk.unlink(file)
  disk.create(file, format.textOf({ mission: team.present().missionNumber }))
}

/** The end of the team's mission was told to whoever waited for it. */
export function endIsTold(team: Team): void {
  disk.unlink(fileOf(team))
}

/**
 * Whether the mission has ended, and whoever waited for that was killed before being told.
 * @throws {NewerFormatError}
 */
export function isEndUntold(team: Team): boolean {
  const awaited = awaitedMission(fileOf(team))
  const { finished, missionNumber } = team.present()
  return finished && awaited === missionNumber
}

/**
 * Number of the mission whose end was noted as awaited.
 * @throws {NewerFormatError}
 */
export function awaitedMission(file: string): number | undefined {
  try {
    return format.decodeOrNothing(JSON.parse(disk.read(file) ?? 'null'), file)?.mission
  } catch (error) {
    // nobody waits, or nobody's fed wrote it
    if (error instanceof SyntaxError || error instanceof CorruptDocumentError) return undefined
    throw error
  }
}

function fileOf({ actor }: Team): string {
  return workspaceLayout(actor.workspace).awaitedEnd
}
