import { answerOf, startProgram, stop, tell } from '../children.mjs'
import { inWords } from '../measure.mjs'
import { newFederation, surviving } from '../places.mjs'

const senders = 2

/** Many signals while the reader hears nothing: the operating system drops notices, and no signal may be lost. */
export async function measure({ count = 30_000, blocked = 4000 }) {
  surviving('process')
  const federation = await newFederation('docs')
  const reader = await startProgram('blocked-reader', federation.root, blocked)
  const share = count / senders
  const children = await Promise.all(
    Array.from({ length: senders }, (_, index) =>
      startProgram('send-burst', federation.root, index * share, share),
    ),
  )
  const isBlocked = answerOf(reader)
  tell(reader, count)
  await isBlocked
  const reading = answerOf(reader)
  const sending = Promise.all(children.map(answerOf))
  for (const child of children) tell(child)
  await sending
  const { seen, told, after } = await reading
  await stop(reader)
  return [
    {
      path: `burst of ${count.toLocaleString('en')}, reader blocked ${blocked / 1000} s`,
      ours: `${seen.toLocaleString('en')} read, ${told} calls, ${inWords(after)} after`,
      rival: '',
      value: count - seen,
      unit: 'lost',
      sense: 'at most',
      floor: 0,
      reach: 0,
    },
  ]
}
