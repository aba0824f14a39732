import { setMaxListeners } from 'node:events'
import { InvalidArgumentError } from 'commander'

/** Exit code of an interrupted command. */
export const INTERRUPTED = 130

/** Aborts at the first Ctrl-C (or a request to end); at the second the process goes at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  // as many listen as there are launches, and a warning would land between them
  setMaxListeners(0, controller.signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED)
      controller.abort()
    })
  }
  return controller.signal
}

/** Goes on until Ctrl-C, then closes what is served. */
export async function untilInterrupted(close: () => Promise<void>): Promise<void> {
  const signal = interruption()
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  await close()
  process.exitCode = INTERRUPTED
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('give a number from 1 to 65535.')
  return port
}
