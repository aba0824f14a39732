import { lstatSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { disk } from '../../platform/storage/disk.ts'

/** Names of what a repair has put aside. */
export const keptAside = /\.damaged-[0-9a-f-]{36}$/

/** A name for what is damaged, beside its own. */
export function asideName(file: string): string {
  return `${file}.damaged-${uuid()}`
}

/** Gives a damaged file or folder another name beside its own; its bytes and permissions stay as they are. */
export function putAside(file: string): string {
  const aside = asideName(file)
  disk.rename(file, aside)
  return path.basename(aside)
}

/** Whether anything has that name, be it a link that leads nowhere. */
export function isInTheWay(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}
