// Proves that a damaged lifecycle is refused by the name of its file by every command that needs it, that its
// files stay byte for byte as they are, and that other teams work on. Fails when a command goes on from damage,
// mends it in silence, or lets one team's damage stop another.
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CycleReport } from '../../src/index.ts'
import { agent, fed, fedDone, newFederation, newFolder, workspaceOf } from '../support/fed.ts'
import { someOf } from '../support/thorough.ts'

let root: string
let saved: string
/** The versions on disk, ascending; the last one is the head. */
let versions: number[]

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain src/app.ts', api: undefined })
  await fedDone(root, ['pause', 'docs'])
  await fedDone(root, ['resume', 'docs'])
  versions = readdirSync(folder())
    .flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
    .toSorted((a, b) => a - b)
  expect(versions.length).toBeGreaterThanOrEqual(4)
  saved = newFolder('saved')
  cpSync(path.join(root, '.fed'), saved, { recursive: true })
})

const folder = () => path.join(workspaceOf(root, 'docs'), '.fed', 'lifecycle.d')
const published = () => path.join(workspaceOf(root, 'docs'), '.fed', 'lifecycle.json')
const version = (fromTheEnd: number) => path.join(folder(), `${versions.at(-1 - fromTheEnd)}.json`)

function restore(): void {
  rmSync(path.join(root, '.fed'), { recursive: true })
  cpSync(saved, path.join(root, '.fed'), { recursive: true })
}

/** Changes a file that nobody may write to. */
function edit(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8')
  rmSync(file)
  writeFileSync(file, change(text))
}

function swap(a: string, b: string): void {
  renameSync(a, `${a}.aside`)
  renameSync(b, a)
  renameSync(`${a}.aside`, b)
}

/** Every file of the damaged team's life, with its bytes. */
function life(): Record<string, string> {
  const names = existsSync(folder()) ? readdirSync(folder()).toSorted() : []
  const files = [published(), ...names.map((name) => path.join(folder(), name))].filter((file) =>
    existsSync(file),
  )
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'base64')]))
}

/** Damages each region of a text in turn: its beginning, its envelope, the middle of the snapshot, its end. */
const regions: readonly [what: string, change: (text: string) => string][] = [
  ['without its first byte', (text) => text.slice(1)],
  ['with another byte in its format', (text) => text.replace('fed-lifecycle-1', 'fed-lifecycle-!')],
  ['with another byte in its version', (text) => text.replace(/"version": \d+/, '"version": 77')],
  [
    'with another byte in its commit',
    (text) => text.replace(/("id": ")(\w)/, (_, key, digit) => `${key}${digit === '0' ? '1' : '0'}`),
  ],
  ['with another byte in its state', (text) => text.replace('"preparing"', '"preparinh"')],
  ['with a hole of zeros', (text) => `${text.slice(0, 300)}${'\0'.repeat(64)}${text.slice(364)}`],
  ['cut at its half', (text) => text.slice(0, text.length / 2)],
  ['without its last bracket', (text) => text.replace(/\}\s*$/, '')],
  ['with something after it', (text) => `${text}{}`],
  ['empty', () => ''],
]

type Damage = readonly [what: string, damage: () => void]

const damages: readonly Damage[] = [
  ...regions.map(([what, change]): Damage => [`the published file ${what}`, () => edit(published(), change)]),
  ...regions
    .filter(([what]) => /state|half|empty|version/.test(what))
    .map(([what, change]): Damage => [`the newest version ${what}`, () => edit(version(0), change)]),
  ['the newest version of zero length, as after a power cut', () => truncateSync(version(0), 0)],
  ['the newest version missing', () => rmSync(version(0))],
  ['every version missing', () => rmSync(folder(), { recursive: true })],
  ['the two newest versions swapped', () => swap(version(0), version(1))],
  [
    'the published file one of an older version, and the newest version damaged',
    () => {
      rmSync(published())
      cpSync(version(1), published())
      edit(version(0), (text) => text.slice(0, 100))
    },
  ],
  [
    'the published file and the newest version missing, the one before damaged',
    () => {
      rmSync(published())
      rmSync(version(0))
      edit(version(1), (text) => text.slice(0, 100))
    },
  ],
  [
    'a version beyond the newest that does not follow it',
    () => cpSync(version(1), path.join(folder(), `${(versions.at(-1) ?? 0) + 1}.json`)),
  ],
  [
    'another team’s lifecycle in its place',
    () => {
      const other = path.join(workspaceOf(root, 'api'), '.fed')
      for (const name of ['lifecycle.json', 'lifecycle.d']) {
        const target = path.join(workspaceOf(root, 'docs'), '.fed', name)
        rmSync(target, { recursive: true })
        cpSync(path.join(other, name), target, { recursive: true })
      }
    },
  ],
]

/** Commands that need the lifecycle, each with the code that it ends with. */
const commands: readonly string[][] = [
  ['status', 'docs'],
  ['report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts'],
  ['pause', 'docs'],
  ['launch', '--team', 'docs', '--agent', agent('good')],
]

describe('refused by name, and left as it is', () => {
  test.each(someOf(damages, 8))('%s', async (what, damage) => {
    restore()
    damage()
    const before = life()
    // one command of the four in turn, so that all of them meet all kinds of damage over time
    const some = [commands[0], commands[1 + (damages.findIndex(([one]) => one === what) % 3)]] as string[][]
    const [cycle, ...ends] = await Promise.all(
      [['monitor', '--json'], ...some].map((args) => fed(root, args)),
    )
    for (const { code, stdout, stderr } of ends) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(
        /^fed: \S+lifecycle(\.json|\.d\/\d+\.json) is damaged: [^\n]+ Nothing was changed: [^\n]+\n$/,
      )
      expect(stderr).toContain(workspaceOf(root, 'docs'))
    }
    expect(cycle).toMatchObject({ code: 1, stderr: '' })
    const { teams } = JSON.parse(cycle?.stdout ?? '') as CycleReport
    expect(teams).toMatchObject([
      { team: 'docs', state: null, error: expect.stringMatching(/is damaged/) },
      { team: 'api', state: 'preparing' },
    ])
    expect(life()).toEqual(before)
  })
})

test('mail reaches a team whose lifecycle is damaged, and counts once it is mended', async () => {
  restore()
  const whole = readFileSync(published())
  edit(published(), (text) => text.slice(0, 100))
  await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Explain the ports as well'])
  expect(await fed(root, ['monitor'])).toMatchObject({ code: 1 })
  rmSync(published())
  writeFileSync(published(), whole)
  const { teams } = JSON.parse((await fed(root, ['monitor', '--json'])).stdout) as CycleReport
  expect(teams[0]).toMatchObject({ team: 'docs', state: 'preparing', handled: 1 })
})

test('a version in the middle that is damaged or missing stops nobody, but the history names it', async () => {
  restore()
  edit(version(2), (text) => text.slice(0, 100))
  const before = life()
  expect(await fed(root, ['status', 'docs'])).toMatchObject({ code: 0 })
  const { code, stderr } = await fed(root, ['history', 'docs'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${version(2)} is damaged`) })
  expect(life()).toEqual(before)
})

test('a published file that is missing is published again from its versions', async () => {
  restore()
  const whole = readFileSync(published(), 'utf8')
  rmSync(published())
  expect(await fed(root, ['status', 'docs'])).toMatchObject({ code: 0 })
  expect(await fed(root, ['monitor'])).toMatchObject({ code: 0 })
  expect(readFileSync(published(), 'utf8')).toBe(whole)
})
