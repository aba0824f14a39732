/** Promise for "one of these was aborted"; `end` leaves nothing behind on them, which may outlive many waits. */
export function firstAbort(signals: readonly (AbortSignal | undefined)[]): {
  readonly aborted: Promise<void>
  readonly end: () => void
} {
  const listening = new AbortController()
  const aborted = new Promise<void>((resolve) => {
    for (const signal of signals) {
      if (signal?.aborted) resolve()
      signal?.addEventListener('abort', () => resolve(), { signal: listening.signal })
    }
  })
  return { aborted, end: () => listening.abort() }
}
