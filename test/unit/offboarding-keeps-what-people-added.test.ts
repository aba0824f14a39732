// Proves that an offboarded team is remembered with all that people added to its entry in the registry. Fails when
// the note of it is held for something else because it is large.
import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lastFormer, noteOffboarding } from '../../src/federation/former-teams.ts'
import { federationLayout } from '../../src/protocol/folder-layout.ts'
import type { RegistryEntry } from '../../src/protocol/registry-schema.ts'
import { newFolder } from '../support/federation.ts'

test('an entry with long words of somebody', () => {
  const root = newFolder('offboarding')
  mkdirSync(federationLayout(root).archive, { recursive: true })
  const at = '2026-11-20T23:05:01.000Z'
  const entry: RegistryEntry = {
    domain: 'docs',
    domainId: 'docs',
    archetypeId: 'deliverable',
    placementType: 'directory',
    onboardedAt: at,
    location: '/teams/docs',
    'x-minutes': 'what was said '.repeat(20_000),
  }
  noteOffboarding(root, at, entry)
  expect(lastFormer(root, 'docs')?.offboarding.entry).toEqual(entry)
})
