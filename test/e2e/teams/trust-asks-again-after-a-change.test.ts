// Proves that what was trusted runs as it was then and in no other form: an edit of the hook, of a file that it imports,
// of its lock file, a file that takes the place of another, other checks or another agent ask again, each for itself.
// Fails when something that changed runs, or when somebody is asked for what did not.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { configure } from '../../support/checks.ts'
import { codingTeam } from '../../support/coding-team.ts'
import { fed, fedDone, newFederation } from '../../support/fed.ts'

let root: string
const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), text)
}
const setting = (settings: object) => write('federate.config.json', JSON.stringify(settings))
const changed =
  /^fed: the code of importHook has changed since it was trusted, so none of it runs; .*: fed trust\n$/

describe('of a hook', () => {
  beforeEach(async () => {
    root = await newFederation()
    write('package-lock.json', '{}')
    write('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./source/*"] } } }')
    write('node_modules/words/index.js', "module.exports = 'words'\n")
    write('source/aliased.ts', 'export const aliased = 1\n')
    write(
      'hooks/more.ts',
      "import '@/aliased'\nimport words from 'words'\nexport const more: string = words\n",
    )
    write('hooks/late.mjs', 'export const late = 1\n')
    write(
      'hooks/fed.ts',
      "import { more } from './more'\nexport default { async onInit() { console.log(more, (await import('./late.mjs')).late) } }\n",
    )
    setting({ importHook: 'hooks/fed.ts' })
    await fedDone(root, ['trust'])
    expect(await fed(root, ['init'])).toMatchObject({ code: 0, stderr: 'words 1\n' })
  })

  test.each<readonly [string, () => void]>([
    ['the module itself', () => write('hooks/fed.ts', "import './more'\nexport default { onInit() {} }\n")],
    ['a file that it imports', () => write('hooks/more.ts', "export const more = 'others'\n")],
    ['one that is imported later', () => write('hooks/late.mjs', 'export const late = 2\n')],
    ['one by an alias of the repository', () => write('source/aliased.ts', "console.log('ran')\n")],
    ['what packages there are', () => write('package-lock.json', '{ "name": "shop" }')],
    ['another file in the place of one', () => write('hooks/more.js', "exports.more = 'planted'\n")],
    ['a file that is gone', () => rmSync(path.join(root, 'source', 'aliased.ts'))],
    ['another module', () => setting({ importHook: 'hooks/more.ts' })],
    ['where an alias leads', () => rename('source', 'other')],
  ])('%s', async (_, change) => {
    change()
    const { code, stderr, stdout } = await fed(root, ['init'])
    expect([code, stdout, stderr]).toEqual([5, '', expect.stringMatching(changed)])
    // what happens meanwhile happens without it
    expect((await fed(root, ['status'])).code).toBe(0)
    await fedDone(root, ['trust'])
    expect((await fed(root, ['init'])).stderr).not.toContain('fed trust')
  })

  const rename = (from: string, to: string) => {
    renameSync(path.join(root, from), path.join(root, to))
    write('tsconfig.json', `{ "compilerOptions": { "paths": { "@/*": ["./${to}/*"] } } }`)
  }

  test('a description asks nobody, and neither does what the hook does not import', async () => {
    setting({ importHook: 'hooks/fed.ts', description: 'The shop' })
    write('hooks/beside.ts', "console.log('ran')\n")
    expect(await fed(root, ['init'])).toMatchObject({ code: 0, stderr: 'words 1\n' })
  })

  test('what loads code that no name shows is refused with its line', async () => {
    write('hooks/fed.ts', "const name = './more'\nawait import(name)\nexport default {}\n")
    const { code, stderr } = await fed(root, ['trust'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('hooks/fed.ts:2: loads what no name shows')])
  })

  test('a file that comes in without an import of its name is refused', async () => {
    write(
      'hooks/fed.ts',
      "const load = eval('require')\nload(['.', 'more.ts'].join('/'))\nexport default {}\n",
    )
    await fedDone(root, ['trust'])
    const { code, stderr } = await fed(root, ['init'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('it loads hooks/more.ts, which no import names'),
    ])
  })
})

test('checks that a person adds or edits by hand, and those alone', async () => {
  const { root: shop } = await codingTeam()
  const say = () => fed(shop, ['report', 'tests-passed', '--team', 'api'])
  const checks = (run: string) => ({ checks: [{ name: 'unit', run }] })
  configure(shop, { ...checks('false'), agentCommand: 'sh -c true' })
  root = shop
  setting({ ...checks('true'), agentCommand: 'sh -c true' })
  expect(await say()).toMatchObject({
    code: 5,
    stderr:
      'fed: what checks and setup of federate.config.json run has changed since it was trusted, so nothing of it runs; to see and allow it: fed trust\n',
  })
  const launch = ['launch', '--team', 'api', '--max-sessions', '1']
  expect((await fed(shop, launch)).stderr).toContain('fed: what checks and setup')
  await fedDone(shop, ['trust'])
  expect(await say()).toMatchObject({ code: 0 })
})

test('an agent’s command, and no agent that a person names', async () => {
  root = await newFederation({ docs: 'Document the source' })
  setting({ agentCommand: 'sh -c "exit 3"' })
  const launch = ['launch', '--team', 'docs', '--max-sessions', '1']
  expect(await fed(root, launch)).toMatchObject({
    code: 5,
    stderr:
      'fed: the agentCommand of federate.config.json is not trusted on this machine, so it is not started; to see and allow it: fed trust\n',
  })
  expect((await fed(root, [...launch, '--agent', 'sh -c "exit 3"'])).stderr).toContain('session 1 of sh')
  await fedDone(root, ['trust'])
  expect((await fed(root, [...launch, '--reset'])).stderr).toContain('session 1 of sh')
  setting({ agentCommand: 'fed-agent' })
  await fedDone(root, ['launch', '--team', 'docs', '--reset'])
})
