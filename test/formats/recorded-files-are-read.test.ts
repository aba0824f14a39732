// Proves that a recorded file of every version of every format is read by the reader of today, and that the same file
// of the next version is refused as newer, by name, and left as it is. It fails when a format changes without a new
// version, when a version is not recorded, or when what a newer release wrote is taken for damage.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { NewerFormatError } from '../../src/errors/newer-format.ts'
import { newFolder } from '../support/federation.ts'
import { formats } from './formats.ts'
import { asNewer, putInto, recordedFormats, recordedOf, textOf } from './recorded.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Newest version of each format that the source names. */
function named(): Map<string, number> {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const found = files.flatMap((file) => [
    ...readFileSync(path.join(source, file), 'utf8').matchAll(/'fed-([a-z-]+)-(\d+)'/g),
  ])
  const newest = new Map<string, number>()
  for (const [, name = '', version] of found)
    newest.set(name, Math.max(newest.get(name) ?? 0, Number(version)))
  return newest
}

const recorded = Object.entries(formats).flatMap(([name, { says }]) =>
  Object.entries(says).map(([file, content]) => ({ name, file, content })),
)

/** Those of the present version. */
const present = recorded.filter(({ name, file }) => path.parse(file).name === `v${named().get(name)}`)

test('every version of every format that the source names is recorded, and no other', () => {
  const versions = [...named()].flatMap(([name, newest]) =>
    Array.from({ length: newest }, (_, index) => `${name}/v${index + 1}`),
  )
  const kept = recordedFormats().flatMap((name) =>
    recordedOf(name).map((file) => `${name}/${path.parse(file).name}`),
  )
  expect(kept.toSorted()).toEqual(versions.toSorted())
  expect(recorded.map(({ name, file }) => `${name}/${path.parse(file).name}`).toSorted()).toEqual(
    kept.toSorted(),
  )
})

test.each(recorded)('$name/$file is read', ({ name, file, content }) => {
  const root = newFolder('recorded')
  putInto(root, name, textOf(name, file))
  const read = formats[name]?.read(root)
  if (typeof content === 'object') expect(read).toMatchObject(content as object)
  else expect(read).toEqual(content)
})

test.each(present.filter(({ name }) => !formats[name]?.isPassedOver))(
  '$name/$file of the next version is refused as newer',
  ({ name, file: from }) => {
    const root = newFolder('newer')
    const newer = asNewer(name, textOf(name, from))
    const file = putInto(root, name, newer)
    const laid = readFileSync(file, 'utf8')
    const version = named().get(name) as number
    const refused = refusal(() => formats[name]?.read(root))
    expect(refused).toMatchObject({
      exitCode: 2,
      file,
      found: `fed-${name}-${version + 1}`,
      newest: `fed-${name}-${version}`,
      message: `${file}: a newer fed wrote it, as fed-${name}-${version + 1}, and this one reads up to fed-${name}-${version}. Nothing was changed: use the fed that wrote it, or a newer one`,
    })
    // what a reader of claims does with its process's number is this table's own
    if (name !== 'claim') expect(readFileSync(file, 'utf8')).toBe(laid)
  },
)

test.each(present.filter(({ name }) => formats[name]?.isPassedOver))(
  '$name/$file of the next version is passed over, and left as it is',
  ({ name, file: from, content }) => {
    const root = newFolder('newer')
    const newer = asNewer(name, textOf(name, from))
    const file = putInto(root, name, newer)
    expect(formats[name]?.read(root)).not.toEqual(content)
    expect(readFileSync(file, 'utf8')).toBe(newer)
  },
)

test.each([
  'fed-team-0',
  'fed-team-01',
  'fed-teams-2',
  'fed-team-2.0',
  'team-2',
  '',
  2,
  null,
  ['fed-team-2'],
])('what names its format %j is damaged, not newer', (format) => {
  const root = newFolder('damaged')
  const content = JSON.parse(textOf('team', 'v1.json')) as object
  const file = putInto(root, 'team', JSON.stringify({ ...content, format }))
  expect(() => formats['team']?.read(root)).toThrow(
    `${file} is damaged: format: it is ${JSON.stringify(format)}`,
  )
})

test('of a log that several releases wrote, a line of a newer one is enough', () => {
  const root = newFolder('mixed')
  const line = textOf('session-report', 'v1.jsonl')
  putInto(root, 'session-report', `${line}${asNewer('session-report', line)}${line}`)
  expect(() => formats['session-report']?.read(root)).toThrow(NewerFormatError)
})

function refusal(read: () => unknown): NewerFormatError {
  try {
    read()
  } catch (error) {
    if (error instanceof NewerFormatError) return error
    throw error
  }
  throw new Error('it was read')
}
