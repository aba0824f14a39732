// The thread in which a session's tray is served: a long look of git's for one team holds up no other's requests.
import { parentPort, workerData } from 'node:worker_threads'
import { onSetAside } from '../../platform/git/set-aside-listener.ts'
import { onHookFault } from '../../federation/hooks/fault-listener.ts'
import { Postman, type Post } from './postman.ts'
import type { PostmanMessage, PostmanOrder } from './serve-tray.ts'

const { post, left } = workerData as { post: Post; left: readonly Post[] }
const port = parentPort as NonNullable<typeof parentPort>
const tell = (message: PostmanMessage) => port.postMessage(message)
onHookFault((line) => tell({ kind: 'hook-fault', line }))
onSetAside((line) => tell({ kind: 'set-aside', line }))

const service = begin()
port.on('message', (order: PostmanOrder) => {
  if (order === 'end') void service.then(({ end }) => end()).then(() => tell({ kind: 'ended' }))
})

async function begin() {
  // what a dead launcher has left was asked before anything that this session asks
  for (const earlier of left) await new Postman(earlier).finish()
  return new Postman(post).serve()
}
