import { lstatSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { disk } from '../../platform/storage/disk.ts'
import type { VersionedDocument } from '../../platform/storage/versioned-document.ts'
import { versionFile, versionsDirectory } from '../../platform/storage/versioned-steps.ts'
import { asideName, putAside } from './kept-aside.ts'

/** Publishes the newest version; `undefined` when somebody else did. */
export function publishNewest<Content extends object>(
  document: VersionedDocument<Content>,
): string | undefined {
  const head = document.read()
  if (head === undefined || head.published === head.version) return undefined
  document.catchUp(head)
  return `published version ${head.version} again`
}

/** Keeps the published file under another name and writes it from the newest version. */
export function publishAnew<Content extends object>(document: VersionedDocument<Content>): string {
  const aside = putAside(document.shape.file)
  publishNewest(document)
  return `written from its newest version; the one before is kept as ${aside}`
}

/**
 * Writes a version from the published file, which is the same commit. A damaged one in its place is kept under
 * another name; readers find the one or the other, and never neither, unless it is no file at all.
 */
export function rebuildVersion(file: string, number: number, text: string): string {
  const dir = versionsDirectory(file)
  const target = versionFile(file, number)
  const temporary = path.join(dir, `.${uuid()}.tmp`)
  disk.create(temporary, text)
  const stat = lstatSync(target, { throwIfNoEntry: false })
  let aside: string | undefined
  if (stat?.isFile()) {
    const name = asideName(target)
    if (disk.link(target, name)) aside = path.basename(name)
    disk.rename(temporary, target)
  } else {
    // a folder has no second name and gives way to no file, and a link is none
    if (stat !== undefined) aside = putAside(target)
    disk.link(temporary, target)
    disk.unlink(temporary)
  }
  disk.syncDirectory(dir)
  const kept = aside === undefined ? '' : `; the damaged one is kept as ${aside}`
  return `version ${number} written from the published file, the same commit${kept}`
}

/** Moves something out of a version's place that can be none: a folder, a link. */
export function clearVersion(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined || stat.isFile()) return undefined
  const aside = putAside(file)
  disk.syncDirectory(path.dirname(file))
  return `kept as ${aside}`
}
