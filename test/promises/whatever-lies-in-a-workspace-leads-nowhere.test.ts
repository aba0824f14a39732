// Proves that nothing that an agent puts in the place of a file or a folder of fed's leads a command elsewhere or holds
// it up: each of them is replaced by a link to what it was, by a pipe, a device, a huge file, and the other of file
// and folder. It fails when a command does not end in its time, shows a stack, or changes what a link leads to.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import {
  agent,
  fedDone,
  newFederation,
  newFolder,
  startFed,
  workspaceOf,
  type Ended,
} from '../support/fed.ts'
import { workspaceLayout } from '../../src/protocol/folder-layout.ts'
import { digestOf } from '../support/digest-of.ts'
import { someOf } from '../support/thorough.ts'

let root: string
/** The federation as it is before each case, kept aside. */
let kept: string
/** What links lead to. */
let outside: string

/** A signal of the inbox that nobody has read. */
let waiting: string

/** Time that a command has, in milliseconds. */
const endMs = 20_000
/** Exit codes of a command that ended in order. */
const documented: readonly (number | null)[] = [0, 1, 2, 3, 4, 5]
const good = ['--agent', agent('good'), '--timeout', '15s']
/** Commands that touch what a team has: first those that only look, all at the same time. */
const commands = (): readonly (readonly (readonly string[])[])[] => [
  [
    ['status', 'docs'],
    ['inbox', 'docs', '--all'],
    ['history', 'docs'],
    ['learnings', 'docs'],
    ['prompt', 'docs'],
  ],
  [['monitor']],
  [['doctor', '--fix']],
  [
    ['send', 'docs', '--type', 'report', '--subject', 'Ports are open'],
    ['send', 'meta', '--from', 'docs', '--type', 'report', '--subject', 'Well'],
    ['learn', 'A constant', '--team', 'docs'],
    ['read', 'docs', waiting],
  ],
  [['skills', 'sync', 'docs']],
  [['archive-signals', 'docs', '--older-than', '0s']],
  [['launch', '--team', 'docs', '--reset', ...good]],
  [['offboard', 'docs']],
]

/** A federation with a team that has worked: two missions, mail read, unread, put away and set aside. */
async function lived(): Promise<string> {
  const made = await newFederation({ docs: 'Document the source', api: 'Explain src/app.ts' })
  const send = (subject: string) => fedDone(made, ['send', 'docs', '--type', 'report', '--subject', subject])
  await fedDone(made, ['launch', '--team', 'docs', ...good], { env: { FED_INSPECT: '1' } })
  await send('Old news')
  await fedDone(made, ['monitor'])
  await fedDone(made, ['archive-signals', 'docs', '--older-than', '0s'])
  await fedDone(made, ['launch', '--team', 'docs', '--reset', ...good])
  await fedDone(made, ['learn', 'First', '--team', 'docs'])
  const bad = path.join(workspaceLayout(workspaceOf(made, 'docs')).inbox, 'bad.json')
  writeFileSync(bad, '[]')
  utimesSync(bad, 0, 0)
  await fedDone(made, ['inbox', 'docs'])
  await send('Fresh news')
  const names = readdirSync(path.dirname(bad))
  waiting = names.find((one) => one.endsWith('fresh-news.json')) ?? ''
  return made
}

beforeAll(async () => {
  root = await lived()
  kept = newFolder('kept')
  outside = newFolder('outside')
  cpSync(root, kept, { recursive: true, verbatimSymlinks: true })
  places = placesIn(root)
})

beforeEach(() => {
  rmSync(root, { recursive: true, force: true })
  cpSync(kept, root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  rmSync(outside, { recursive: true, force: true })
  mkdirSync(outside)
})

/** All that lies below `.fed`, one of each kind of name in each folder. */
let places: readonly string[]

function placesIn(folder: string): string[] {
  const all = readdirSync(path.join(folder, '.fed'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join('.fed', name))
    // what the agent itself writes is its own affair
    .filter((name) => !name.includes('/api/') && !name.endsWith('starts.jsonl'))
  const kinds = new Map(all.toSorted().map((name) => [kindOf(name), name]))
  return [...kinds.values()]
}

/** A name without what tells it from others of its kind: numbers, ids, the words of a signal or of a skill. */
function kindOf(name: string): string {
  const inOneFolder = name.replace(/\/(?:[\dT]+-[-\w]+|[0-9a-f]{8}-bad|[a-z]+-[a-z]+)(?=\.(?:json|md))/, '/#')
  return inOneFolder.replaceAll(/\d{4}-\d\d|\d+/g, '#')
}

function device(place: string): void {
  try {
    execFileSync('mknod', [place, 'c', '1', '5'], { stdio: 'ignore' })
  } catch {
    // only root may make one
    symlinkSync('/dev/zero', place)
  }
}

/** Puts something in a place from which what was there was taken to `there`. */
type Put = (place: string, there: string) => unknown

const things: Readonly<Record<string, Put>> = {
  'a link to what it was': (place, there) => symlinkSync(there, place),
  'a link to a folder': (place) => {
    const folder = path.join(outside, 'folder')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'theirs'), 'theirs')
    symlinkSync(folder, place)
  },
  'a link to a file': (place) => {
    writeFileSync(path.join(outside, 'file'), '{}\n')
    symlinkSync(path.join(outside, 'file'), place)
  },
  'a pipe': (place) => execFileSync('mkfifo', [place]),
  'a device': device,
  'a huge file': (place) => (writeFileSync(place, ''), truncateSync(place, 3 * 2 ** 30)),
  'the other of file and folder': (place, there) =>
    lstatSync(there).isDirectory() ? writeFileSync(place, '') : mkdirSync(place),
}

/** Runs a command to its end, or ends it. */
async function ended(args: readonly string[]): Promise<Ended & { readonly args: readonly string[] }> {
  const running = startFed(root, args, { env: { FED_INSPECT: '1' } })
  const timer = setTimeout(() => running.kill('SIGKILL'), endMs)
  try {
    return { args, ...(await running.ended) }
  } finally {
    clearTimeout(timer)
  }
}

test('there is something of every kind', () => {
  for (const name of [
    'lifecycle.d',
    'sessions',
    'missions',
    'learnings.jsonl',
    'outbox',
    'archive',
    'quarantine',
  ])
    expect(places.some((place) => place.endsWith(name))).toBe(true)
  expect(places.length).toBeGreaterThan(40)
  expect(places.length).toBeLessThanOrEqual(mostPlaces)
})

// a place is known by its number: there is none before the team has lived
const mostPlaces = 80
const cases = Array.from({ length: mostPlaces }, (_, number) => number).flatMap((number) =>
  Object.keys(things).map((kind) => [number, kind] as const),
)

test.each(someOf(cases, 2))('place %i as %s leads nowhere and holds up nobody', async (number, kind) => {
  const name = places[number]
  if (name === undefined) return
  const place = path.join(root, name)
  const there = path.join(outside, path.basename(place))
  renameSync(place, there)
  things[kind]?.(place, there)
  const before = digestOf(outside)
  for (const some of commands()) {
    for (const { args, code, stderr } of await Promise.all(some.map(ended))) {
      const told = `${name} as ${kind}: fed ${args.join(' ')}: ${stderr}`
      expect([told, documented.includes(code)]).toEqual([told, true])
      expect(stderr).not.toMatch(/^\s+at .*:\d+|unexpected/m)
    }
    expect([name, kind, some[0], digestOf(outside)]).toEqual([name, kind, some[0], before])
  }
})
