// The thread in which a session's tray is served: a long look of git's for one team holds up no other's requests.
import { parentPort, workerData } from 'node:worker_threads'
import { onSetAside } from '../../platform/git/set-aside-listener.ts'
import { onHookFault } from '../../federation/hooks/fault-listener.ts'
import { allRequests } from '../../agents/requests/all-requests.ts'
import type { Request } from '../../agents/requests/request.ts'
import { Postman, type Post } from '../../agents/tray/postman.ts'
import type { PostmanMessage, PostmanOrder } from '../../agents/tray/serve-tray.ts'
import { standing, standings } from './standing-requests.ts'

/** Whoever looks at teams sees their processes from here. */
const requests = new Map([
  ...allRequests,
  ...[standing, standings].map((one) => [one.name, one as unknown as Request] as const),
])
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
  for (const earlier of left) await new Postman(earlier, requests).finish()
  return new Postman(post, requests).serve()
}
