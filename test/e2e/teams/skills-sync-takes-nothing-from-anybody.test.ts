// Proves that a synchronization that is stopped anywhere and goes on late overwrites nothing that was written
// meanwhile, and that several at once do what one does. It fails when a word of the team is gone from its folder.
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fed, run, start, type Point } from '../../killing/counted-process.ts'
import { filesIn } from '../../killing/federation-facts.ts'
import { seed } from '../../support/thorough.ts'
import { faultsOfSkills, withEarlierSkills } from '../../killing/scenarios/skills.ts'
import { everyPoint } from '../../killing/sweep.ts'
import { Random } from '../../simulation/random.ts'

const place = mkdtempSync(path.join(os.tmpdir(), 'fed-skills-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

let count = 0
const prepared = async () => {
  const root = path.join(place, String((count += 1)))
  return { root, skills: await withEarlierSkills(root), sync: fed(root, 'skills', 'sync', 'docs') }
}

/** Whoever writes in place, and whoever puts a new file there. */
const writers = {
  'in place': (file: string, text: string) => writeFileSync(file, text),
  'by a new file': (file: string, text: string) => {
    writeFileSync(`${file}.draft`, text)
    renameSync(`${file}.draft`, file)
  },
}

test('five at once end as one does', async () => {
  const { root, sync } = await prepared()
  const ended = await Promise.all(Array.from({ length: 5 }, () => run(sync)))
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']))
  expect([...faultsOfSkills(path.join(root, '.fed', 'teams', 'docs'))]).toEqual([])
})

test('what is written into an open file that was replaced or removed meanwhile lies beside it', async () => {
  const { skills, sync } = await prepared()
  const replaced = path.join(skills, 'diagram-tools.md')
  const removed = `${replaced}.new`
  writeFileSync(removed, readFileSync(replaced))
  const opened = [replaced, removed].map((file) => openSync(file, 'a'))
  await run(sync)
  expect([...filesIn(skills).keys()]).not.toContain('diagram-tools.md.new')
  for (const [index, writer] of opened.entries()) {
    appendFileSync(writer, `Late words ${index}.\n`)
    closeSync(writer)
  }
  await run(sync)
  const kept = [...filesIn(skills)].filter(([name]) => name.includes('.kept-'))
  expect(kept.map(([name, text]) => [name.replace(/kept-.*/, 'kept'), text.split('\n').at(-2)])).toEqual([
    ['diagram-tools.md.kept', 'Late words 0.'],
    ['diagram-tools.md.new.kept', 'Late words 1.'],
  ])
})

describe(`FED_SEED=${seed}`, () => {
  test.each(Object.entries(writers))(
    'what the team writes %s while one is stopped stays',
    async (_, write) => {
      const { calls } = await start((await prepared()).sync).ended
      const random = new Random(seed)
      const points = everyPoint(calls.length)
      const chosen: Point[] = process.env.FED_ALL_POINTS
        ? points
        : Array.from({ length: 6 }, () => points[Math.floor(random.next() * points.length)] as Point)
      for (const point of chosen) {
        const { skills, sync } = await prepared()
        const stopped = start(sync, { ...point, signal: 'SIGSTOP' })
        const mine: Record<string, string> = {}
        if (await stopped.stopped()) {
          for (const skill of ['diagram-tools.md', 'domain-playbook.md']) {
            // the title is what no merge may take; the rest may be brought up to date
            mine[skill] = `# Written late for ${skill}`
            write(path.join(skills, skill), `${mine[skill]}\n\nAnd nothing else.\n`)
          }
          // others go on meanwhile
          await run(sync)
          stopped.goOn()
        }
        await stopped.ended
        const at = `${point.moment} ${calls[point.number - 1]} (${point.number})`
        for (const [skill, title] of Object.entries(mine)) {
          expect(readFileSync(path.join(skills, skill), 'utf8'), at).toContain(title)
        }
        expect(
          [...filesIn(path.join(skills, '.original')).keys()].filter((name) => name.endsWith('.taken')),
          at,
        ).toEqual([])
      }
    },
  )
})
