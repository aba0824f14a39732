// Proves that one command documents a repository by many teams and no account: each area has a document, one result
// holds them together, and both say the same of the same thing. Fails when a figure, a path or an edge differs between
// them, when a link leads nowhere, or when a goal that was interrupted does not go on.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { slug } from 'github-slugger'
import { beforeAll, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { fed, fedJson, newFolder, newRepository, startFed } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

interface Ended {
  readonly state: string
  readonly deliverable: string
  readonly exitCode: number
  readonly tasks: readonly { readonly task: string; readonly state: string; readonly team: string }[]
}

/** A repository with three folders of modules that import each other. */
function repositoryOfAreas(): string {
  const root = newRepository()
  for (const [folder, other] of [
    ['store', undefined],
    ['rules', 'store'],
    ['pages', 'rules'],
  ] as const) {
    mkdirSync(path.join(root, folder))
    for (let at = 0; at < 6; at += 1) {
      const lines = [
        ...(other === undefined ? [] : [`import { ${other}${at} } from '../${other}/${other}${at}.ts'`]),
        `/** Number ${at} of ${folder}. */`,
        `export function ${folder}${at}() {`,
        `  const sum = ${other === undefined ? at : `${other}${at}() + 1`}`,
        '  return sum',
        '}',
      ]
      writeFileSync(path.join(root, folder, `${folder}${at}.ts`), `${lines.join('\n')}\n`)
    }
  }
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '--message', 'Begin')
  return root
}

let template = ''
beforeAll(() => {
  template = repositoryOfAreas()
})
function repository(): string {
  const root = newFolder('areas')
  cpSync(template, root, { recursive: true })
  return root
}

const rowsOf = (text: string, head: string) => {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| ${head} |`))
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'))
  return at < 0
    ? []
    : lines.slice(at + 2, end).map((line) =>
        line
          .slice(2, -2)
          .split(' | ')
          .map((cell) => cell.trim()),
      )
}

test('the main job: areas side by side, one result, the same figures and edges everywhere', async () => {
  const root = repository()
  const ended = await fedJson<Ended>(root, ['goal', 'Document this repository'])
  expect(ended).toMatchObject({ state: 'complete', exitCode: 0 })
  expect(ended.tasks.map(({ task, state }) => [task, state])).toEqual([
    ['pages', 'done'],
    ['rules', 'done'],
    ['store', 'done'],
  ])
  const result = readFileSync(ended.deliverable, 'utf8')
  expect((await fed(root, ['check', 'document-this'])).code).toBe(0)
  const index = new Map(
    rowsOf(result, 'Part').map(([part = '', ...cells]) => [part.replace(/^\[(.*?)\].*$/, '$1'), cells]),
  )
  let modules = 0
  for (const { task, team } of ended.tasks) {
    const document = readFileSync(path.join(root, '.fed/teams', team, 'deliverable.md'), 'utf8')
    expect((await fed(root, ['check', team])).code).toBe(0)
    // what lies before the result is what was proven
    expect(readFileSync(path.join(path.dirname(ended.deliverable), 'inputs', `${task}.md`), 'utf8')).toBe(
      document,
    )
    const [own] = rowsOf(document, 'Area')
    expect(own?.[0]).toBe(`\`${task}\``)
    expect(index.get(task)?.slice(0, 3)).toEqual(own?.slice(1))
    modules += Number(own?.[1])
    // what one says that it uses, the other says that it is used by, and the map draws
    for (const [to = '', imports] of rowsOf(document, 'Uses')) {
      const name = to.replaceAll('`', '')
      const other = readFileSync(
        path.join(root, '.fed/teams', `document-this-${name}`, 'deliverable.md'),
        'utf8',
      )
      expect(rowsOf(other, 'Used by').find(([from]) => from === `\`${task}\``)?.[1]).toBe(imports)
      expect(edgesOf(result)).toContainEqual([task, name, imports])
    }
    for (const [module = ''] of rowsOf(document, 'Module'))
      expect(existsSync(path.join(root, module.replaceAll('`', '')))).toBe(true)
  }
  expect(modules).toBe(19)
  expect(
    edgesOf(result)
      .map(([from, to, imports]) => `${from} ${to} ${imports}`)
      .toSorted(),
  ).toEqual(['pages rules 6', 'rules store 6'])
  // each link leads to a heading that is there
  const links = [...result.matchAll(/\]\((inputs\/[^)#]+)(?:#([^)]+))?\)/g)]
  expect(links.length).toBeGreaterThan(6)
  for (const [, file = '', anchor] of links) {
    const text = readFileSync(path.join(path.dirname(ended.deliverable), file), 'utf8')
    const anchors = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => slug(heading))
    if (anchor !== undefined) expect(anchors).toContain(anchor)
  }
})

/** The edges of the map, by the names of its boxes. */
function edgesOf(text: string): (string | undefined)[][] {
  const names = new Map([...text.matchAll(/^ +(n\d+)\["(\S+) · \d+"\]/gm)].map(([, id, name]) => [id, name]))
  return [...text.matchAll(/^ +(n\d+) -->\|(\d+)\| (n\d+)/gm)].map(([, from, imports, to]) => [
    names.get(from),
    names.get(to),
    imports,
  ])
}

test('interrupted in the middle it goes on, and beside another process it looks on', async () => {
  const root = repository()
  const first = startFed(root, ['goal', 'Document this repository'])
  await until('the first to begin', () => first.stderr().includes('coordinating'))
  const second = startFed(root, ['goal', 'Document this repository'])
  await until('the second to look on', () => second.stderr().includes('another process dispatches'))
  first.kill('SIGINT')
  const interrupted = await first.ended
  expect(interrupted.code).toBe(130)
  expect(interrupted.stderr).toContain('the same command goes on with the goal of document-this')
  const { code, stdout } = await second.ended
  expect(code).toBe(0)
  expect(stdout).toContain(path.join('document-this', 'deliverable.md'))
  const { stdout: status } = await fed(root, ['goal', 'status'])
  expect(status).toContain('document-this is complete, 3 of 3 tasks done')
})

test('a plan that a person gives is carried out, and told again it is refused where it is none', async () => {
  const root = repository()
  writeFileSync(
    path.join(root, 'plan.yaml'),
    'goal: Two views\ntasks:\n  - { id: store, mission: Explain store/store0.ts }\n  - { id: pages, mission: Explain pages/pages0.ts, after: [store] }\n',
  )
  const ended = await fedJson<Ended>(root, ['goal', '--plan', 'plan.yaml'])
  expect(ended.tasks.map(({ state }) => state)).toEqual(['done', 'done'])
  // told again it is the same goal, and begins anew once it has ended
  const bad = await fed(root, ['goal', 'Two', '--plan', 'missing.yaml'])
  expect(bad).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no file missing.yaml') as string,
  })
  writeFileSync(path.join(root, 'bad.yaml'), 'goal: Two\ntasks:\n  - { id: a, mission: M, after: [b] }\n')
  const faults = await fed(root, ['goal', '--plan', 'bad.yaml'])
  expect(faults).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("bad.yaml:3 tasks.1.after.1: there is no task 'b'") as string,
  })
})

test('what a goal made is listed and taken away, and the result stays', async () => {
  const root = repository()
  const { deliverable } = await fedJson<Ended>(root, ['goal', 'Document this repository'])
  const dry = await fed(root, ['goal', 'clean', '--dry-run'])
  expect(dry.stdout.match(/would remove document-this-/g)).toHaveLength(3)
  expect(existsSync(path.join(root, '.fed/teams/document-this-store'))).toBe(true)
  expect((await fed(root, ['goal', 'clean'])).code).toBe(0)
  expect(existsSync(path.join(root, '.fed/teams/document-this-store'))).toBe(false)
  expect(existsSync(deliverable)).toBe(true)
  expect(existsSync(path.join(path.dirname(deliverable), 'inputs/store.md'))).toBe(true)
})

test('an agent that takes its time to leave holds up no further attempt, and a goal that cannot go on says so', async () => {
  const root = repository()
  const agent = path.join(newFolder('agent'), 'late.mjs')
  writeFileSync(
    agent,
    `import { execFileSync } from 'node:child_process'
execFileSync('fed', ['alert', 'information-missing', '--body', 'nothing here'])
setTimeout(() => undefined, 1500)
`,
  )
  writeFileSync(
    path.join(root, 'plan.yaml'),
    'goal: Late\ntasks:\n  - { id: a, mission: Do a, attempts: 3 }\n',
  )
  const { code, stdout } = await fed(root, [
    'goal',
    '--plan',
    'plan.yaml',
    '--agent',
    `${process.execPath} ${agent}`,
  ])
  expect(code).toBe(1)
  expect(stdout).toMatch(/✗ a +failed .*nothing here/)
  expect((await fed(root, ['costs', '--by', 'mission'])).stdout.match(/late-a\/\d/g)).toHaveLength(3)
})

test('two goals at once are both reached, each by its own coordinator', async () => {
  const root = repository()
  const plan = (word: string) => {
    writeFileSync(
      path.join(root, `${word}.yaml`),
      `goal: Goal ${word}\ntasks:\n  - { id: t, mission: Explain store/store0.ts }\n`,
    )
    return fed(root, ['goal', '--plan', `${word}.yaml`])
  }
  await fed(root, ['init'])
  const all = await Promise.all([plan('one'), plan('two')])
  expect(all.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  expect((await fed(root, ['goal', 'status'])).stdout.match(/is complete, 1 of 1 tasks done/g)).toHaveLength(
    2,
  )
})

test('without a terminal a plan that an agent made waits for --yes', async () => {
  const root = repository()
  const agent = path.join(newFolder('agent'), 'planner.mjs')
  writeFileSync(
    agent,
    `import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
const fed = (...args) => execFileSync('fed', args, { encoding: 'utf8' })
if (JSON.parse(fed('status', process.env.FED_TEAM, '--json')).state === 'planning') {
  writeFileSync(process.env.FED_WORKSPACE + '/plan.yaml', 'goal: G\\ntasks:\\n  - { id: t, mission: Do it, attempts: 1 }\\n')
  fed('report', 'plan-ready')
} else fed('alert', 'information-missing', '--body', 'it cannot be done')
`,
  )
  const goal = (...more: string[]) =>
    fed(root, ['goal', 'Do something', '--agent', `${process.execPath} ${agent}`, ...more])
  const first = await goal()
  expect(first.code).toBe(5)
  expect(first.stderr).toContain('nothing was begun: without a terminal --yes carries out the plan')
  expect(first.stdout).toContain('the plan of do-something waits for your word')
  expect(existsSync(path.join(root, '.fed/teams/do-something-t'))).toBe(false)
  expect((await goal('--yes')).stdout).toMatch(/✗ t +failed .*it cannot be done/)
})
