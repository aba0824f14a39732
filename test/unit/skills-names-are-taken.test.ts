// Proves that the configuration knows every skill that ships: a playbook that took the name of one would be installed
// in its place. Fails when a skill is added that the list does not name.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { configSchema } from '../../src/protocol/config-schema.ts'
import { shippedSkillNames } from '../../src/protocol/skill-names.ts'

const shipped = readdirSync(fileURLToPath(new URL('../../src/records/skills/shipped', import.meta.url)))
  .map((file) => file.replace(/\.md$/, ''))
  .toSorted()

test('every skill but the playbook is named', () => {
  expect(['domain-playbook', ...shippedSkillNames].toSorted()).toEqual(shipped)
})

test.each([...shippedSkillNames, 'Orchestration', 'domain-playbook.md'])(
  '%s is no playbook',
  (playbookSkill) => {
    expect(configSchema.safeParse({ playbookSkill }).success).toBe(false)
  },
)

test.each(['domain-playbook', 'our-rules'])('%s is one', (playbookSkill) => {
  expect(configSchema.parse({ playbookSkill })).toMatchObject({ playbookSkill })
})
