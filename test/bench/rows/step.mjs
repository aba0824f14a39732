import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { clock, compared, each, inTurn, timed } from '../measure.mjs'
import { newFederation, newFolder, surviving } from '../places.mjs'

/**
 * One signal that a machine takes and the commit that it makes, against appending the commit's bytes to a file,
 * both safe from a power cut.
 */
export async function measure({ rounds = 15, count = 10 }) {
  surviving('power')
  const log = openSync(path.join(newFolder('rival'), 'log'), 'a')
  let federation
  let text = 'x'.repeat(1300)
  const append = () =>
    timed(() => {
      for (let done = 0; done < count; done += 1) {
        writeSync(log, text)
        fdatasyncSync(log)
      }
    })

  /** Ours: what is sent between two steps is not counted. */
  const steps = async (draftOf) => {
    const team = await federation.openTeam('docs')
    let spent = 0
    for (let done = 0; done < count; done += 1) {
      await federation.send({ from: 'meta', to: 'docs', type: 'directive', ...draftOf(done) })
      const begun = clock()
      const { handled } = await team.step()
      spent += clock() - begun
      if (handled[0]?.outcome !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(handled)}`)
    }
    text = readFileSync(
      path.join(federation.registry.entry('docs').location, '.fed', 'lifecycle.json'),
      'utf8',
    )
    return spent
  }

  const newMission = async () => {
    federation = await newFederation('docs')
    await federation.send({ from: 'meta', to: 'docs', type: 'directive', subject: 'Document the source' })
    await federation.team('docs').step()
  }
  const stays = await inTurn(
    rounds,
    async () => {
      await newMission()
      return steps((number) => ({
        subject: `Look at part ${number} too`,
        body: 'It is larger than it seems.',
      }))
    },
    append,
  )
  await newMission()
  const moves = await inTurn(
    Math.ceil(rounds / 2),
    () => steps((number) => ({ subject: number % 2 === 0 ? 'Pause' : 'Resume' })),
    append,
  )
  closeSync(log)
  const row = { rival: 'append, fdatasync', sense: 'at most' }
  const describe = each(count)
  return [
    compared({ path: 'step: event and commit, durable', ...row, floor: 2, reach: 1.3 }, stays, { describe }),
    compared({ path: 'the same, with report and registry', ...row }, moves, { describe }),
  ]
}
