import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeSignals } from '../history-files.mjs'
import { compared, each, inTurn, timed } from '../measure.mjs'
import { library, newFederation, surviving } from '../places.mjs'

const acknowledged = 10_000
const fresh = 10

/** An inbox with much behind it and little new, against the bare listing of the folder. */
export async function measure({ rounds = 21, repeats = 50 }) {
  surviving('process')
  const { openFederation } = await library()
  const federation = await newFederation('docs')
  const { inbox, outbox } = federation.mailbox('docs')
  writeSignals(inbox, outbox, 0, acknowledged, true)
  writeSignals(inbox, outbox, acknowledged, fresh, false)

  const expect = (signals) => {
    if (signals.length !== fresh) throw new Error(`${signals.length} signals instead of ${fresh}`)
  }
  const changed = await inTurn(
    rounds,
    async () => {
      // a name comes and goes, so that nothing known about the folder holds any more
      const passing = path.join(inbox, '.passing')
      writeFileSync(passing, '')
      rmSync(passing)
      const mailbox = (await openFederation(federation.root)).mailbox('docs')
      return timed(() => expect(mailbox.unacknowledged()))
    },
    () => timed(() => readdirSync(inbox)),
  )

  const mailbox = federation.mailbox('docs')
  mailbox.unacknowledged()
  while (Date.now() - statSync(inbox).mtimeMs < 3000) await wait(100)
  mailbox.unacknowledged()
  const unchanged = await inTurn(
    rounds,
    async () =>
      (await timed(() => {
        for (let done = 0; done < repeats; done += 1) expect(mailbox.unacknowledged())
      })) / repeats,
    () => timed(() => readdirSync(inbox)),
  )
  const row = { rival: 'readdirSync', sense: 'at most' }
  return [
    compared({ path: 'poll, 10,000 acknowledged, 10 new', ...row, floor: 1.5, reach: 1.1 }, changed, {
      describe: each(1),
    }),
    compared({ path: 'poll, nothing changed', ...row, floor: 0.02, reach: 0.005 }, unchanged, {
      describe: each(1),
    }),
  ]
}
