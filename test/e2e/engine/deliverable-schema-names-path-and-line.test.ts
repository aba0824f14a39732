// Proves that a JSON Schema of any known draft is applied to the model of a Markdown deliverable or to the JSON
// itself, and that each violation is told with its JSON Pointer and its line. Fails when a draft's own keyword is
// not applied, a line is wrong, or a place is named by another's path.
import { mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkDeliverableFile, documentInFile } from '../../../src/records/deliverable/check-file.ts'
import { goodDeliverable } from '../../support/good-deliverable.ts'
import { violationsOf } from '../../support/schema.ts'

const markdown = `---
owner: docs
tags:
  - storage
  - 7
---

# Storage

It stores things. It is small.

## Risks

Few words here.

### Power cuts

\`\`\`ts
const a = 1
\`\`\`

## Design

\`\`\`mermaid
graph TD
\`\`\`

See [the code](src/app.ts).
`

const ofMarkdown = (schema: unknown) => violationsOf('deliverable.md', markdown, schema)
const within = (field: string, schema: unknown) => ({ properties: { [field]: schema } })

describe('of a Markdown deliverable', () => {
  test.each<[string, unknown, string[]]>([
    [
      'front matter',
      within('frontMatter', within('owner', { const: 'ops' })),
      ['2 /frontMatter/owner must be "ops"'],
    ],
    [
      'a value inside of front matter',
      within('frontMatter', within('tags', { items: { type: 'string' } })),
      ['5 /frontMatter/tags/1 must be string'],
    ],
    [
      'what front matter misses',
      within('frontMatter', { required: ['reviewed'] }),
      ["1 /frontMatter must have 'reviewed'"],
    ],
    [
      'the title',
      within('title', within('text', { pattern: '^ADR ' })),
      ['8 /title/text must match pattern "^ADR "'],
    ],
    [
      'the summary',
      within('summary', within('sentences', { minimum: 3 })),
      ['10 /summary/sentences must be >= 3'],
    ],
    [
      'the words of a section',
      within('sections', { items: within('words', { minimum: 1 }) }),
      ['16 /sections/1/words must be >= 1'],
    ],
    [
      'the level of a section',
      within('sections', { items: within('level', { maximum: 2 }) }),
      ['16 /sections/1/level must be <= 2'],
    ],
    [
      'a code block',
      within('codeBlocks', { items: within('language', { enum: ['py', 'go'] }) }),
      ['18 /codeBlocks/0/language must be one of "py", "go"'],
    ],
    [
      'a diagram',
      within('diagrams', { items: within('kind', { const: 'plantuml' }) }),
      ['24 /diagrams/0/kind must be "plantuml"'],
    ],
    [
      'a link',
      within('links', { items: within('target', { format: 'uri' }) }),
      ['28 /links/0/target must match format "uri"'],
    ],
    [
      'a table of contents',
      within('tableOfContents', { type: 'object' }),
      ['8 /tableOfContents must be object'],
    ],
    ['the whole', within('words', { minimum: 9999 }), ['8 /words must be >= 9999']],
    [
      'a section that is missing',
      within('sections', { contains: within('title', { const: 'Costs' }) }),
      ['8 /sections must hold an item that meets {"properties":{"title":{"const":"Costs"}}}'],
    ],
  ])('%s', async (_what, schema, violations) => {
    expect(await ofMarkdown(schema)).toEqual(violations)
  })

  test('what it meets is no violation', async () => {
    const schema = {
      ...within('title', within('text', { const: 'Storage' })),
      required: ['frontMatter', 'summary', 'sections'],
    }
    expect(await ofMarkdown(schema)).toEqual([])
  })
})

const json = `{
  "title": "Storage",
  "risks": [
    { "name": "power", "weight": 3 },
    {
      "name": "a/b~c",
      "weight": "much"
    }
  ],
  "a/b~c": { "x":
    1 }
}
`
const ofJson = (schema: unknown) => violationsOf('result.json', json, schema)

describe('of JSON', () => {
  test.each<[string, unknown, string[]]>([
    [
      'an item',
      within('risks', { items: within('weight', { type: 'number' }) }),
      ['7 /risks/1/weight must be number'],
    ],
    [
      'what is missing',
      within('risks', { items: { required: ['owner'] } }),
      ["4 /risks/0 must have 'owner'", "5 /risks/1 must have 'owner'"],
    ],
    [
      'a field too many',
      { properties: { title: {}, risks: {} }, additionalProperties: false },
      ['10 /a~1b~0c is not allowed here'],
    ],
    [
      'a name that a pointer escapes',
      within('a/b~c', within('x', { minimum: 2 })),
      ['10 /a~1b~0c/x must be >= 2'],
    ],
    ['the whole', { type: 'array' }, ['1 the document must be array']],
  ])('%s', async (_what, schema, violations) => {
    expect(await ofJson(schema)).toEqual(violations)
  })
})

test('of endless violations the first thousand are told, and how many more there are', async () => {
  const many = await violationsOf('x.json', JSON.stringify(Array(5000).fill('x')), {
    items: { type: 'number' },
  })
  expect(many).toHaveLength(1001)
  expect(many).toContain('1 the document has 4000 violations more')
})

describe('the draft that $schema names', () => {
  const drafts = {
    'draft-07': 'http://json-schema.org/draft-07/schema#',
    '2019-09': 'https://json-schema.org/draft/2019-09/schema',
    '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  }
  const list = '["a", 1]'

  test.each<[keyof typeof drafts, string, unknown, number]>([
    ['draft-07', list, { prefixItems: [{ type: 'number' }] }, 0],
    ['2019-09', list, { prefixItems: [{ type: 'number' }] }, 0],
    ['2020-12', list, { prefixItems: [{ type: 'number' }] }, 1],
    ['draft-07', list, { items: [{ type: 'number' }] }, 1],
    ['2019-09', list, { items: [{ type: 'number' }] }, 1],
    ['draft-07', list, { unevaluatedItems: false }, 0],
    ['2019-09', list, { unevaluatedItems: false }, 1],
    ['2020-12', list, { unevaluatedItems: false }, 1],
    ['draft-07', '"2026-13-41"', { format: 'date' }, 1],
    ['2020-12', '"2026-13-41"', { format: 'date' }, 1],
  ])('%s: %s with %j', async (draft, text, schema, count) => {
    const violations = await violationsOf('x.json', text, { $schema: drafts[draft], ...(schema as object) })
    expect(violations).toHaveLength(count)
  })

  test('is the newest where none is named', async () => {
    expect(await violationsOf('x.json', list, { prefixItems: [{ type: 'number' }] })).toHaveLength(1)
  })

  test('may refer to parts of its own file and to itself', async () => {
    const schema = {
      $schema: drafts['draft-07'],
      definitions: { tree: { items: { $ref: '#/definitions/tree' }, type: 'array' } },
      $ref: '#/definitions/tree',
    }
    expect(await violationsOf('x.json', '[[],\n[[1]]]', schema)).toEqual(['2 /1/0/0 must be array'])
  })
})

describe('a deliverable that is JSON', () => {
  const place = mkdtempSync(path.join(os.tmpdir(), 'fed-json-'))
  const check = (text: string) => {
    const file = path.join(place, 'Result.JSON')
    writeFileSync(file, text)
    return { file, ...checkDeliverableFile(file, { workspace: place, codebaseHasCode: true }) }
  }

  test('meets no standards of Markdown, and is measured', () => {
    const { file, problems, figures } = check(`\uFEFF${json}`)
    expect(problems).toEqual([])
    expect(figures).toEqual({
      sizeBytes: Buffer.byteLength(json) + 3,
      sections: 3,
      codeExamples: 0,
      diagrams: 0,
      words: 4,
    })
    expect(documentInFile(file, place)).toEqual(JSON.parse(json))
  })

  test.each([
    ['', 'not-empty', 1],
    [' \n', 'not-empty', 1],
    ['{\n  "a": 1,\n  "b": }', 'json', 3],
    ['{\n  "a": 1,\n}', 'json', 3],
    ['[1,\n2,\n', 'json', 2],
    ['// words\n{}', 'json', 1],
    [goodDeliverable, 'json', 1],
    ['['.repeat(1000) + ']'.repeat(1000), 'json', 1],
    ['['.repeat(1_000_000), 'json', 1],
  ])('%# that is broken is a problem with a line', (text, rule, line) => {
    const { problems, figures, file } = check(text)
    expect(problems).toEqual([{ rule, line, message: expect.any(String) }])
    expect(figures).toBeUndefined()
    expect(() => documentInFile(file, place)).toThrow(new RegExp(`:${line} ${rule}: `))
  })
})
