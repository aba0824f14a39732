// Proves that diagrams/ shows the machines as they are. Fails when a machine was changed, added or removed
// without drawing it again (`npm run diagrams`), or when a drawing differs from run to run.
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeDiagrams } from '../../src/diagram/diagram-files.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function contents(dir: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dir)
      // pictures of the dashboard are no two times the same, and the overview is drawn by hand
      .filter((name) => !name.endsWith('.png') && name !== 'overview.svg')
      .map((name) => [name, readFileSync(path.join(dir, name), 'utf8')]),
  )
}

test('drawing the machines again gives the committed files, byte for byte', async () => {
  const fresh = mkdtempSync(path.join(os.tmpdir(), 'fed-diagrams-'))
  await writeDiagrams(fresh)
  expect(contents(path.join(root, 'diagrams')), 'run npm run diagrams').toEqual(contents(fresh))
})

test('each file of machines/ that creates a machine has its two diagrams', () => {
  const sources = path.join(root, 'machines')
  const drawn = readdirSync(path.join(root, 'diagrams'))
  const declaring = readdirSync(sources).filter((file) =>
    readFileSync(path.join(sources, file), 'utf8').includes('.createMachine('),
  )
  expect(declaring).not.toEqual([])
  for (const file of declaring) {
    const name = path.basename(file, '.ts')
    expect(drawn).toEqual(expect.arrayContaining([`${name}.svg`, `${name}.mmd`]))
  }
})
