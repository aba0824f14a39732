// Proves that a configured deliverableSchema is enforced where it counts: by `fed check` and by the machine's own
// guard, for Markdown and for JSON; and that one that cannot be used is told in one line, stops no team, and asks
// no network. Fails when a deliverable that violates it is accepted, or a broken schema is passed over.
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { fed, fedDone, fedJson, newFederation, newFolder, workspaceOf } from '../../support/fed.ts'
import { goodDeliverable } from '../../support/good-deliverable.ts'
import { statusOf } from '../../support/standing.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
let deliverable: string
let schema: string

function configure(config: Record<string, unknown>): void {
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify(config))
}

async function aggregating(): Promise<void> {
  await fedDone(root, ['report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'])
  await fedDone(root, ['learn', 'x', '--team', 'docs'])
  await fedDone(root, ['report', 'files-read', '--team', 'docs'])
  await fedDone(root, ['report', 'patterns-identified', '--team', 'docs', '--body', 'x'])
}

const written = ['report', 'document-written', '--team', 'docs']

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain src/app.ts' })
  deliverable = path.join(workspaceOf(root, 'docs'), 'deliverable.md')
  schema = path.join(root, 'schemas', 'report.json')
  mkdirSync(path.dirname(schema))
  configure({ deliverableSchema: 'schemas/report.json' })
  writeFileSync(deliverable, goodDeliverable)
})

test('Markdown: what violates it is refused with path and line, and accepted when it is corrected', async () => {
  const owned = { properties: { frontMatter: { type: 'object', required: ['owner'] } } }
  writeFileSync(schema, JSON.stringify(owned))
  await aggregating()
  const checked = await fed(root, ['check', 'docs'])
  expect([checked.code, checked.stdout]).toEqual([
    1,
    `${deliverable}:1 schema: /frontMatter must be object\n`,
  ])
  const { problems } = JSON.parse((await fed(root, ['check', 'docs', '--json'])).stdout)
  expect(problems).toEqual([
    { rule: 'schema', line: 1, path: '/frontMatter', message: '/frontMatter must be object' },
  ])
  const refused = await fed(root, written)
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('/frontMatter must be object')])
  writeFileSync(deliverable, `---\nowner: docs\n---\n${goodDeliverable}`)
  expect((await fed(root, ['check', 'docs'])).code).toBe(0)
  expect(await fedDone(root, written)).toContain('aggregating → complete')
})

test('a schema that is true takes every document, and one that is false takes none', async () => {
  writeFileSync(schema, 'true')
  expect((await fed(root, ['check', 'docs'])).code).toBe(0)
  writeFileSync(schema, 'false')
  const { code, stdout } = await fed(root, ['check', 'docs'])
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^\S+deliverable\.md:1 schema: .+\n$/)])
})

test('Markdown: the standards are checked as well', async () => {
  writeFileSync(schema, JSON.stringify({ properties: { words: { minimum: 1000 } } }))
  writeFileSync(deliverable, goodDeliverable.replace(/^## Next steps/m, '## The end'))
  const { stdout } = await fed(root, ['check', 'docs'])
  expect(stdout).toMatch(/ schema: \/words must be >= 1000$/m)
  expect(stdout).toMatch(/ next-steps: /)
})

test('JSON: the file itself is what is checked, measured and handed over', async () => {
  configure({ deliverable: 'result.json', deliverableSchema: 'schemas/report.json' })
  const result = path.join(workspaceOf(root, 'docs'), 'result.json')
  writeFileSync(schema, JSON.stringify({ properties: { risks: { items: { type: 'string' } } } }))
  await aggregating()
  expect((await fed(root, written)).stderr).toContain(`${result} does not exist`)
  writeFileSync(result, '{\n  "risks": [\n    "power cuts",\n    7\n  ]\n}\n')
  expect((await fed(root, ['check', 'docs'])).stdout).toBe(`${result}:4 schema: /risks/1 must be string\n`)
  expect(await fed(root, written)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('line 4: /risks/1 must be string'),
  })
  writeFileSync(result, '{\n  "risks": ["power cuts"]\n}\n')
  expect(await fedDone(root, ['check', 'docs'])).toContain('30 bytes, 2 words, 1 section, 0 code examples')
  await fedDone(root, written)
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
  expect((await fed(root, ['monitor'])).code).toBe(0)
})

test('a refusal holds the first problems and says how many more there are', async () => {
  configure({ deliverable: 'result.json', deliverableSchema: 'schemas/report.json' })
  writeFileSync(schema, JSON.stringify({ items: { type: 'number' } }))
  writeFileSync(path.join(workspaceOf(root, 'docs'), 'result.json'), JSON.stringify(Array(300).fill('x')))
  await aggregating()
  const { code, stderr } = await fed(root, written)
  expect(code).toBe(5)
  expect(stderr.match(/must be number/g)).toHaveLength(50)
  expect(stderr).toContain("and 250 more, which 'fed check' lists")
  expect((await fed(root, ['check', 'docs'])).stdout).toMatch(/and 100 more; --json gives all\n$/)
})

test('the embedded agent, which writes Markdown, says that it cannot write JSON', async () => {
  configure({ deliverable: 'result.json' })
  const { code, stderr } = await fed(root, ['launch', '--team', 'docs'])
  expect(code).toBe(5)
  expect(stderr).toContain('the deliverable is result.json, and it writes Markdown')
})

describe('a schema that cannot be used', () => {
  const inside = (text: string | Buffer) => () => writeFileSync(schema, text)
  const json = (content: unknown) => inside(JSON.stringify(content))

  test.each(
    someOf<[string, () => unknown, RegExp]>(
      [
        ['is not there', () => undefined, /there is no such file/],
        ['is a folder', () => mkdirSync(schema), /a folder, not a regular file/],
        ['is a pipe', () => spawnSync('mkfifo', [schema]), /not a regular file/],
        ['leads nowhere', () => symlinkSync('nowhere', schema), /a symbolic link that leads nowhere/],
        [
          'lies outside',
          () => {
            const outside = path.join(newFolder('outside'), 'x.json')
            writeFileSync(outside, '{}')
            symlinkSync(outside, schema)
          },
          /it lies outside of the federation/,
        ],
        ['is not JSON', inside('{\n'), /not JSON: /],
        ['is not UTF-8', inside(Buffer.from([0xff, 0xfe])), /not UTF-8 text/],
        ['is a list', json([]), /a schema is a JSON object/],
        [
          'is of an unknown draft',
          json({ $schema: 'http://json-schema.org/draft-04/schema#' }),
          /is no known draft/,
        ],
        ['names no draft', json({ $schema: 4 }), /'4' is no known draft/],
        ['is no valid schema', json({ type: 'sentence' }), /it is no valid schema: \/type must be /],
        [
          'has a pattern that is none',
          json({ properties: { words: { pattern: '(' } } }),
          /it is no valid schema: /,
        ],
        ['refers to another file', json({ $ref: 'other.json' }), /'other\.json' is not in this file/],
        ['refers to nothing', json({ $ref: '#/$defs/x' }), /'#\/\$defs\/x' is not in this file/],
        ['would answer later', json({ $async: true }), /\$async is of no draft/],
        [
          'is nested without end',
          json(JSON.parse('{"not":'.repeat(600) + '{}' + '}'.repeat(600))),
          /nested deeper/,
        ],
      ],
      3,
    ),
  )('that %s', async (_what, make, reason) => {
    make()
    const { code, stdout, stderr } = await fed(root, ['check', 'docs'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^fed: deliverableSchema: [^\n]*schemas\/report\.json: [^\n]+; correct it[^\n]*\n$/,
    )
    expect(stderr).toMatch(reason)
    const doctor = await fed(root, ['doctor', '--json'])
    expect(JSON.parse(doctor.stdout).findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        area: 'configuration',
        message: expect.stringMatching(reason),
      }),
    )
  })

  test('refuses the milestone with the reason, and the team lives on', async () => {
    await aggregating()
    const { code, stderr } = await fed(root, written)
    expect([code, stderr]).toEqual([5, expect.stringMatching(/deliverableSchema: .*there is no such file/)])
    const status = await fedJson<{ state: string; accepts: { event: string; missing: string[] }[] }>(root, [
      'status',
      'docs',
    ])
    expect(status.state).toBe('aggregating')
    expect(status.accepts.find(({ event }) => event === 'report.document-written')?.missing).toHaveLength(1)
    writeFileSync(schema, '{}')
    await fedDone(root, written)
  })

  test('outside by its path is refused, however it is written', async () => {
    writeFileSync(path.join(root, '..', 'outside.json'), '{}')
    for (const deliverableSchema of ['../outside.json', path.join(root, '..', 'outside.json')]) {
      configure({ deliverableSchema })
      expect((await fed(root, ['check', 'docs'])).stderr).toContain('it lies outside of the federation')
    }
  })

  test('that refers to an address asks no network', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    writeFileSync(schema, JSON.stringify({ $ref: `http://127.0.0.1:${port}/x.json` }))
    expect((await fed(root, ['check', 'docs'])).stderr).toMatch(
      /is not in this file; a \$ref reaches no other file/,
    )
    server.close()
    expect(asked).toBe(0)
  })
})

test('the configuration is loaded without it, and what needs no deliverable works', async () => {
  for (const args of [['status'], ['inbox', 'docs'], ['config'], ['monitor']])
    expect((await fed(root, args)).code).toBe(0)
  expect(readFileSync(deliverable, 'utf8')).toBe(goodDeliverable)
})
