/** Exit code of an interrupted command. */
export const INTERRUPTED = 130

/** Aborts at the first Ctrl-C (or a request to end); at the second the process goes at once. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(INTERRUPTED)
      controller.abort()
    })
  }
  return controller.signal
}
