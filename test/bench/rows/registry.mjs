import { spawn } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { answerOf, startProgram, tell } from '../children.mjs'
import { compared, each, inTurn } from '../measure.mjs'
import { newFederation, newFolder, surviving } from '../places.mjs'
import { registryFile } from '../registry-writer.mjs'
import { rivalProgram, Skipped } from '../rivals.mjs'

const processes = 8

/** Eight processes that update one registry of five teams at once; every update must be there afterwards. */
export async function measure({ rounds = 5, times = 200 }) {
  surviving('process')
  const template = await newFederation('docs', 'api', 'storage', 'interface', 'deployment')

  const insist = (way, folder, before, expected, field = 'lockVersion') => {
    const counted = JSON.parse(readFileSync(registryFile(folder), 'utf8'))[field] - before
    if (counted !== expected) throw new Error(`${way}: ${counted} updates instead of ${expected}`)
  }
  const writers = (way, count) => async () => {
    const folder =
      way === 'ours'
        ? (await newFederation('docs', 'api', 'storage', 'interface', 'deployment')).root
        : newFolder(way)
    if (way !== 'ours') cpSync(template.root, folder, { recursive: true })
    const { lockVersion } = JSON.parse(readFileSync(registryFile(folder), 'utf8'))
    const children = await Promise.all(
      Array.from({ length: processes }, () => startProgram('count-registry', way, folder, count)),
    )
    const answers = Promise.all(children.map(answerOf))
    for (const child of children) tell(child)
    const spans = await answers
    insist(way, folder, lockVersion, processes * count)
    if (way === 'ours') insist(way, folder, 0, processes * count, 'counted')
    const spent = Math.max(...spans.map(({ ended }) => ended)) - Math.min(...spans.map(({ begun }) => begun))
    return spent / count
  }
  const programsInC = async () => {
    const folder = newFolder('c')
    cpSync(template.root, folder, { recursive: true })
    const file = registryFile(folder)
    const { lockVersion } = JSON.parse(readFileSync(file, 'utf8'))
    const children = Array.from({ length: processes }, () =>
      spawn(rivalProgram(), ['count', file, `${file}.lock`, String(times)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    )
    const spent = Promise.all(children.map(async ({ stdout }) => Number(await text(stdout))))
    for (const { stdin } of children) stdin.end()
    const longest = Math.max(...(await spent))
    insist('C', folder, lockVersion, processes * times)
    return longest / times
  }

  const row = { sense: 'at least' }
  const describe = each(processes)
  const rivals = [
    { path: 'registry, 8 × 200 updates', rival: 'flock', floor: 0.7, reach: 1, run: writers('flock', times) },
    {
      path: 'registry, 8 × 200 updates',
      rival: 'proper-lockfile',
      floor: 15,
      reach: 25,
      run: writers('proper-lockfile', Math.ceil(times / 10)),
      rounds: Math.ceil(rounds / 2),
    },
    { path: 'registry, 8 × 200 updates', rival: 'C: flock', run: programsInC, rounds: Math.ceil(rounds / 2) },
  ]
  const outcomes = []
  for (const { run, rounds: some = rounds, ...goal } of rivals) {
    try {
      const pairs = await inTurn(some, writers('ours', times), run)
      outcomes.push(compared({ ...row, ...goal }, pairs, { describe }))
    } catch (error) {
      if (!(error instanceof Skipped)) throw error
      outcomes.push({ path: goal.path, skipped: error.message })
    }
  }
  return outcomes
}
