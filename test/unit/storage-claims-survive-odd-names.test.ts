// Proves that a file with a number that no program can count on blocks no claim. Fails when whoever claims tries the
// same number for ever.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { claim, isClaimed } from '../../src/platform/storage/claim.ts'
import { newFolder } from '../support/federation.ts'

test('a number beyond those that can be counted', () => {
  const folder = newFolder('claims')
  writeFileSync(path.join(folder, 'work.9007199254740992'), '')
  const giveBack = claim(folder, 'work')
  expect(isClaimed(folder, 'work')).toBe(true)
  expect(claim(folder, 'work')).toBeUndefined()
  giveBack?.()
  expect(isClaimed(folder, 'work')).toBe(false)
})
