// Proves that whatever stands at the deliverable's path is answered with problems, never a crash, and that
// nothing outside of the workspace is read; fails when a bad file throws, passes, or is followed outside.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkDeliverableFile } from '../../src/records/deliverable/check-file.ts'
import { goodDeliverable } from '../support/good-deliverable.ts'

let root: string
let workspace: string
let file: string
const check = () => checkDeliverableFile(file, { workspace, codebaseHasCode: true })
const problems = () => check().problems.map(({ rule, line }) => `${rule} ${line}`)

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'deliverable-'))
  workspace = path.join(root, 'workspace')
  file = path.join(workspace, 'deliverable.md')
  mkdirSync(workspace)
})
afterEach(() => rmSync(root, { recursive: true }))

it('a good file has no problems, and figures', () => {
  writeFileSync(file, goodDeliverable)
  expect(check()).toEqual({ problems: [], figures: expect.objectContaining({ sections: 3 }) })
})

it('a missing file, a missing workspace', () => {
  expect(check()).toMatchObject({ problems: [{ rule: 'exists', line: 1 }], figures: undefined })
  rmSync(workspace, { recursive: true })
  expect(problems()).toEqual(['exists 1'])
})

it('an empty file has figures', () => {
  writeFileSync(file, '')
  expect(check()).toMatchObject({ problems: [{ rule: 'not-empty' }], figures: { sizeBytes: 0 } })
})

it('bytes that are not UTF-8, at their line', () => {
  writeFileSync(file, Buffer.concat([Buffer.from('# a\n\né '), Buffer.from([0xe9, 0x0a])]))
  expect(problems()).toEqual(['utf-8 3'])
})

it('a directory', () => {
  mkdirSync(file)
  expect(problems()).toEqual(['readable 1'])
})

it('a link to a good file outside of the workspace', () => {
  writeFileSync(path.join(root, 'outside.md'), goodDeliverable)
  symlinkSync(path.join(root, 'outside.md'), file)
  expect(check()).toMatchObject({ problems: [{ rule: 'inside-workspace' }], figures: undefined })
})

it('a link inside of the workspace is followed, a dangling or circular one is not', () => {
  writeFileSync(path.join(workspace, '..real.md'), goodDeliverable)
  symlinkSync('..real.md', file)
  expect(problems()).toEqual([])
  rmSync(path.join(workspace, '..real.md'))
  expect(problems()).toEqual(['exists 1'])
  rmSync(file)
  symlinkSync('deliverable.md', file)
  expect(problems()).toEqual(['readable 1'])
})

it('a link to the folder around the workspace', () => {
  symlinkSync('..', file)
  expect(problems()).toEqual(['inside-workspace 1'])
})

it('a workspace that is itself reached through a link', () => {
  writeFileSync(file, goodDeliverable)
  symlinkSync(workspace, path.join(root, 'alias'))
  workspace = path.join(root, 'alias')
  expect(problems()).toEqual([])
})
