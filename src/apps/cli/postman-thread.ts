// A thread in which requests of agents are answered.
import { parentPort } from 'node:worker_threads'
import { allRequests } from '../../agents/requests/all-requests.ts'
import type { Request } from '../../agents/requests/request.ts'
import { answerRequest } from '../../agents/tray/answer-request.ts'
import type { ThreadOrder, ThreadWord } from '../../agents/tray/postman-threads.ts'
import { onHookFault } from '../../federation/hooks/fault-listener.ts'
import { onSetAside } from '../../platform/git/set-aside-listener.ts'
import { standing, standings } from './standing-requests.ts'

/** Whoever looks at teams sees their processes from here. */
const requests = new Map([
  ...allRequests,
  ...[standing, standings].map((one) => [one.name, one as unknown as Request] as const),
])
const port = parentPort as NonNullable<typeof parentPort>
const tell = (word: ThreadWord) => port.postMessage(word)
onHookFault((line) => tell({ kind: 'hook-fault', line }))
onSetAside((line) => tell({ kind: 'set-aside', line }))

const underWay = new Map<number, AbortController>()
port.on('message', (order: ThreadOrder) => {
  if (order.kind === 'abort') underWay.get(order.number)?.abort()
  else void answer(order)
})

async function answer({ number, task }: Extract<ThreadOrder, { kind: 'answer' }>): Promise<void> {
  const gone = new AbortController()
  underWay.set(number, gone)
  await answerRequest(task, requests, gone.signal)
  underWay.delete(number)
  tell({ kind: 'answered', number })
}
