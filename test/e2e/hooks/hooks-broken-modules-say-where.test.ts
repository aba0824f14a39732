// Proves that a hook module that cannot be used is one error with its file and line, exit 2, and that commands
// which need nothing of it go on. It fails when a stack trace gets out, when the author has to search, or when a
// module from outside of the repository is run.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fed, fedDone, fedJson, newFederation, newFolder, workspaceOf } from '../../support/fed.ts'
import { addAuditHook, addHook, configureHook } from '../../support/hook.ts'
import { someOf } from '../../support/thorough.ts'
import { trust } from '../../support/allow-everything.ts'

let root: string
const settings = { env: { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME as string } }

beforeEach(async () => {
  root = await newFederation({ docs: 'Document the app' })
})

test.each(
  someOf(
    [
      [
        'a syntax error',
        'const a: string = 1\n\nconst b = = 2\n',
        /^fed: importHook: \S+\/hook\.ts:3: Unexpected token;/,
      ],
      [
        'one that throws',
        'interface A { a: string }\n\nconst b = undefined as never as A\nexport const c = b.a\n',
        /hook\.ts:4: Cannot read properties of undefined \(reading 'a'\);/,
      ],
      [
        'an import that leads nowhere',
        "\nimport { a } from './nothing.ts'\nexport default { a }\n",
        /hook\.ts:2: Cannot find module '\.\/nothing\.ts'/,
      ],
      [
        'no default export',
        'export const hook = {}\n',
        /hook\.ts: it exports no hook; end it with: export default defineHook/,
      ],
      ['another export', "export default 'hook'\n", /it exports no hook/],
      [
        'an unknown function',
        'export default {\n  onBegin() {},\n}\n',
        /hook\.ts:2: onBegin: there is no such field;/,
      ],
      [
        'a function that is none',
        "export default {\n  onSignal: 'x',\n}\n",
        /hook\.ts:2: onSignal: is no function;/,
      ],
      [
        'an archetype that is none',
        'export default {\n  archetypes: {\n    audit: 5,\n  },\n}\n',
        /hook\.ts:3: archetype 'audit': /,
      ],
      [
        'one that exits',
        'const code = 0\n\nprocess.exit(code)\nexport default {}\n',
        /hook\.ts:3: it calls process\.exit;/,
      ],
      ['one that turns for ever', 'for (;;);\nexport default {}\n', /it did not load within 10 s/],
      [
        'a promise that nobody awaits',
        '\nvoid Promise.reject(new Error("late"))\nexport default {}\n',
        /hook\.ts:2: late;/,
      ],
      [
        'a getter that throws',
        'export default {\n  get onInit() { throw new Error("got") },\n}\n',
        /hook\.ts:2: got;/,
      ],
      ['a promise of a hook', 'export default Promise.resolve({})\n', /it exports no hook/],
      [
        'one that never loads',
        'await new Promise(() => undefined)\nexport default {}\n',
        /it did not load within 10 s/,
      ],
    ],
    3,
  ),
)('%s', async (_, text, expected) => {
  addHook(root, text)
  for (const args of [
    ['init'],
    ['onboard', 'a', '--archetype', 'audit'],
    ['onboard', 'a', '--archetype', 'coding'],
  ]) {
    const { code, stderr, stdout } = await fed(root, args, settings)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(expected)
    expect(stderr).toMatch(/^fed: importHook: [^\n]+; correct it, or what federate\.config\.json says\n$/)
    if (/ever/.test(_)) break
  }
  expect(await fedJson(root, ['status', 'docs'], settings)).toMatchObject({ state: 'preparing' })
})

test.each(
  someOf(
    [
      ['nothing there', () => 'hooks/none.ts', /there is no such file/],
      ['a path that leads out', () => path.relative(root, outside()), /it lies outside of the federation/],
      ['an absolute path from outside', () => outside(), /it lies outside of the federation/],
      ['a link that leads out', () => linked(outside()), /it lies outside of the federation/],
      ['a file of .fed, where agents write', () => inFed(), /it lies in \.fed, where agents write/],
      ['a folder', () => 'src', /it is no regular file/],
      ['another language', () => 'federate.config.json', /neither TypeScript nor JavaScript/],
    ],
    3,
  ),
)('%s is refused, and nothing of it runs', async (_, place, expected) => {
  configureHook(root, place())
  const { code, stderr } = await fed(root, ['onboard', 'a', '--archetype', 'audit'], settings)
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(expected) as string })
  const { stdout } = await fed(root, ['doctor', '--json'], settings)
  const { findings } = JSON.parse(stdout) as { findings: object[] }
  const message = expect.stringMatching(expected) as string
  expect(findings[0]).toMatchObject({ severity: 'error', area: 'configuration', message })
  expect(stderr).not.toContain('it ran')
})

const text = "console.error('it ran')\nexport default {}\n"

function outside(): string {
  const file = path.join(newFolder('outside'), 'hook.ts')
  writeFileSync(file, text)
  return file
}

function linked(target: string): string {
  symlinkSync(target, path.join(root, 'linked.ts'))
  return 'linked.ts'
}

function inFed(): string {
  const file = path.join(workspaceOf(root, 'docs'), 'hook.ts')
  writeFileSync(file, text)
  return path.relative(root, file)
}

test('what a module prints while it loads is no result, and JavaScript does as well', async () => {
  mkdirSync(path.join(root, 'hooks'))
  addHook(
    root,
    "console.log('loading')\nmodule.exports = { onInit() { console.log('init') } }\n",
    'hooks/hook.cjs',
  )
  const { code, stdout, stderr } = await fed(root, ['init', '--json'], settings)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ created: false })
  expect(stderr).toContain('loading')
  expect(stderr).toContain('init')
})

test.each(
  someOf(
    [
      ['an exported name of CommonJS', 'exports.default = HOOK'],
      [
        'what a compiler makes of a default export',
        "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = HOOK",
      ],
      ['the exports of CommonJS', 'module.exports = HOOK'],
    ],
    1,
  ),
)('%s is a hook, with modules by the path aliases of the repository', async (_, exporting) => {
  writeFileSync(path.join(root, 'package.json'), '{ "type": "commonjs" }')
  const paths = '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } } // and more'
  writeFileSync(path.join(root, 'tsconfig.json'), paths)
  writeFileSync(path.join(root, 'src', 'words.ts'), "export const words: string = 'by its alias'\n")
  const module = `const { words } = require('@/words')\n${exporting.replace('HOOK', 'hook')}\n`
  addHook(root, `const hook = { onInit() { console.log(words) } }\n${module}`, 'hook.js')
  expect(await fed(root, ['init'], settings)).toMatchObject({ code: 0, stderr: 'by its alias\n' })
})

test('what a module leaves open keeps no command from ending, and what fails there later stops none', async () => {
  addAuditHook(root)
  const left = "if (isMainThread) setInterval(() => { throw new Error('stray') }, 1)\n"
  const more = path.join(root, 'hooks', 'more.ts')
  writeFileSync(more, `import { isMainThread } from 'node:worker_threads'\n${left}`)
  const module = path.join(root, 'hooks', 'fed.ts')
  writeFileSync(module, `${readFileSync(module, 'utf8')}\nimport './more.ts'\n`)
  trust(root)
  const command = ['onboard', 'a', '--archetype', 'audit', '--json']
  const { code, stdout, stderr } = await fed(root, command, settings)
  expect({ code, team: (JSON.parse(stdout) as { domain: string }).domain }).toEqual({ code: 0, team: 'a' })
  expect(stderr).toMatch(/^fed: importHook: hooks\/more\.ts:2: stray; .*\n(?![^]*stray)/)
})

test('one that was put right is taken at once, and so is one that was not, in whatever file of its own', async () => {
  addHook(root, 'export default = {}')
  expect(await fed(root, ['init'], settings)).toMatchObject({ code: 2 })
  addHook(root, 'export default {}')
  await fedDone(root, ['init'], settings)
  addHook(root, "import './more.ts'\nexport default {}\n")
  writeFileSync(path.join(root, 'more.ts'), 'export {}\n')
  trust(root)
  await fedDone(root, ['init'], settings)
  writeFileSync(path.join(root, 'more.ts'), "void Promise.reject(new Error('late'))\nexport {}\n")
  trust(root)
  expect(await fed(root, ['init'], settings)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('late'),
  })
  rmSync(path.join(root, 'hook.ts'))
  expect(await fed(root, ['init'], settings)).toMatchObject({ code: 2 })
})
