// Proves that a file imports only from a lower floor or from its own room, and that no loose file lies between the
// rooms; `import type` and `import()` count. Fails when an arrow points upward or aside, when files stand in a circle, or
// when a room is on no floor.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const repository = fileURLToPath(new URL('..', import.meta.url))

/** From the ground up; `src/ARCHITECTURE.md` says what lives where. */
const floors = [
  ['machines', 'src/errors'],
  ['src/protocol', 'src/platform'],
  ['src/records', 'src/surveyor'],
  ['src/engine'],
  ['src/federation', 'src/diagram'],
  ['src/agents'],
  ['src/telemetry', 'src/monitor', 'src/link'],
  ['src/apps'],
  ['src/index.ts'],
]
/** Each folder in these is a room of its own, which imports none beside it. */
const apart = ['src/records', 'src/apps']
/** It starts the others. */
const commandLine = 'src/apps/cli'
/** What the pure half of the engine imports, beside its own files. */
const pureImports = /^(?:machines|src\/protocol|src\/errors|xstate|zod)(?:\/|$)/

const floorOf = (file: string) =>
  floors.findIndex((rooms) => rooms.some((room) => file === room || file.startsWith(`${room}/`)))

function roomOf(file: string): string {
  const [top = '', room = '', inner = ''] = file.split('/')
  if (top !== 'src') return top
  return apart.includes(`src/${room}`) ? `src/${room}/${inner}` : `src/${room}`
}

/** What a file imports: files of the repository by their paths in it, anything else by its name. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(repository, file), 'utf8')
  const named = text.matchAll(
    /^(?:import|export|\}).*\bfrom '([^']+)'|\bimport\(\s*'([^']+)'|^import '([^']+)'/gm,
  )
  return [...named].map(([, declared, called, started]) => {
    const name = declared ?? called ?? started ?? ''
    return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name
  })
}

const files = ['machines', 'src'].flatMap((folder) =>
  readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`),
)

function isAllowed(file: string, imported: string): boolean {
  const [from, to] = [roomOf(file), roomOf(imported)]
  return (
    from === to || floorOf(imported) < floorOf(file) || (from === commandLine && to.startsWith('src/apps/'))
  )
}

test('every arrow points to a lower floor', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => floorOf(file) < 0)).toEqual([])
  const arrows = files.flatMap((file) => importsOf(file).map((imported) => [file, imported] as const))
  const within = arrows.filter(([, imported]) => /^(?:src|machines)\//.test(imported))
  expect(within.length).toBeGreaterThan(2000)
  expect(within.filter(([file, imported]) => !isAllowed(file, imported))).toEqual([])
})

test('what decides knows no file, no clock and no promise', () => {
  const pure = files.filter((file) => file.startsWith('src/engine/decide/'))
  expect(pure.length).toBeGreaterThan(5)
  for (const file of pure) {
    const others = importsOf(file).filter(
      (one) => !one.startsWith('src/engine/decide/') && !pureImports.test(one),
    )
    expect([file, others]).toEqual([file, []])
    expect(readFileSync(path.join(repository, file), 'utf8')).not.toMatch(
      /\bDate\b|\bnow\(|performance|\basync\b|\bawait\b|Promise/,
    )
  }
})

test('one file reads the clock, beside what compares it with the times of files and what a browser shows', () => {
  const isApart = (file: string) => file.startsWith('src/platform/') || file.includes('/page/')
  const readers = files.filter(
    (file) =>
      !isApart(file) &&
      /\bDate\.now\b|\bnew Date\(\)/.test(readFileSync(path.join(repository, file), 'utf8')),
  )
  expect(readers).toEqual(['src/protocol/clock.ts'])
})

test('no files import each other in a circle', () => {
  const imports = new Map(
    files.map((file) => [file, importsOf(file).filter((one) => /^(?:src|machines)\//.test(one))]),
  )
  // whoever imports nothing that is left is taken away, until nobody is: what stays stands in a circle, or on one
  for (let before = -1; before !== imports.size;) {
    before = imports.size
    for (const [file, others] of imports) if (!others.some((one) => imports.has(one))) imports.delete(file)
  }
  expect([...imports.keys()]).toEqual([])
})
