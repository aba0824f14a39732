import type { ChildProcess } from 'node:child_process'
import type { Exceeded } from './command.ts'

/**
 * Listens to a gate, started with an IPC channel, that ends its agent over a limit.
 * @returns a function that tells for which, once the gate has exited.
 */
export function exceededBy(gate: ChildProcess): () => Exceeded | undefined {
  let exceeded: Exceeded | undefined
  gate.on('message', (message) => {
    exceeded = (message as { readonly exceeded: Exceeded }).exceeded
  })
  return () => exceeded
}
