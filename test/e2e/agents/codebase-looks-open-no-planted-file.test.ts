// Proves that fed's looks at a codebase write into nothing but their own files: whatever an agent has put at the names
// that fed uses there, or at the name of its next prompt. Fails when a link is followed, when a pipe holds the look up,
// or when a file with two names is changed under the other one.
import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../../src/platform/git/fingerprint.ts'
import { writePlain } from '../../../src/platform/storage/plain-file.ts'
import { newFolder, newRepository } from '../../support/fed.ts'

let root: string
let folder: string
let victim: string
beforeEach(() => {
  root = newRepository()
  folder = path.join(newFolder('store'), 'codebase', '1-1')
  victim = path.join(newFolder('victim'), 'a.ts')
  writeFileSync(victim, 'theirs\n')
})

const looks = () => fingerprint({ root, folder }).tree

test.each(['objects/info/alternates', 'index'])('%s', (name) => {
  const tree = looks()
  const file = path.join(folder, name)
  const plants: (() => void)[] = [
    () => symlinkSync(victim, file),
    () => symlinkSync(path.join(path.dirname(victim), 'new.ts'), file),
    () => linkSync(victim, file),
    () => execFileSync('mkfifo', [file]),
  ]
  for (const plant of plants) {
    rmSync(file)
    plant()
    expect(looks()).toBe(tree)
  }
  expect(readFileSync(victim, 'utf8')).toBe('theirs\n')
  expect(readdirSync(path.dirname(victim))).toEqual(['a.ts'])
})

test.each(['objects', 'objects/info', '.'])('the folder %s', (name) => {
  const tree = looks()
  const dir = path.join(folder, name)
  const elsewhere = path.join(path.dirname(victim), 'folder')
  mkdirSync(elsewhere)
  renameSync(dir, `${path.resolve(dir)}.away`)
  symlinkSync(elsewhere, path.resolve(dir))
  expect(looks()).toBe(tree)
  expect(readdirSync(elsewhere)).toEqual([])
})

test('a prompt, where another file has its name as well', () => {
  const prompt = path.join(path.dirname(victim), '1-2.prompt.md')
  linkSync(victim, prompt)
  writePlain(prompt, 'Go on\n')
  expect([readFileSync(victim, 'utf8'), readFileSync(prompt, 'utf8')]).toEqual(['theirs\n', 'Go on\n'])
})
