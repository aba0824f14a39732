import { claim } from '../../platform/storage/claim.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'

const NAME = 'dispatcher'

/**
 * Takes the lease of a federation: of all processes one starts agents for many teams. That of one that died is free.
 * @returns how to give it back; undefined while another process has it.
 */
export function takeLease(root: string): (() => void) | undefined {
  return claim(federationLayout(root).fed, NAME)
}

/** Whoever waits for a lease looks again after so long, in milliseconds. */
const lookMs = 500

/**
 * Waits until this process has the lease.
 * @param onWait told once where another process has it.
 * @returns undefined where the wait was ended.
 */
export async function waitForLease(
  root: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<(() => void) | undefined> {
  for (let isTold = false; !signal.aborted; isTold = true) {
    const release = takeLease(root)
    if (release !== undefined) return release
    if (!isTold) onWait()
    await delay(lookMs, signal)
  }
  return undefined
}

/** Waits so long, in milliseconds, or until it is ended. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
