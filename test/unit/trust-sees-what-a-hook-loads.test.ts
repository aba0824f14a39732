// Proves that every file that a hook names is among what a person trusts, however it is named, and that what could load
// another file is refused with its line. Fails when an edit of a file would go unseen, or when harmless words are refused.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { HookError } from '../../src/errors/document-errors.ts'
import { hookSources } from '../../src/federation/trust/hook-sources.ts'
import { newFolder } from '../support/fed.ts'

function sources(text: string): string[] {
  const root = realpathSync(newFolder('hook'))
  const write = (name: string, content: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), content)
  }
  write('fed.ts', text)
  write('more.ts', "import './further'\n")
  for (const name of ['further.ts', 'old.cjs', 'tool', 'data.json', 'page.md']) write(name, '')
  return hookSources(root, path.join(root, 'fed.ts'))
}

test.each([
  ["import './more'", ['further.ts', 'more.ts']],
  ['const { a } = await import(`./more`)', ['further.ts', 'more.ts']],
  ["export * from\n  './more'", ['further.ts', 'more.ts']],
  ["const old = require ( './old.cjs' )", ['old.cjs']],
  ["import tool from './tool'", ['tool']],
  ["fork(new URL('./old.cjs', import.meta.url))", ['old.cjs']],
  ["import data from './data.json' with { type: 'json' }", ['data.json']],
  ["read('./page.md')", []],
  ["// as './more' does\n", ['further.ts', 'more.ts']],
])('%j is made of these files', (text, files) => {
  expect(sources(text)).toEqual(['fed.ts', ...files].toSorted())
})

test.each([
  ["const name = './more'\nawait import(name)", 2],
  ['await import(`./${process.env.USER}`)', 1],
  ["// import(x)\n/* require(y) */\nrequire('./m' + 'ore')", 3],
  ["import '\\x2e/more'", 1],
  ['import(\n"./mor\\u0065")', 1],
  ["const a = '/*'; import(x); const b = '*/'", 1],
  ['const a = `\n/*\n`; import(x); const b = `\n*/`', 3],
  ['const a = `\n// ${await import(x)}\n`', 2],
  ["const a = 'http://a'; import(x)", 1],
  ['const a = /[/*]/; import(x); const b = /[*/]/', 1],
  ["import { createRequire } from 'node:module'", 1],
  ["new Worker('./old.' + 'cjs')", 1],
  ["module.require('./' + 'old')", 1],
  ['const load = require\nload(x)', 1],
  ['[require].map((load) => load(x))', 1],
])('%j is refused in its line', (text, line) => {
  const refused = () => sources(text)
  expect(refused).toThrow(HookError)
  expect(refused).toThrow(`:${line}: loads what no name shows`)
})

test.each([
  '// import(x) is a way',
  '/**\n * import(x)\n */',
  'const a = 1 // require(it)',
  "const text = 'tests are what we require, and more'",
  'const a = { requirements: [1], import: 2 }',
  "type More = import('./more').More",
  'const reimport = (x: string) => x\nreimport(name)',
])('%j is harmless', (text) => {
  expect(() => sources(text)).not.toThrow()
})
