import path from 'node:path'
import * as z from 'zod/mini'
import { federationLayout, workspaceLayout } from '../protocol/folder-layout.ts'
import { ownFormat } from '../protocol/own-format.ts'
import { registryEntrySchema, type RegistryEntry } from '../protocol/registry-schema.ts'
import { timestampSchema } from '../protocol/time.ts'
import { disk, makeDirectory, replaceFile } from '../platform/storage/disk.ts'
import { numbersIn } from '../platform/storage/numbered-names.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { readSmallDocument } from './small-document.ts'

const offboardingSchema = z.strictObject({
  at: timestampSchema,
  entry: registryEntrySchema,
  /** Number of the team's last commit; missing until everything was put away. */
  lastVersion: z.optional(z.int().check(z.minimum(0))),
  /** Number of the last rescue under the team's id, those of earlier teams of that id counted in. */
  lastRescue: z.optional(z.int().check(z.minimum(0))),
})

/**
 * Record that a team was taken out of the federation, with its entry as it was: `.fed/archive/<id>.json`,
 * and `<id>.2.json` for the second team of that id.
 */
export type Offboarding = z.infer<typeof offboardingSchema>

const format = ownFormat('fed-offboarding-1', offboardingSchema)

/** A team that was offboarded, or began to be. */
export interface FormerTeam {
  /** Which team of the name it was, counted from 1. */
  readonly number: number
  /** Folder to which its workspace goes, without the code. */
  readonly archive: string
  readonly offboarding: Offboarding
}

/** Where the workspace of the nth team with the id `domain` goes; no id holds a dot. */
function archiveOf(root: string, domain: string, number: number): string {
  return path.join(federationLayout(root).archive, number === 1 ? domain : `${domain}.${number}`)
}

/**
 * The last team of this id that was offboarded, or began to be; undefined where there was none.
 * @param domain the team's id.
 * @throws {CorruptDocumentError | NewerFormatError}
 */
export function lastFormer(root: string, domain: string): FormerTeam | undefined {
  const numbers = formerNumbers(root, domain)
  if (numbers.length === 0) return undefined
  const number = Math.max(...numbers)
  const offboarding = readOffboarding(`${archiveOf(root, domain, number)}.json`)
  return offboarding && { number, archive: archiveOf(root, domain, number), offboarding }
}

/** Folders for the workspaces of all teams of this id that were offboarded, or began to be. */
export function formerArchives(root: string, domain: string): string[] {
  return formerNumbers(root, domain).map((number) => archiveOf(root, domain, number))
}

/** All teams that were offboarded, or began to be, with the folders of what they left. */
export function allFormer(
  root: string,
): { readonly id: string; readonly number: number; readonly workspace: string }[] {
  const { archive } = federationLayout(root)
  return disk.list(archive).flatMap((name) => {
    const [, left, id, number = '1'] = /^(([^.]+)(?:\.(\d+))?)\.json$/.exec(name) ?? []
    return left === undefined || id === undefined
      ? []
      : [{ id, number: Number(number), workspace: path.join(archive, left) }]
  })
}

/** Numbers of the offboarded teams with the id `domain`. */
function formerNumbers(root: string, domain: string): number[] {
  const names = disk.list(federationLayout(root).archive)
  const later = numbersIn(names, `${domain}.`, '.json')
  return names.includes(`${domain}.json`) ? [1, ...later] : later
}

/** Whether everything that the team left was put away, so that its name is free. */
export function isPutAway({ offboarding }: FormerTeam): boolean {
  return offboarding.lastVersion !== undefined
}

function readOffboarding(file: string): Offboarding | undefined {
  return readSmallDocument(file, format, { followLinks: false })
}

/** Notes, before anything is taken apart, that a team is being offboarded; replaces its earlier note. */
export function noteOffboarding(root: string, at: string, entry: RegistryEntry): void {
  const { domainId, onboardedAt } = entry
  const last = lastFormer(root, domainId)
  const isSame = last !== undefined && last.offboarding.entry.onboardedAt === onboardedAt
  const number = last === undefined ? 1 : isSame ? last.number : last.number + 1
  // somebody who does the same may have put it away by now
  if (isSame && isPutAway(last)) return
  write(root, `${archiveOf(root, domainId, number)}.json`, { at, entry })
}

/** Notes that everything is put away: from now on the name is free. */
export function notePutAway(root: string, former: FormerTeam, lastRescue: number): FormerTeam {
  const { archive, offboarding } = former
  const before = offboardingBefore(root, former)?.lastVersion ?? 0
  const lastVersion = lastVersionIn(archive) ?? before + manyVersions
  const done = { ...offboarding, lastVersion, lastRescue }
  write(root, `${archive}.json`, done)
  return { ...former, offboarding: done }
}

/** What was noted of the team that had the name before this one; undefined for the first. */
export function offboardingBefore(
  root: string,
  { number, offboarding: { entry } }: FormerTeam,
): Offboarding | undefined {
  return number === 1 ? undefined : readOffboarding(`${archiveOf(root, entry.domainId, number - 1)}.json`)
}

/** Highest number of a commit that was put away, by the names of its files; undefined without any. */
function lastVersionIn(archive: string): number | undefined {
  const { lifecycle } = workspaceLayout(archive)
  return numbersIn(disk.list(versionsDirectory(lifecycle)), '', '.json').at(-1)
}

/** Added to the last number of the earlier team where no commit is left: no team makes as many. */
const manyVersions = 1_000_000

function write(root: string, file: string, offboarding: Offboarding): void {
  const { archive, fed } = federationLayout(root)
  makeDirectory(archive)
  // where the doctor looks for what killed writers leave
  replaceFile(file, format.textOf(offboarding), fed)
  disk.syncDirectory(archive)
}
