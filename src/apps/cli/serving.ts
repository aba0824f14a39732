import { InvalidArgumentError } from 'commander'

/** Goes on until Ctrl-C, then closes what is served. */
export async function untilInterrupted(close: () => Promise<void>): Promise<void> {
  const { INTERRUPTED, interruption } = await import('./interruption.ts')
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
