// Proves that a federation steps only teams that lie in it: a registry that names another federation's team gives nobody
// that team's life. Fails when a signal of a foreign registry moves a team under rules that are not its own.
import { copyFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { fed, newFederation, workspaceOf } from '../../support/fed.ts'

test('a registry with the entries of another one', async () => {
  const root = await newFederation({ docs: 'Explain it' })
  const other = await newFederation()
  const registry = (of: string) => path.join(of, '.fed', 'team-registry.json')
  copyFileSync(registry(root), registry(other))
  const life = path.join(workspaceOf(root, 'docs'), '.fed', 'lifecycle.json')
  const before = readFileSync(life, 'utf8')
  const report = ['report', 'mission-planned', '--team', 'docs', '--body', 'Read src/app.ts']
  const { code, stderr } = await fed(other, report)
  expect([code, stderr]).toEqual([
    expect.any(Number),
    expect.stringMatching(/the registry says that docs lives in .*, where this federation puts no team/),
  ])
  expect(code).not.toBe(0)
  await fed(other, ['monitor'])
  expect(readFileSync(life, 'utf8')).toBe(before)
  expect((await fed(root, report)).code).toBe(0)
})
