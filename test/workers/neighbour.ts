// The other process of an interleaving, as a thread: it does what it is told while the first one stands still.
import { workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { openFederation, type Federation } from '../../src/index.ts'
import { perform, type Act } from '../support/acts.ts'

// a thread has its process's id, which would make the two one sender: it takes that of another who lives
Object.defineProperty(process, 'pid', { value: process.ppid })

const { port, done } = workerData as { port: MessagePort; done: Int32Array }
let federation: Federation

port.on('message', async (told: { open: string } | { acts: Act[] }) => {
  let failure: string | undefined
  try {
    if ('open' in told) federation = await openFederation(told.open)
    else for (const act of told.acts) await perform(federation, act)
  } catch (error) {
    failure = (error as Error).stack
  }
  port.postMessage({ failure })
  Atomics.store(done, 0, 1)
  Atomics.notify(done, 0)
})
