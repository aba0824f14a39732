// Proves that the model that a deliverableSchema sees is the one that its JSON Schema documents, for any Markdown,
// and what `fed check --model` prints. Fails when a field is left out, undocumented, not JSON, or of another kind.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { documentOf } from '../../../src/records/deliverable/checked-document.ts'
import { readDeliverable } from '../../../src/records/deliverable/read-deliverable.ts'
import { fed, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'
import { goodDeliverable } from '../../support/good-deliverable.ts'

const schema = JSON.parse(
  readFileSync(new URL('../../../src/federation/schemas/deliverable.schema.json', import.meta.url), 'utf8'),
)
const validate = new Ajv({ allErrors: true }).compile(schema)

const skill = readFileSync(
  new URL('../../../src/records/skills/shipped/report-templates.md', import.meta.url),
  'utf8',
)
const pieces = [
  '---\n',
  'a: .nan\nb: 2026-01-01\nc: {d: [1, null]}\n',
  '# Title\n',
  '## Summary\n',
  '### Deep\n',
  'Words. [a](#title) ![b](c.png) <http://x.y>\n',
  '- [a](#title)\n- [b](#deep)\n',
  '```ts\nconst a = 1\n```\n',
  '```mermaid\ngraph TD\n```\n',
  '    indented\n',
  '```\n@startuml\n',
  '| a |\n|---|\n| b |\n',
  '\n',
]

test('of any Markdown it is what its schema says, and plain JSON', () => {
  const holds = (markdown: string) => {
    const document = documentOf(readDeliverable(markdown))
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  }
  for (const markdown of ['', goodDeliverable, skill]) holds(markdown)
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (some) => holds(some.join(''))),
  )
  fc.assert(fc.property(fc.string({ unit: 'binary' }), holds))
})

test('each of its fields is explained', () => {
  for (const [name, field] of Object.entries(schema.properties as Record<string, { description?: string }>))
    if (name !== 'diagrams') expect(field.description, name).toMatch(/\w/)
})

test('fed check --model prints it', async () => {
  const root = await newFederation({ docs: undefined })
  const file = path.join(workspaceOf(root, 'docs'), 'deliverable.md')
  writeFileSync(file, `---\nowner: docs\n---\n${goodDeliverable}`)
  const model = JSON.parse(await fedDone(root, ['check', 'docs', '--model']))
  expect(validate(model)).toBe(true)
  expect(model).toMatchObject({
    frontMatter: { owner: 'docs' },
    title: { text: expect.any(String), line: 4 },
    sections: expect.arrayContaining([expect.objectContaining({ role: 'next-steps', level: 2 })]),
  })
  writeFileSync(file, Buffer.from([0xff]))
  const broken = await fed(root, ['check', 'docs', '--model'])
  expect([broken.code, broken.stdout]).toEqual([1, ''])
  expect(broken.stderr).toMatch(/^fed: .*UTF-8.*\n$/)
})
