import { closeSync, openSync, readSync } from 'node:fs'

/** Random bytes for this many ids are read at once. */
const pool = new Uint8Array(16 * 64)
let used = pool.length

function refill(): void {
  try {
    const file = openSync('/dev/urandom', 'r')
    try {
      if (readSync(file, pool) < pool.length) throw new Error('short')
    } finally {
      closeSync(file)
    }
  } catch {
    // a system without that file
    globalThis.crypto.getRandomValues(pool)
  }
  used = 0
}

/**
 * Stands in for the global `crypto` in the built programs, for what most commands use of it: the kernel's
 * random bytes, which make ids, without loading all of cryptography, which takes longer than to send.
 */
export const crypto = {
  getRandomValues(bytes: Uint8Array): Uint8Array {
    if (used + bytes.length > pool.length) refill()
    bytes.set(pool.subarray(used, (used += bytes.length)))
    return bytes
  },
  get subtle() {
    return globalThis.crypto.subtle
  },
}
