// Proves that documents and charts are drawn in a thread whose end is enforced, that a document is shown all the
// same, and that a layout that was kept is used without being believed. Fails when a document that takes long is
// waited for, when an own machine is laid out anew each time, or when words from a kept file reach a drawing.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { Deliverables } from '../../../src/apps/web/dashboard/shown-deliverable.ts'
import { Drawings } from '../../../src/apps/web/dashboard/drawings.ts'
import { chartOf } from '../../../src/diagram/chart.ts'
import { newFolder } from '../../support/fed.ts'

const open: Drawings[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

function drawings(folder: string, longestMs?: number): Drawings {
  const made = new Drawings(folder, longestMs)
  open.push(made)
  return made
}

test('a document that takes too long is shown as its source, and says so', async () => {
  const file = path.join(newFolder('document'), 'deliverable.md')
  writeFileSync(file, '# Title\n')
  const folder = newFolder('layouts')
  const late = await new Deliverables(drawings(folder, 1)).show(file)
  expect(late?.note).toContain('more than 0.001 s')
  expect(late?.html).toContain('# Title')
  const shown = await new Deliverables(drawings(folder)).show(file)
  expect([shown?.note, shown?.html]).toEqual(['', expect.stringContaining('<h1')])
})

test('a document that did not change is rendered once, however often it is asked for', async () => {
  const file = path.join(newFolder('document'), 'deliverable.md')
  writeFileSync(file, '# Title\n')
  const rendering = drawings(newFolder('layouts'))
  const deliverables = new Deliverables(rendering)
  const first = await deliverables.show(file)
  await rendering.close()
  expect(await deliverables.show(file)).toEqual(first)
  writeFileSync(file, '# Another\n')
  expect((await deliverables.show(file))?.note).toContain('closed')
})

test('what happens in the thread stops nothing that is drawn afterwards', async () => {
  const one = drawings(newFolder('layouts'))
  const broken = { root: undefined, transitions: [] } as unknown as ReturnType<typeof chartOf>
  const answers = await Promise.allSettled([one.chart(broken), one.document('# Title')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

const own = chartOf(
  createMachine({
    id: 'own',
    initial: 'first',
    states: { first: { on: { next: 'second' } }, second: { type: 'final' } },
  }),
)

test("an own machine's layout is kept, and only its numbers count", async () => {
  const folder = newFolder('layouts')
  const drawn = await drawings(folder).chart(own)
  // it has no words that the smaller drawing leaves out
  const [kept = '', ...others] = readdirSync(folder).map((name) => path.join(folder, name))
  expect(others).toEqual([])
  expect(await drawings(folder).chart(own)).toEqual(drawn)
  const change = (edit: (text: string) => string) => {
    const text = edit(readFileSync(kept, 'utf8'))
    rmSync(kept)
    writeFileSync(kept, text)
  }
  const original = readFileSync(kept, 'utf8')
  change((text) => text.replaceAll(/"width":(\d+)/g, '"width":9$1'))
  expect((await drawings(folder).chart(own)).full).not.toBe(drawn.full)
  change((text) => text.replaceAll(/"x":\d+/g, '"x":"0\\"/><script>hacked = 1</script>"'))
  expect(await drawings(folder).chart(own)).toEqual(drawn)
  // and what was laid out anew is kept again
  expect(readFileSync(kept, 'utf8')).toBe(original)
})
