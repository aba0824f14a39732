import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { clock, compared, comparedWithEach, each, inTurn, timed } from '../measure.mjs'
import { newFederation, newFolder, surviving } from '../places.mjs'
import { runProgram } from '../rivals.mjs'

/** The calls of `files commit` from Node: what no program of this runtime is faster than. */
function commitInNode(text, count) {
  const dir = newFolder('rival')
  const at = (name) => path.join(dir, name)
  const flushed = (file) => {
    const descriptor = openSync(file, 'wx', 0o444)
    writeSync(descriptor, text)
    fdatasyncSync(descriptor)
    closeSync(descriptor)
  }
  return timed(() => {
    for (let done = 0; done < count; done += 1) {
      const claim = at(`.${done}.claim`)
      flushed(claim)
      linkSync(claim, at(`${done}.json`))
      unlinkSync(claim)
      const copy = at(`.${done}.tmp`)
      flushed(copy)
      const folder = openSync(dir, 'r')
      fsyncSync(folder)
      closeSync(folder)
      renameSync(copy, at('published.json'))
      const seen = at(`.${done}.ack`)
      writeFileSync(seen, text.slice(0, 76), { flag: 'wx', mode: 0o444 })
      linkSync(seen, at(`signal-${done}.json.ack`))
      unlinkSync(seen)
    }
  })
}

/**
 * One signal that a machine takes and the commit that it makes, against appending the commit's bytes to a file
 * and against its own promises in C, all safe from a power cut.
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
    const team = await federation.team('docs')
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
    await (await federation.team('docs')).step()
  }
  const ofOneMission = async () => {
    await newMission()
    return steps((number) => ({
      subject: `Look at part ${number} too`,
      body: 'It is larger than it seems.',
    }))
  }
  const describe = each(count)
  const outcomes = await comparedWithEach(
    { path: 'step: event and commit, durable', sense: 'at most' },
    [
      { rival: 'append, fdatasync', floor: 2, reach: 1.3, prepare: async () => append },
      {
        rival: 'C: the same calls',
        prepare: async () => () => runProgram('commit', newFolder('rival'), count, text.length),
      },
      { rival: 'Node: the same calls', prepare: async () => () => commitInNode(text, count) },
    ],
    { rounds, ours: ofOneMission, describe },
  )
  await newMission()
  const moves = await inTurn(
    Math.ceil(rounds / 2),
    () => steps((number) => ({ subject: number % 2 === 0 ? 'Pause' : 'Resume' })),
    append,
  )
  closeSync(log)
  const row = { path: 'the same, with report and registry', rival: 'append, fdatasync', sense: 'at most' }
  return [...outcomes, compared(row, moves, { describe })]
}
