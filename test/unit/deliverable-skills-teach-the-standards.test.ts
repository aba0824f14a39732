// Proves that the skills that ship say what is checked and keep to it themselves, their templates included;
// fails when a rule is not explained, or when an agent that copies a template would be refused.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkDeliverable, rules } from '../../src/records/deliverable/check-markdown.ts'
import { readDeliverable } from '../../src/records/deliverable/read-deliverable.ts'

const folder = new URL('../../src/records/skills/shipped/', import.meta.url)
const skill = (name: string) => readFileSync(new URL(name, folder), 'utf8')
const templatesOf = (name: string) =>
  Array.from(skill(name).matchAll(/^````markdown\n([^]*?)^````$/gm), (match) => match[1] ?? '')

describe('the skills', () => {
  it.each(readdirSync(folder))('%s has tags and a category, and meets the standards itself', (name) => {
    const text = skill(name)
    expect(readDeliverable(text).frontMatter.data).toEqual({
      tags: expect.arrayContaining([expect.any(String)]),
      category: expect.any(String),
    })
    expect(checkDeliverable(text, { codebaseHasCode: false })).toEqual([])
  })

  it('documentation-standards explains every rule', () => {
    const text = skill('documentation-standards.md')
    expect([...rules.map(({ id }) => id), 'not-empty'].filter((id) => !text.includes(`\`${id}\``))).toEqual(
      [],
    )
  })

  it.each([
    ['documentation-standards.md', ['Architecture']],
    ['report-templates.md', ['Architecture', 'Analysis', 'Audit']],
  ])('the templates of %s pass the check as they stand', (name, kinds) => {
    const templates = templatesOf(name)
    expect(templates.map((template) => /^# (\w+)/.exec(template)?.[1])).toEqual(kinds)
    for (const template of templates)
      expect(checkDeliverable(template, { codebaseHasCode: true })).toEqual([])
  })
})
