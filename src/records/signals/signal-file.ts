import path from 'node:path'
import { presentMs } from '../../protocol/clock.ts'
import { acknowledgmentSchema, largestSignalFile, type SignalMessage } from '../../protocol/signal.ts'
import { parseStrictJson } from '../../protocol/strict-json.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'
import { decodeSignal } from './decode.ts'

/** Longest name in bytes that common file systems take. */
export const longestName = 255
/** A file changed more recently may still be being written by a program that does not write atomically. */
const settledMs = 10_000

type Reading =
  | {
      readonly kind: 'signal'
      readonly signal: SignalMessage
      /** Tells the file from another that has its name later. */
      readonly inode: number
    }
  | { readonly kind: 'fault'; readonly fault: string }
  /** Not yet whole: somebody may be writing it at this moment, so look again although no name changes. */
  | { readonly kind: 'unsettled' }
  /** Gone. */
  | { readonly kind: 'nothing' }

/** Whether a name in a mailbox is meant to be a signal's. */
export function isSignalName(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.')
}

/**
 * Reads one file of an inbox. Whatever lies there under a signal's name (a folder, a pipe, a link to
 * somewhere else, more bytes than any signal has) is a fault and is not read. What the file itself says of
 * its acknowledgment does not count: only the file beside it does.
 */
export function readSignalFile(file: string): Reading {
  const nameFault = faultOfName(path.basename(file))
  if (nameFault !== undefined) return { kind: 'fault', fault: nameFault }
  const outside = readOutside(file, { largestBytes: largestSignalFile, followLinks: false })
  if (outside.kind === 'missing') return { kind: 'nothing' }
  if (outside.kind === 'fault') {
    const { fault, stat } = outside
    // no later write makes a signal of what is no file, or of a file that is too large already
    const isHopeless = stat !== undefined && (!stat.isFile() || stat.size > largestSignalFile)
    return isHopeless || isSettled(stat) ? { kind: 'fault', fault } : { kind: 'unsettled' }
  }
  const { signal: decoded, fault } = decodeSignal(outside.text)
  if (decoded === undefined) return isSettled(outside.stat) ? { kind: 'fault', fault } : { kind: 'unsettled' }
  const { acknowledged: _claimed, acknowledged_at: _claimedAt, ...signal } = decoded
  return { kind: 'signal', signal, inode: outside.stat.ino }
}

/** Nearly every name: printable ASCII, with room for `.ack`. */
const ordinaryName = /^[\x20-\x7e]{1,251}$/

/** A name that no sender of ours gives: the signal in it could not be acknowledged, or shown at a terminal. */
function faultOfName(name: string): string | undefined {
  if (ordinaryName.test(name)) return undefined
  if (Buffer.byteLength(`${name}.ack`) > longestName) return 'its name is too long to be acknowledged'
  if (/\p{Cc}/u.test(name)) return 'its name holds a control character or a line break'
  // what reading a folder makes of bytes that are no UTF-8, by which the file cannot be opened again
  return name.includes('\uFFFD') ? 'its name is not UTF-8' : undefined
}

/**
 * Whether nobody has written to a file for a while. Its time may lie in the future, because a clock jumped
 * back or its writer set it: then the time at which the file system itself saw the last change decides.
 */
function isSettled(stat: { readonly mtimeMs: number; readonly ctimeMs: number } | undefined): boolean {
  if (stat === undefined) return true
  const present = presentMs()
  const changedAt = stat.mtimeMs <= present ? stat.mtimeMs : stat.ctimeMs
  return present - changedAt > settledMs
}

/** An acknowledgment is a hundred bytes; what is larger is none. */
const largestAcknowledgment = 65_536

/**
 * What the acknowledgment beside a signal says (spec §2.2). Its presence acknowledges, whatever it is: a
 * damaged content, a folder or a link in its place only loses the time.
 */
export function readAcknowledgment(file: string): { acknowledged: true; acknowledged_at?: string } {
  const outside = readOutside(file, { largestBytes: largestAcknowledgment, followLinks: false })
  if (outside.kind !== 'text') return { acknowledged: true }
  try {
    return acknowledgmentSchema.parse(parseStrictJson(outside.text))
  } catch {
    // not JSON, or not an acknowledgment: both lose the time and nothing else
    return { acknowledged: true }
  }
}
