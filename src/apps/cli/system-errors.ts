import { NotDoneError, UnfinishedError } from '../../errors/fed-error.ts'
import { GitError } from '../../errors/git-errors.ts'
import { printable } from '../../errors/printable.ts'

/** What an error of the operating system means to a person, and what helps. */
const meanings: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  ENOSPC: ['no space is left on the device', 'free some space and give the command again'],
  EDQUOT: ['the disk quota is used up', 'free some space and give the command again'],
  EFBIG: [
    'the file would become larger than is allowed',
    'see the limits of your shell (ulimit -f) and give the command again',
  ],
  EROFS: ['the file system may only be read', 'make it writable, or work on a copy of the repository'],
  EACCES: ['permission denied', 'see who owns it and who may write there (ls -ld)'],
  EPERM: [
    'not permitted',
    "it or its folder may be marked as immutable (lsattr), or the file system cannot do that ('fed doctor' says)",
  ],
  EIO: ['the device reported an error', 'check the disk, then give the command again'],
  EMFILE: ['too many files are open', 'close some programs or raise the limit (ulimit -n), and try again'],
  ENFILE: ['too many files are open on this machine', 'close some programs and give the command again'],
  ENOMEM: ['no memory is left', 'close some programs and give the command again'],
  EEXIST: ['something else is in its place', 'put it out of the way and give the command again'],
  ENOTDIR: ['there is a file where a folder must be', 'put it out of the way and give the command again'],
  EISDIR: ['there is a folder where a file must be', 'put it out of the way and give the command again'],
  ELOOP: ['its symbolic links lead in a circle', 'put a real file or folder there'],
  ENAMETOOLONG: ['the name is too long for this file system', 'use a shorter path'],
  ENOENT: ['it is missing', 'it was removed meanwhile or never made; put it back'],
  EBUSY: ['it is in use', 'give the command again when it is free'],
  ESTALE: ['the network file system lost it', 'mount it again and give the command again'],
  ETIMEDOUT: ['the network file system does not answer', 'give the command again when it does'],
}

/**
 * An error of the operating system in one line: which file, what is wrong, what to do next; in front of it what
 * was not done, or what stands, where that is known. Undefined for any other error, and for a code that has no words here.
 */
export function explainSystemError(error: unknown): string | undefined {
  if (error instanceof UnfinishedError) {
    const why = explainSystemError(error.cause)
    // the command itself is done
    const help = why?.replace(/(?:,? (?:and|then)|,) (?:give the command|try) again(?: when .*)?$/, '')
    return help === undefined ? undefined : `${error.stands}, but ${help}, and ${error.next}`
  }
  if (error instanceof NotDoneError) {
    const why = explainSystemError(error.cause)
    return why === undefined ? undefined : `${error.what}: ${why}`
  }
  if (error instanceof GitError && error.isOfFullDisk)
    return `${error.message} (no space is left on the device); free some space and give the command again`
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined
  const { code, syscall, path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  const meaning = meanings[String(code)]
  if (meaning === undefined) return undefined
  const [what, advice] = meaning
  const file = [path, dest].filter((name) => name !== undefined).map((name) => printable(name, Infinity))
  const where = file.length === 0 ? '' : `${file.join(' → ')}: `
  return `${where}${what} (${code}, ${syscall}); ${advice}`
}
