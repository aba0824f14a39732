import path from 'node:path'
import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { FedError } from '../errors/fed-error.ts'
import { unless } from '../errors/unless.ts'
import { disk, replaceFile, WRITABLE } from '../platform/storage/disk.ts'
import { readPlain, writeAt } from '../platform/storage/plain-file.ts'
import { isSystemError } from '../platform/storage/system-error.ts'
import { temporaryIn } from '../platform/storage/temporary.ts'
import { versionFile, versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { createNew, makeFolders } from '../platform/storage/without-links.ts'
import { placeOfAbsent, workspaceLayout } from '../protocol/folder-layout.ts'
import type { SharedFile } from '../records/sites/known-teams.ts'
import type { Link } from './connection.ts'
import { fetchFile } from './files.ts'
import type { LineEntry } from './line-entry.ts'

/**
 * Keeps a copy of a version of a life that goes on elsewhere: to be shown, and to go on from.
 * @param withDocument whether its document is fetched first: of a team whose coordinator lives here.
 * @throws {LinkDownError}
 */
export async function keepCopy(
  root: string,
  link: Pick<Link, 'files'>,
  team: string,
  { entry, withDocument }: { readonly entry: LineEntry; readonly withDocument: boolean },
): Promise<void> {
  const { lifeFile, version, document } = entry
  if (version === 0 || (entry.life === undefined && lifeFile === undefined)) return
  // first: what follows from the version is proved by it
  if (withDocument && document !== undefined) await keepShared(root, link, team, document)
  const bytes = lifeFile === undefined ? undefined : await fetchFile(link, lifeFile)
  const life = entry.life ?? (bytes && Buffer.from(bytes).toString('utf8'))
  if (life !== undefined) writeCopy(placeOfAbsent(root, team), version, life)
}

/** A copy that a power cut takes is made again. */
function writeCopy(place: string, version: number, life: string): void {
  const { lifecycle } = workspaceLayout(place)
  makeFolders(versionsDirectory(lifecycle))
  const aside = path.dirname(lifecycle)
  for (const file of [versionFile(lifecycle, version), lifecycle])
    replaceFile(file, life, aside, { mode: WRITABLE, isDurable: false })
}

/**
 * Fetches a file of a team of another site into the place that stands for it, verified by its digest.
 * @returns the file's absolute path; undefined where the servers do not have it.
 * @throws {LinkDownError}
 */
export async function keepShared(
  root: string,
  link: Pick<Link, 'files'>,
  team: string,
  { name, digest }: SharedFile,
): Promise<string | undefined> {
  const place = placeOfAbsent(root, team)
  const file = path.join(place, name)
  const present = unless([FedError, isSystemError], () => readPlain(file, { largestBytes: Infinity }))
  if (present !== undefined && `sha256:${createHash('sha256').update(present).digest('hex')}` === digest)
    return file
  const bytes = await fetchFile(link, digest)
  if (bytes === undefined) return undefined
  makeFolders(path.join(place, '.fed'))
  const temporary = temporaryIn(path.join(place, '.fed'))
  const descriptor = createNew(temporary, WRITABLE)
  try {
    writeAt(temporary, descriptor, Buffer.from(bytes), null)
  } finally {
    closeSync(descriptor)
  }
  disk.rename(temporary, file)
  return file
}
