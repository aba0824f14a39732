// Proves that a federation knows where it lies by its own record, however it is reached. Fails when a link to it counts
// as a copy, or when a record that is damaged or gone is not written anew.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { repairAll } from '../../../src/apps/doctor/examine.ts'
import { isProblem } from '../../../src/monitor/diagnosis/finding.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { federationLayout } from '../../../src/protocol/folder-layout.ts'
import { findRoot } from '../../../src/federation/root.ts'
import { fed, fedDone, newFolder, workspaceOf } from '../../support/fed.ts'
import { newFederation } from '../../support/federation.ts'
import { someOf } from '../../support/thorough.ts'
import { withTeams, send, beside, copyAll, errorsIn } from '../../support/settled-federation.ts'

let root: string
beforeEach(async () => {
  root = await withTeams()
})

test('reached by a link, or with a link in its old place, it is the same', async () => {
  const link = beside(root, 'link')
  symlinkSync(root, link)
  await fedDone(link, ['send', 'docs', '--type', 'report', '--subject', 'By link'])
  await fedDone(root, ['onboard', 'site', '--archetype', 'deliverable', '--dir', link])
  expect(findRoot(link).root).toBe(root)
  const away = beside(root, 'away')
  renameSync(root, away)
  symlinkSync(away, root)
  await send(new Federation(findRoot(away).root), 'From away')
  expect(await errorsIn(away)).toEqual([])
  // what was onboarded by the link names the folder itself
  rmSync(link)
  expect(new Federation(root).registry.entry('site').location).toBe(workspaceOf(root, 'site'))
})

test('without teams it names no place, and is at home where it is copied to', async () => {
  const template = newFederation()
  const copies = ['one', 'two'].map((name) => {
    const copy = path.join(newFolder('copies'), name)
    copyAll(template, copy)
    return copy
  })
  for (const copy of copies) await new Federation(copy).onboard({ domain: 'docs', archetype: 'deliverable' })
  const records = copies.map(
    (copy) => JSON.parse(readFileSync(federationLayout(copy).record, 'utf8')) as object,
  )
  expect(records).toMatchObject(copies.map((copy) => ({ root: copy })))
  for (const copy of copies) expect(await errorsIn(copy)).toEqual([])
})

const damages: readonly (readonly [what: string, damage: (file: string) => unknown, code: number])[] = [
  ['no JSON', (file) => writeFileSync(file, '{'), 2],
  ['without a root', (file) => writeFileSync(file, '{"id":1,"root":"."}'), 2],
  ['a folder', (file) => mkdirSync(file), 2],
  ['a link', (file) => symlinkSync('/etc/passwd', file), 2],
  ['a pipe', (file) => execFileSync('mkfifo', [file]), 2],
  ['gone', () => undefined, 0],
]

test('a record that is damaged or gone is written anew by the doctor', async () => {
  const file = federationLayout(root).record
  for (const [what, damage, code] of someOf(damages, 3)) {
    rmSync(file)
    damage(file)
    const sent = await fed(root, ['send', 'docs', '--type', 'report', '--subject', 'x'])
    expect([what, sent.code]).toEqual([what, code])
    const { fixed, findings } = await repairAll(root)
    expect(fixed).toMatchObject([{ area: 'federation', message: expect.stringMatching(/^written anew/) }])
    expect(findings.filter(isProblem)).toEqual([])
    expect(new Federation(root).home).toEqual({ kind: 'here' })
  }
})
