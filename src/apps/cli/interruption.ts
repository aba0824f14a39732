import { setMaxListeners } from 'node:events'

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
