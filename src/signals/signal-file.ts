import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { SignalMessage } from '../protocol/signal.ts'
import { disk, hasCode } from '../storage/disk.ts'
import { decodeSignal } from './decode.ts'

/** Longest name in bytes that common file systems take. */
export const longestName = 255
/** A larger file is no signal; reading it would only cost memory. */
const largestBytes = 64 * 1024 * 1024
/** Younger files that do not parse may still be being written by a program that does not write atomically. */
const settledMs = 2000

type Reading =
  | { readonly kind: 'signal'; readonly signal: SignalMessage }
  | { readonly kind: 'fault'; readonly fault: string }
  /** Gone, or not yet whole. */
  | { readonly kind: 'nothing' }

/** Whether a name in a mailbox is meant to be a signal's. */
export function isSignalName(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.')
}

/**
 * Reads one file of an inbox. Whatever lies there under a signal's name (a folder, a pipe, a link to
 * somewhere else) is a fault and is not opened. What the file itself says of its acknowledgment does not
 * count: only the file beside it does.
 */
export function readSignalFile(file: string): Reading {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat === undefined) return { kind: 'nothing' }
    if (!stat.isFile()) return { kind: 'fault', fault: 'not a regular file' }
    if (stat.size > largestBytes) return { kind: 'fault', fault: `larger than ${largestBytes} bytes` }
    if (Buffer.byteLength(`${path.basename(file)}.ack`) > longestName) {
      return { kind: 'fault', fault: 'its name is too long to be acknowledged' }
    }
    const decoded = decodeSignal(disk.read(file) ?? '')
    if (decoded.signal !== undefined) {
      const { acknowledged: _claimed, acknowledged_at: _claimedAt, ...signal } = decoded.signal
      return { kind: 'signal', signal }
    }
    const age = Math.abs(Date.now() - stat.mtimeMs)
    return age > settledMs ? { kind: 'fault', fault: decoded.fault } : { kind: 'nothing' }
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM')) return { kind: 'fault', fault: (error as Error).message }
    throw error
  }
}
