import { connect } from 'node:net'

/**
 * Whether somebody listens at an address: a machine without a collector, where nothing else of telemetry is
 * needed, knows it at once.
 * @returns why nobody does, undefined when somebody does.
 */
export function unreachable(url: URL, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port })
    const settle = (reason?: string) => {
      socket.destroy()
      resolve(reason)
    }
    socket.once('connect', () => settle())
    socket.once('error', (error: NodeJS.ErrnoException) => settle(codeOf(error)))
    const onAbort = () => settle('no answer in time')
    // a command that runs for days tries again and again
    socket.once('close', () => signal.removeEventListener('abort', onAbort))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}

/** Of several addresses that were tried, the first one's. */
function codeOf(
  error: NodeJS.ErrnoException & { readonly errors?: readonly NodeJS.ErrnoException[] },
): string {
  return error.code ?? error.errors?.[0]?.code ?? error.message
}
