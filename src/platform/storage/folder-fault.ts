import { accessSync, constants, lstatSync } from 'node:fs'
import { FedError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import { unless } from '../../errors/unless.ts'

/** Why nothing can be put into a folder, and what helps. */
export interface FolderFault {
  readonly kind: 'no-folder' | 'closed'
  readonly what: string
  readonly advice: string
}

/** Why a write is refused, and what helps, by the error code of the system. */
const refusals: Readonly<Record<string, (dir: string) => Pick<FolderFault, 'what' | 'advice'>>> = {
  EROFS: () => ({ what: 'its file system may only be read', advice: 'mount it so that it can be written' }),
  ENOSPC: () => ({ what: 'no space is left', advice: 'free some space' }),
  EDQUOT: () => ({ what: 'the disk quota is used up', advice: 'free some space' }),
  EPERM: (dir) => ({ what: 'it is marked as immutable', advice: `'chattr -i ${dir}' takes the mark away` }),
  EACCES: (dir) => ({
    what: 'permission denied',
    advice: `see who owns it and who may write there ('ls -ld ${dir}')`,
  }),
}

/** Why a write into a folder was refused, and what helps. */
export function refusalIn(dir: string, error: unknown): Pick<FolderFault, 'what' | 'advice'> {
  const { code = '', message } = error as NodeJS.ErrnoException
  const known = refusals[code]?.(dir)
  return known === undefined
    ? { what: `nothing can be written into it (${message})`, advice: 'make it writable' }
    : { what: `nothing can be written into it, ${known.what} (${code})`, advice: known.advice }
}

/** Why nothing can be put into a folder; undefined for one that takes files, or that is not there. */
export function folderFault(dir: string): FolderFault | undefined {
  const found = lstatSync(dir, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if (found.isSymbolicLink())
    return {
      kind: 'no-folder',
      what: 'it is a link, and must be a folder of its own',
      advice: 'put a folder there',
    }
  if (!found.isDirectory())
    return { kind: 'no-folder', what: 'something else is in the place of a folder', advice: 'move it away' }
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return { kind: 'closed', ...refusalIn(dir, error) }
  }
}

/** Whether it is a folder itself, and no link to one. */
export function isFolder(place: string): boolean {
  return unless('ENOTDIR', () => lstatSync(place, { throwIfNoEntry: false }))?.isDirectory() === true
}

/** A file cannot be put into the folder where it belongs. */
export class FolderFaultError extends FedError {
  constructor(dir: string, { what, advice }: Pick<FolderFault, 'what' | 'advice'>) {
    super(`${printable(dir, Infinity)}: ${what}; ${advice}`)
  }
}
