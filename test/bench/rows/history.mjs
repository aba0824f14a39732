import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { writeSignals } from '../history-files.mjs'
import { compared, each, inTurn, median, timed } from '../measure.mjs'
import { library, newFederation, surviving } from '../places.mjs'

/** What a poll costs as an inbox grows old, against the bare listing of the folder: it must stay flat. */
export async function measure({ rounds = 15, sizes = [100, 1000, 10_000, 100_000] }) {
  surviving('process')
  const { openFederation } = await library()
  const outcomes = []
  for (const size of sizes) {
    const federation = await newFederation('docs')
    const { inbox, outbox } = federation.mailbox('docs')
    writeSignals(inbox, outbox, 0, size, true)
    const repeats = Math.max(1, Math.ceil(2000 / size))
    const mailboxes = []
    const pairs = await inTurn(
      size > 50_000 ? Math.ceil(rounds / 2) : rounds,
      async () => {
        const passing = path.join(inbox, '.passing')
        writeFileSync(passing, '')
        rmSync(passing)
        mailboxes.length = 0
        for (let done = 0; done < repeats; done += 1) {
          mailboxes.push((await openFederation(federation.root)).mailbox('docs'))
        }
        return timed(() => {
          for (const mailbox of mailboxes) {
            if (mailbox.unacknowledged().length > 0) throw new Error('all are acknowledged')
          }
        })
      },
      () =>
        timed(() => {
          for (let done = 0; done < repeats; done += 1) readdirSync(inbox)
        }),
    )
    outcomes.push({
      ...compared(
        {
          path: `poll, ${size.toLocaleString('en')} acknowledged`,
          rival: 'readdirSync',
          sense: 'at most',
          floor: 1.5,
          reach: 1.1,
        },
        pairs,
        { describe: each(repeats) },
      ),
    })
  }
  const ratios = outcomes.map(({ value }) => value)
  return [
    ...outcomes,
    {
      path: 'poll, longest history against the others',
      ours: `${ratios.at(-1).toFixed(2)} ×`,
      rival: `median ${median(ratios.slice(0, -1)).toFixed(2)} ×`,
      value: ratios.at(-1) / median(ratios.slice(0, -1)),
      unit: '×',
      sense: 'at most',
      floor: 1.25,
      reach: 1.1,
    },
  ]
}
