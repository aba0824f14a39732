// Proves that 8 processes which update the registry many times each move lockVersion by exactly one for each update
// while others read it. Fails when an update is lost or made twice, when two get one lockVersion, when a field that
// this version does not know is dropped, or when a reader sees half a file or an older registry after a newer.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openFederation } from '../../src/index.ts'
import { bundle } from '../support/bundle.ts'
import { newFederation, newFolder } from '../support/federation.ts'
import { Gate } from '../support/gate.ts'
import { start } from '../support/program.ts'
import { tries } from '../support/thorough.ts'

const times = tries(360)
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

interface Looked {
  readonly reads: number
  readonly torn: string[]
  readonly fell: string[]
  readonly last: number
}

test(`${names.length} processes update the registry ${times} times each`, async () => {
  const root = newFederation()
  const { registry } = await openFederation(root)
  const { lockVersion: before } = registry.update((draft) => {
    const entry = {
      archetypeId: 'deliverable',
      placementType: 'directory',
      onboardedAt: draft.lastUpdated,
    } as const
    draft.teams = names.map((name) => ({
      ...entry,
      domain: name,
      domainId: name,
      location: path.join(root, name),
    }))
  })
  const program = await bundle('workers/registrar.ts')
  const gate = new Gate(newFolder('gate'))
  const begin = async <Result>(role: string, ...more: string[]) => {
    const { code, stderr, stdout } = await start(program, [role, root, gate.folder, ...more]).ended
    expect({ role, code, stderr }).toEqual({ role, code: 0, stderr: '' })
    return JSON.parse(stdout) as Result
  }
  const writers = names.map((name) => begin<{ versions: number[] }>('update', name, String(times)))
  const readers = ['read-plainly', 'read'].map((role) => begin<Looked>(role))
  await gate.open(1, names.length + 2)
  const versions = (await Promise.all(writers)).map((one) => one.versions)
  gate.end('updating')

  const after = before + names.length * times
  const published = JSON.parse(readFileSync(path.join(root, '.fed', 'team-registry.json'), 'utf8'))
  expect(published).toMatchObject({ lockVersion: after, total: names.length * times })
  expect(published.teams.map(({ domainId, count }: Record<string, unknown>) => [domainId, count])).toEqual(
    names.map((name) => [name, times]),
  )
  expect(versions.flat().toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: after - before }, (_, index) => before + index + 1),
  )
  for (const own of versions) expect(own).toEqual(own.toSorted((a, b) => a - b))
  const [plain, library] = await Promise.all(readers)
  expect(plain).toMatchObject({ torn: [], last: after })
  expect(library).toMatchObject({ torn: [], fell: [], last: after })
  expect(registry.read()).toMatchObject({ lockVersion: after, total: names.length * times })
})
