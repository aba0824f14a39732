// A thread that wants the processor all the time, until a deadline gives it up; prints the thread's id, and how many
// milliseconds it was waited for once somebody has said on standard input that it gets little.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { startDeadline } from '../../src/federation/hooks/deadline.ts'

const before = new Set(readdirSync('/proc/self/task'))
const worker = new Worker('for (;;);', { eval: true })
await once(worker, 'online')
console.log(readdirSync('/proc/self/task').find((thread) => !before.has(thread)))
await once(process.stdin, 'data')
const began = performance.now()
startDeadline(Number(process.argv[2]), () => {
  console.log(performance.now() - began)
  process.exit()
})
