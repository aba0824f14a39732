// Proves that a survey with a cache says exactly what one without says, after any edits, commits and branches; fails where a file, a commit or a format is believed unchanged that is not.
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { findingsOf } from '../../../src/surveyor/survey-findings.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { gitIn, repositoryOf, writeFiles } from '../../support/repository.ts'

const FILES = {
  'README.md': '# Shop\n\nShop keeps orders and carts for small sellers on one disk.\n',
  'package.json': '{"name":"shop","main":"src/a.ts"}',
  'src/a.ts': "import './b.ts'\nexport const a = 1\n",
  'src/b.ts': "import { c } from './c.ts'\nexport const b = c\n",
  'src/c.ts': 'export const c = 3\n',
  'tool.py': 'def run():\n    return 1\n',
}
const FILES_OF_CACHE = ['facts', 'history', 'commits', 'links', 'reports', 'findings']
const temporary = (): string => mkdtempSync(path.join(os.tmpdir(), 'fed-survey-cache-'))

const MISSION = readMission('', 'Document the architecture')

/** Everything a survey says, and what is made of it; its functions and what it cost aside. */
async function said(root: string, cacheFolder?: string): Promise<unknown> {
  const found = await survey(root, cacheFolder === undefined ? {} : { cacheFolder })
  const { source: _, languageOf: __, statistics: ___, byPath: ____, remember: _____, ...rest } = found
  return { ...rest, report: renderReport(found, MISSION), findings: findingsOf(found, MISSION) }
}

const NAMES = ['README.md', 'src/a.ts', 'src/b.ts', 'src/c.ts', 'src/d.tsx', 'tool.py', 'tool', 'LICENSE']
const TEXTS = [
  'export const x = 1\n',
  'export const y = 1\n',
  "import './c.ts'\n",
  '// Code generated. DO NOT EDIT.\n',
  '#!/usr/bin/env node\nlet q\n',
  '# Title\n',
  '',
]

const name = fc.constantFrom(...NAMES)
const edit = fc.oneof(
  fc.record({ do: fc.constant('write' as const), name, text: fc.constantFrom(...TEXTS) }),
  fc.record({ do: fc.constant('write old' as const), name, text: fc.constantFrom(...TEXTS) }),
  fc.record({ do: fc.constantFrom('delete', 'touch', 'mode', 'link', 'replace'), name }),
  fc.record({ do: fc.constant('rename' as const), name, to: name }),
  fc.record({
    do: fc.constantFrom(
      'add',
      'commit',
      'commit',
      'amend',
      'branch',
      'back',
      'mailmap',
      'attributes',
      'ignore',
    ),
  }),
)
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

/** Does an edit; git refuses some (nothing to commit, local changes in the way), which is as good as any. */
function apply(root: string, what: Edit, cacheOf: () => string): void {
  const tryGit = (...args: string[]): void => {
    try {
      gitIn(root, args)
    } catch (error) {
      if (typeof (error as { status?: unknown }).status !== 'number') throw error
    }
  }
  const at = (file: string): string => path.join(root, file)
  const file = 'name' in what ? at(what.name) : root
  const isThere = 'name' in what && statSync(file, { throwIfNoEntry: false })?.isFile() === true
  switch (what.do) {
    case 'write':
    case 'write old':
      rmSync(file, { recursive: true, force: true })
      writeFileSync(file, what.text)
      if (what.do === 'write old') utimesSync(file, 1_000_000, 1_000_000)
      return
    case 'delete':
      return rmSync(file, { force: true })
    case 'touch':
      return isThere ? utimesSync(file, 2_000_000, 2_000_000) : undefined
    case 'mode':
      return isThere ? chmodSync(file, 0o755) : undefined
    case 'link':
      rmSync(file, { force: true })
      return symlinkSync(path.basename(cacheOf()), file)
    case 'replace':
      writeFileSync(at('aside'), 'export const z = 9\n')
      return renameSync(at('aside'), file)
    case 'rename':
      return tryGit('mv', '-f', what.name, what.to)
    case 'add':
      return tryGit('add', '-A')
    case 'commit':
      return tryGit('commit', '-q', '-a', '-m', 'Next')
    case 'amend':
      return tryGit('commit', '-q', '-a', '--amend', '-m', 'Amended')
    case 'branch':
      return tryGit('checkout', '-q', '-b', `side-${readdirSync(at('.git/refs/heads')).length}`)
    case 'back':
      return tryGit('checkout', '-q', '-f', 'main')
    case 'mailmap':
      return writeFileSync(at('.mailmap'), 'B <b@example.org> <a@example.org>\n')
    case 'attributes':
      return appendFileSync(at('.gitattributes'), '*.ts -diff\nsrc/c.ts linguist-generated\n')
    case 'ignore':
      return appendFileSync(at('.gitignore'), 'tool\n')
    default:
  }
}

test('after any edits, a survey that remembers says what one says that does not', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
      async (rounds) => {
        const root = repositoryOf(FILES)
        const cacheFolder = temporary()
        await survey(root, { cacheFolder })
        for (const edits of rounds) {
          mkdirSync(path.join(root, 'src'), { recursive: true })
          for (const one of edits) apply(root, one, () => cacheFolder)
          expect(await said(root, cacheFolder)).toEqual(await said(root))
        }
        rmSync(path.dirname(root), { recursive: true })
        rmSync(cacheFolder, { recursive: true })
      },
    ),
    { numRuns: 12 },
  )
})

test('an edit of the same size in the same moment is seen, whatever its date says', async () => {
  const root = repositoryOf(FILES)
  const cacheFolder = temporary()
  const file = path.join(root, 'src/c.ts')
  for (let round = 0; round < 5; round++) {
    writeFileSync(file, `export const c${round} = 3\n`)
    utimesSync(file, 1_000_000, 1_000_000)
    const found = await survey(root, { cacheFolder })
    expect(found.byPath.get('src/c.ts')?.facts.code?.symbols.map((symbol) => symbol.name)).toEqual([
      `c${round}`,
    ])
  }
})

test('what did not change is not read again', async () => {
  const root = repositoryOf(FILES)
  const cacheFolder = temporary()
  // Files as fresh as these are read until their stamps can be told from that of a later edit.
  await expect
    .poll(async () => (await survey(root, { cacheFolder })).statistics, { timeout: 120_000 })
    .toEqual({ parsed: 0, fromCache: Object.keys(FILES).length, read: 0 })
  appendFileSync(path.join(root, 'src/c.ts'), 'export const more = 1\n')
  expect((await survey(root, { cacheFolder })).statistics).toMatchObject({ parsed: 1, read: 1 })
})

test('two names for one content are two questions', async () => {
  const generated = '# Code generated by tool. DO NOT EDIT.\n[package]\nname = "x"\n'
  const root = repositoryOf({
    'a.toml': generated,
    'crate/Cargo.toml': generated,
    LICENSE: '# T\n',
    README: '# T\n',
  })
  const cacheFolder = temporary()
  const first = await said(root, cacheFolder)
  rmSync(path.join(root, 'a.toml'))
  rmSync(path.join(root, 'LICENSE'))
  expect(await said(root, cacheFolder)).toEqual(await said(root))
  expect(JSON.stringify(first)).toContain('"path":"a.toml","reason":"generated"')
  expect((await survey(root, { cacheFolder })).byPath.get('README')?.facts.title).toBe('T')
})

test('a commit is asked for once, and the history is the same', async () => {
  const root = repositoryOf(FILES)
  const cacheFolder = temporary()
  for (const day of ['2024-05-02', '2024-05-03', '2024-05-04']) {
    writeFiles(root, { 'src/c.ts': `export const c = '${day}'\n` })
    gitIn(root, ['commit', '-q', '-a', '-m', `On ${day}`], day)
    await survey(root, { cacheFolder })
  }
  const found = await survey(root, { cacheFolder })
  expect(found.history).toEqual((await survey(root)).history)
  expect(found.history).toMatchObject({ read: 4, total: 4, last: '2024-05-04' })
})

test('a cache that is cut, mixed up, of another version or in the way is no error and changes nothing', async () => {
  const root = repositoryOf(FILES)
  const cacheFolder = temporary()
  const fresh = await said(root)
  await said(root, cacheFolder)
  const whole = temporary()
  cpSync(cacheFolder, whole, { recursive: true })
  const damages: ((text: Buffer) => Buffer)[] = [
    (text) => text.subarray(0, text.length / 2),
    (text) => Buffer.concat([text, text.subarray(0, 100)]),
    (text) => Buffer.from(text.toString('latin1').replaceAll('export', 'exporf'), 'latin1'),
    (text) => Buffer.from(text.toString('latin1').replace(/\d/g, '7'), 'latin1'),
    (text) => Buffer.concat([Buffer.from('fed-other-1 2 x\n{}\n'), text]),
    () => Buffer.from('null'),
    () => Buffer.alloc(0),
  ]
  for (const damage of damages) {
    for (const file of FILES_OF_CACHE)
      writeFileSync(path.join(cacheFolder, file), damage(readFileSync(path.join(whole, file))))
    expect(await said(root, cacheFolder)).toEqual(fresh)
    expect(await said(root, cacheFolder)).toEqual(fresh)
  }
  for (const file of [...FILES_OF_CACHE, 'clock']) {
    rmSync(path.join(cacheFolder, file), { force: true })
    mkdirSync(path.join(cacheFolder, file))
  }
  expect(await said(root, cacheFolder)).toEqual(fresh)
  const taken = path.join(temporary(), 'file')
  writeFileSync(taken, '')
  expect(await said(root, taken)).toEqual(fresh)
})

test('surveys at once share a cache and agree', async () => {
  const root = repositoryOf(FILES)
  const cacheFolder = temporary()
  const fresh = await said(root)
  for (let round = 0; round < 3; round++)
    expect(await Promise.all([1, 2, 3].map(() => said(root, cacheFolder)))).toEqual([fresh, fresh, fresh])
})

test('what follows from a survey is made once, and anew when anything is different', async () => {
  const root = repositoryOf(FILES)
  const cacheFolder = temporary()
  const made = async (asked: string, now: string): Promise<string> =>
    (await survey(root, { cacheFolder })).remember('things', asked, () => now)
  expect(await made('a', 'first')).toBe('first')
  expect(await made('a', 'second')).toBe('first')
  expect(await made('b', 'third')).toBe('third')
  appendFileSync(path.join(root, 'src/c.ts'), '// more\n')
  expect(await made('a', 'fourth')).toBe('fourth')
  gitIn(root, ['commit', '-q', '-a', '-m', 'More'])
  expect(await made('a', 'fifth')).toBe('fifth')
  writeFileSync(path.join(root, 'new.txt'), '')
  expect(await made('a', 'sixth')).toBe('sixth')
})

test('what was made of a file that was written meanwhile is not kept', async () => {
  const root = repositoryOf(FILES)
  const cacheFolder = temporary()
  const file = path.join(root, 'src/c.ts')
  const told = async (before: () => void): Promise<string> => {
    const found = await survey(root, { cacheFolder })
    before()
    return found.remember('things', undefined, () => found.source('src/c.ts'))
  }
  expect(await told(() => writeFileSync(file, 'other\n'))).toBe('other\n')
  writeFileSync(file, FILES['src/c.ts'])
  expect(await told(() => undefined)).toBe(FILES['src/c.ts'])
})
