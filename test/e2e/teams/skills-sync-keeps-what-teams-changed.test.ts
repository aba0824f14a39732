// Proves that newer skills reach teams and that no word of a team is lost on the way: what nobody changed is replaced,
// beside what the team changed the newer one is laid, and what it removed stays away. It fails when a change is
// overwritten.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { fed, fedDone, fedJson, newFederation, newFolder, workspaceOf } from '../../support/fed.ts'
import { installedFed } from '../../support/installed-fed.ts'

interface OfTeam<Of> {
  readonly team: string
  readonly error?: string
  readonly skills: readonly ({
    readonly skill: string
    readonly beside?: string
    readonly fault?: string
  } & Of)[]
}

let root: string
let release: ReturnType<typeof installedFed>
const playbook = 'domain-playbook.md'
const skills = () => path.join(workspaceOf(root, 'docs'), '.fed', 'skills')
const file = (name: string) => path.join(skills(), name)
const text = (name: string) => readFileSync(file(name), 'utf8')
const edit = (name: string, change: (text: string) => string) => writeFileSync(file(name), change(text(name)))

const sync = async (...args: string[]) => {
  const { code, stdout } = await fed(root, ['skills', 'sync', ...args, '--json'], release)
  const teams = JSON.parse(stdout) as OfTeam<{ action: string }>[]
  return { code, teams, did: (skill: string) => teams.at(-1)?.skills.find((one) => one.skill === skill) }
}
const standing = async (skill: string) => {
  const listed = await fedJson<OfTeam<{ standing: string }>[]>(root, ['skills', 'list', 'docs'], release)
  return listed[0]?.skills.find((one) => one.skill === skill)?.standing
}
const sharpen = (skill: string) =>
  release.ship(skill, (was) => was.replace('# Next steps', '# Then\n\nRest.\n\n## Next steps'))
const title = (words: string) => (was: string) => was.replace(/^# .*$/m, `# ${words}`)

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it' })
  release = installedFed()
})

test('what nobody changed is updated', async () => {
  expect(await standing('diagram-tools.md')).toBe('current')
  sharpen('diagram-tools.md')
  expect(await standing('diagram-tools.md')).toBe('outdated')
  const { code, did } = await sync('docs')
  expect([code, did('diagram-tools.md'), did(playbook)]).toMatchObject([
    0,
    { action: 'updated' },
    { action: 'current' },
  ])
  expect(text('diagram-tools.md')).toContain('Rest.')
  expect(await standing('diagram-tools.md')).toBe('current')
})

test('what only the team changed is kept', async () => {
  edit(playbook, title('How we do it'))
  expect(await standing(playbook)).toBe('changed')
  const { code, did } = await sync('docs')
  expect([code, did(playbook)]).toMatchObject([0, { action: 'kept' }])
  expect(text(playbook)).toContain('# How we do it')
})

describe('where the team changed it and a newer one ships', () => {
  let before: string
  const beside = () => file(`${playbook}.new`)
  beforeEach(() => {
    edit(playbook, title('How we do it'))
    release.ship(playbook, title('Playbook of the domain'))
    before = text(playbook)
  })

  test("the team's stays, ours lies beside it, and the command says what to do", async () => {
    expect(await standing(playbook)).toBe('diverged')
    const { code, stdout } = await fed(root, ['skills', 'sync', 'docs'], release)
    expect([code, text(playbook)]).toEqual([0, before])
    expect(stdout).toMatch(
      /domain-playbook\.md +keeps the team's changes; take over what you want from \S+\.md\.new, then remove/,
    )
    expect(text(`${playbook}.new`)).toContain('# Playbook of the domain')
    expect(await standing(playbook)).toBe('changed')
    expect((await sync('docs')).did(playbook)).toMatchObject({ action: 'kept', beside: beside() })
  })

  test('what lies beside it is laid there once for each release', async () => {
    await sync('docs')
    rmSync(beside())
    expect((await sync('docs')).did(playbook)).toEqual({
      skill: playbook,
      file: file(playbook),
      action: 'kept',
    })
    expect(existsSync(beside())).toBe(false)
    sharpen(playbook)
    expect((await sync('docs')).did(playbook)).toMatchObject({ action: 'offered', beside: beside() })
    expect([text(playbook), text(`${playbook}.new`).includes('Rest.')]).toEqual([before, true])
  })

  test('a later release takes the place of what lies beside it, unless somebody wrote there', async () => {
    await sync('docs')
    release.ship(playbook, title('Playbook, third edition'))
    expect((await sync('docs')).code).toBe(0)
    expect(text(`${playbook}.new`)).toContain('third edition')
    writeFileSync(beside(), 'my notes')
    release.ship(playbook, title('Playbook, fourth edition'))
    const { code, did } = await sync('docs')
    expect([code, did(playbook)]).toMatchObject([
      1,
      { action: 'kept', fault: expect.stringContaining('in the way') },
    ])
    expect(text(`${playbook}.new`)).toBe('my notes')
  })

  test('a link in its place is left as it is, and said', async () => {
    symlinkSync('nowhere', beside())
    const { code, did } = await sync('docs')
    expect([code, did(playbook)]).toMatchObject([
      1,
      { action: 'kept', fault: expect.stringContaining('in the way') },
    ])
    expect(lstatSync(beside()).isSymbolicLink()).toBe(true)
  })

  test('what a team took is not in the way of what ships after the next', async () => {
    await sync('docs')
    writeFileSync(file(playbook), text(`${playbook}.new`))
    release.ship(playbook, title('Playbook, third edition'))
    expect((await sync('docs')).did(playbook)).toMatchObject({ action: 'updated' })
    expect(existsSync(beside())).toBe(false)
    edit(playbook, title('How we do it now'))
    release.ship(playbook, title('Playbook, fourth edition'))
    expect((await sync('docs')).did(playbook)).toMatchObject({ action: 'offered', beside: beside() })
  })

  test('a team that takes ours is current, and nothing is left', async () => {
    await sync('docs')
    writeFileSync(file(playbook), text(`${playbook}.new`))
    expect((await sync('docs')).did(playbook)).toMatchObject({ action: 'current' })
    expect(existsSync(beside())).toBe(false)
  })
})

test('what the team removed stays away until it is asked for', async () => {
  rmSync(file('diagram-tools.md'))
  expect(await standing('diagram-tools.md')).toBe('removed')
  expect((await sync('docs')).did('diagram-tools.md')).toMatchObject({ action: 'removed' })
  expect(existsSync(file('diagram-tools.md'))).toBe(false)
  expect((await sync('docs', '--restore')).did('diagram-tools.md')).toMatchObject({ action: 'restored' })
  expect(await standing('diagram-tools.md')).toBe('current')
})

test('files that are not ours are not touched', async () => {
  writeFileSync(file('ours.md'), 'mine')
  sharpen(playbook)
  await sync('--all')
  expect(text('ours.md')).toBe('mine')
  expect(readdirSync(skills()).filter((name) => !name.endsWith('.md'))).toEqual(['.original'])
})

describe('a workspace of which nobody knows what it was given', () => {
  beforeEach(() => rmSync(file('.original'), { recursive: true }))

  test('adopts what is as it ships, and gets what it lacks', async () => {
    rmSync(file('report-templates.md'))
    expect(await standing('report-templates.md')).toBe('missing')
    const { code, did } = await sync('docs')
    expect([code, did(playbook)?.action, did('report-templates.md')?.action]).toEqual([
      0,
      'current',
      'installed',
    ])
    sharpen(playbook)
    expect((await sync('docs')).did(playbook)).toMatchObject({ action: 'updated' })
  })

  test('keeps what differs, with ours beside it', async () => {
    edit(playbook, title('How we do it'))
    const { code, did } = await sync('docs')
    expect([code, did(playbook)?.action, text(playbook).includes('# How we do it')]).toEqual([
      0,
      'offered',
      true,
    ])
    expect(existsSync(file(`${playbook}.new`))).toBe(true)
  })
})

describe('links', () => {
  const outside = () => path.join(newFolder('outside'), 'theirs.md')

  test('in the place of a skill are left as they are, and so is what they lead to', async () => {
    const target = outside()
    writeFileSync(target, 'theirs')
    rmSync(file(playbook))
    symlinkSync(target, file(playbook))
    sharpen(playbook)
    const { code, did } = await sync('docs', '--restore')
    expect([code, did(playbook)]).toMatchObject([
      1,
      { action: 'unreadable', fault: expect.stringContaining('symbolic link') },
    ])
    expect([readFileSync(target, 'utf8'), lstatSync(file(playbook)).isSymbolicLink()]).toEqual([
      'theirs',
      true,
    ])
  })

  test.each(['.fed/skills', '.fed/skills/.original'])(
    'that lead %s out of the workspace are refused',
    async (name) => {
      const folder = path.join(workspaceOf(root, 'docs'), name)
      const target = path.dirname(outside())
      rmSync(folder, { recursive: true })
      symlinkSync(target, folder)
      const { code, stderr } = await fed(root, ['skills', 'sync', 'docs'], release)
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^fed: \S+ is a symbolic link, and fed keeps a folder there; [^\n]+\n$/),
      ])
      expect(readdirSync(target)).toEqual([])
      const { code: ofAll, teams } = await sync('--all')
      expect([ofAll, teams.map(({ team, error }) => [team, error === undefined])]).toEqual([
        1,
        [
          ['meta', true],
          ['docs', false],
        ],
      ])
    },
  )
})

describe('the playbook', () => {
  const configure = (playbookSkill: string) =>
    writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ playbookSkill }))

  test('has the configured name, in new teams and after a synchronization in old ones', async () => {
    configure('shop')
    await fedDone(root, ['onboard', 'api', '--archetype', 'coding'], release)
    const ofApi = path.join(root, '.fed', 'worktrees', 'api', '.fed', 'skills')
    expect(existsSync(path.join(ofApi, 'shop.md'))).toBe(true)
    expect(existsSync(path.join(ofApi, playbook))).toBe(false)
    expect((await sync('docs')).did('shop.md')).toMatchObject({ action: 'installed' })
    expect(text('shop.md')).toBe(text(playbook))
  })

  test('is the one that the federation wrote, where it did', async () => {
    configure('shop')
    mkdirSync(path.join(root, '.fed', 'skills'), { recursive: true })
    writeFileSync(path.join(root, '.fed', 'skills', 'shop.md'), '# The shop\n')
    await sync('docs')
    expect(text('shop.md')).toBe('# The shop\n')
    writeFileSync(path.join(root, '.fed', 'skills', 'shop.md'), '# The shop\n\nSells.\n')
    expect((await sync('docs')).did('shop.md')).toMatchObject({ action: 'updated' })
  })

  test.each(['report-templates', 'orchestration'])(
    'cannot bear the name of another skill, %s',
    async (name) => {
      configure(name)
      const { code, stderr } = await fed(root, ['skills', 'sync', 'docs'], release)
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('playbookSkill: is the name of another skill'),
      ])
    },
  )
})

describe("the coordinator's skill", () => {
  test('is installed with the federation, listed and updated like the others', async () => {
    expect(readdirSync(path.join(root, '.fed', 'skills'))).toContain('orchestration.md')
    sharpen('orchestration.md')
    expect(await fedDone(root, ['skills'], release)).toMatch(
      /^meta +orchestration\.md +outdated: a newer one ships\ndocs /,
    )
    expect((await sync('meta')).did('orchestration.md')).toMatchObject({ action: 'updated' })
  })

  test('that was removed is not installed again by init', async () => {
    rmSync(path.join(root, '.fed', 'skills', 'orchestration.md'))
    expect(await fedJson(root, ['init'])).toMatchObject({ created: false })
    expect(existsSync(path.join(root, '.fed', 'skills', 'orchestration.md'))).toBe(false)
  })

  test('reaches a federation that was set up before', async () => {
    rmSync(path.join(root, '.fed', 'skills'), { recursive: true })
    await fedDone(root, ['init'])
    expect(existsSync(path.join(root, '.fed', 'skills', 'orchestration.md'))).toBe(true)
  })
})

test('whose skills must be said', async () => {
  const { code, stderr } = await fed(root, ['skills', 'sync'], release)
  expect([code, stderr]).toEqual([2, "fed: whose skills? name a team, or 'meta', or --all\n"])
  expect((await fed(root, ['skills', 'sync', 'nobody'], release)).code).toBe(4)
})
