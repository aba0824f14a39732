// Proves that whatever lies in an inbox, however it got there, has a defined answer: it is read as what it says,
// or it is set aside with a reason, or it is left alone; and that the good signals beside it are handled. Fails
// when one bad file stops, blinds or blocks a command, or when it speaks to the terminal.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Mailbox } from '../../src/records/signals/mailbox.ts'
import { fed, fedDone, fedJson, newFederation } from '../support/fed.ts'
import { cycle } from '../support/monitored.ts'
import { good, OpenInbox, signal, textOf } from '../support/open-inbox.ts'

let root: string
let inbox: string
let docs: Mailbox
let put: OpenInbox['put']

beforeEach(async () => {
  root = await newFederation({ docs: undefined })
  ;({ docs, inbox, put } = new OpenInbox(root))
})

const nested = (brackets: string, depth: number) => brackets.repeat(depth)

/** Content that is no signal, and what the reason must say. */
const contents: readonly [what: string, content: string | Buffer, reason: string | RegExp][] = [
  ['nothing', '', 'not JSON: empty'],
  ['blanks', ' \n\t ', 'not JSON: nothing but blanks'],
  ['half of a signal', textOf().slice(0, 90), 'not JSON: '],
  ['a signal and something after it', `${textOf()} x`, 'not JSON: '],
  ['two signals', textOf() + textOf(), 'not JSON: '],
  ['zeros, as after a power cut', Buffer.alloc(300), 'not JSON: '],
  ['UTF-16', Buffer.from(`\uFEFF${textOf()}`, 'utf16le'), 'not UTF-8 text'],
  ['UTF-16 without a mark', Buffer.from(textOf(), 'utf16le'), 'not JSON: '],
  ['bytes that are no UTF-8', Buffer.from(textOf({ body: 'gr\u00fcn' }), 'latin1'), 'not UTF-8 text'],
  ['an escape sequence', '\u001B[31m\u001B]0;owned\u0007', 'not JSON: '],
  ['a list', '[]', 'expected object, received array'],
  ['null', 'null', 'expected object, received null'],
  ['a number without end', '9'.repeat(100_000), 'expected object, received Infinity'],
  ['100,000 brackets', nested('[', 100_000) + nested(']', 100_000), 'expected object, received array'],
  ['100,000 brackets, not closed', nested('[', 100_000), 'not JSON: '],
  ['100,000 objects in each other', `${nested('{"a":', 100_000)}1${nested('}', 100_000)}`, 'id: '],
  [
    'a body of 100,000 brackets',
    textOf().replace('"All of them"', nested('[', 100_000) + nested(']', 100_000)),
    'body: ',
  ],
  [
    '__proto__',
    textOf().replace('{', '{"__proto__":{"acknowledged":true},'),
    '__proto__: there is no such field',
  ],
  ['constructor', textOf().replace('{', '{"constructor":1,'), 'constructor: there is no such field'],
  ['a field with a line break', textOf().replace('{', '{"a\\nb":1,'), 'a\\u000ab: there is no such field'],
  [
    'a thousand unknown fields',
    JSON.stringify({
      ...signal(),
      ...Object.fromEntries([...Array(1000).keys()].map((key) => [`field-${key}`, 1])),
    }),
    /field-0: there is no such field; .{0,1000}…$/,
  ],
  ['no fields', '{}', /^id: is missing; timestamp: is missing; .*protocol: is missing$/],
  [
    'a time that is none',
    textOf({ timestamp: '2026-02-30T00:00:00Z' }),
    'timestamp: is not an ISO 8601 timestamp',
  ],
  ['the time 23:59:60', textOf({ timestamp: '2026-06-30T23:59:60Z' }), 'timestamp: '],
  ['a time without a zone', textOf({ timestamp: '2026-01-01T00:00:00' }), 'timestamp: '],
  ['the year 10000', textOf({ timestamp: '+010000-01-01T00:00:00Z' }), 'timestamp: '],
  ['a huge number as the time', textOf({ timestamp: 1e308 }), 'timestamp: '],
  ['a sender that is a path', textOf({ from: '../../etc' }), 'from: is neither a team id nor meta'],
  ['a recipient that is a path', textOf({ to: '../docs' }), 'to: is neither a team id nor meta'],
  ['a sender with a NUL', textOf({ from: 'docs\0' }), 'from: '],
  ['an unknown type', textOf({ type: 'order' }), 'type: '],
  ['another protocol', textOf({ protocol: 'file-signal-v2' }), 'protocol: '],
  ['a subject that is a list', textOf({ subject: ['x'] }), 'subject: '],
  ['several wrong fields', textOf({ id: 7, subject: null }), /^id: .*; subject: /],
]

/** What lies there under a signal's name without being a file of its own, and what the reason must say. */
const things: readonly [what: string, make: (file: string) => unknown, reason: string][] = [
  ['a folder', (file) => mkdirSync(file), 'a folder, not a regular file'],
  [
    'a folder with a signal in it',
    (file) => (mkdirSync(file), writeFileSync(path.join(file, 'a.json'), textOf())),
    'a folder, not a regular file',
  ],
  ['a pipe', (file) => execFileSync('mkfifo', [file]), 'not a regular file'],
  [
    'a link to a good signal elsewhere',
    (file) => (
      writeFileSync(path.join(root, 'elsewhere.json'), textOf()),
      symlinkSync(path.join(root, 'elsewhere.json'), file)
    ),
    'a symbolic link, not a regular file',
  ],
  [
    'a link to a device without end',
    (file) => symlinkSync('/dev/zero', file),
    'a symbolic link, not a regular file',
  ],
  ['a link to nothing', (file) => symlinkSync('nowhere', file), 'a symbolic link, not a regular file'],
  [
    'a link to itself',
    (file) => symlinkSync(path.basename(file), file),
    'a symbolic link, not a regular file',
  ],
  ['a link to a folder', (file) => symlinkSync('/', file), 'a symbolic link, not a regular file'],
  [
    '8 MiB and a byte',
    (file) => (writeFileSync(file, ''), truncateSync(file, 8 * 1024 * 1024 + 1)),
    '8388609 bytes, more than 8388608',
  ],
  [
    'a terabyte',
    (file) => (writeFileSync(file, ''), truncateSync(file, 2 ** 40)),
    '1099511627776 bytes, more than 8388608',
  ],
]

test('all of it at once: each has its reason, and the good signal is handled', async () => {
  for (const [index, [, content]] of contents.entries()) put(`content-${index}.json`, content)
  for (const [index, [, make]] of things.entries()) make(path.join(inbox, `thing-${index}.json`))
  // the name of a socket is short when it is made
  const socket = net.createServer().listen(path.join(root, 's'))
  await new Promise((resolve) => socket.once('listening', resolve))
  renameSync(path.join(root, 's'), path.join(inbox, 'socket.json'))
  put('2026-01-02T000000Z-directive-good.json', JSON.stringify(good()))
  const { teams } = await cycle(root)
  socket.close()
  expect(teams).toEqual([expect.objectContaining({ team: 'docs', handled: 1, waiting: 0 })])
  const reasons = new Map(
    docs.quarantined().map(({ file, reason }) => [file.replace(/^[0-9a-f]{8}-/, ''), reason]),
  )
  const expectReason = (name: string, what: string, reason: string | RegExp) => {
    const given = reasons.get(name)?.replace(`${name}: `, '')
    expect(given, what).toMatch(reason)
    expect(given, what).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
    expect((given ?? '').length).toBeLessThan(1100)
  }
  for (const [index, [what, , reason]] of contents.entries())
    expectReason(`content-${index}.json`, what, reason)
  for (const [index, [what, , reason]] of things.entries()) expectReason(`thing-${index}.json`, what, reason)
  expectReason('socket.json', 'a socket', 'not a regular file')
  expect(reasons.size).toBe(contents.length + things.length + 1)
  // nothing else is left in the inbox
  expect(readdirSync(inbox).toSorted()).toEqual([
    '2026-01-02T000000Z-directive-good.json',
    '2026-01-02T000000Z-directive-good.json.ack',
  ])
  expect(await fedDone(root, ['status', 'docs'])).toContain(
    `mailbox: 0 waiting, ${reasons.size} in quarantine`,
  )
})

/** Odd signals that are whole: each is read as exactly what it says. */
const odd: readonly [what: string, change: Parameters<typeof signal>[0]][] = [
  ['an empty subject', { subject: '' }],
  ['a subject of 10,000 characters', { subject: 'x'.repeat(10_000) }],
  ['a subject of emoji only', { subject: '🚀👩‍🚀' }],
  ['the subject constructor', { subject: 'constructor' }],
  ['the subject __proto__', { subject: '__proto__' }],
  ['a subject that is a path', { subject: '../../etc/passwd' }],
  ['a subject with a line break and an escape', { subject: 'a\nb\u001B[2J' }],
  ['a subject with NUL', { subject: 'a\0b' }],
  ['a lone surrogate', { subject: '\uD800', body: '\uDFFF' }],
  ['a body of 7 MiB', { body: 'x'.repeat(7 * 1024 * 1024) }],
  ['the year 1', { timestamp: '0001-01-01T00:00:00Z' }],
  ['the year 9999', { timestamp: '9999-12-31T23:59:59.999Z' }],
  ['a time whose day in UTC is in the year 10000', { timestamp: '9999-12-31T23:59:59-14:00' }],
  ['a time with an offset', { timestamp: '2026-01-01T12:00:00.5+05:30' }],
  ['sixty digits of a second', { timestamp: `2026-01-01T00:00:00.${'9'.repeat(60)}Z` }],
  ['a sender that no registry knows', { from: 'stranger' }],
]

test('odd signals that are whole are read as what they say, and answered where they ask', async () => {
  for (const [index, [, change]] of odd.entries()) put(`odd-${index}.json`, textOf(change))
  put('mark.json', `\uFEFF${textOf({ subject: 'With a mark' })}`)
  put('twice.json', textOf({ subject: 'First' }).replace('"protocol"', '"subject":"Last","protocol"'))
  put('name with blanks & ünïcode.json', textOf({ subject: 'Oddly named' }))
  const byFile = new Map(docs.unacknowledged().map((one) => [one.file, one]))
  expect(docs.quarantined()).toEqual([])
  for (const [index, [what, change]] of odd.entries())
    expect(byFile.get(`odd-${index}.json`), what).toMatchObject(change ?? {})
  expect(byFile.get('mark.json')?.subject).toBe('With a mark')
  // of a field that is given twice the last one counts, as everywhere in JSON
  expect(byFile.get('twice.json')?.subject).toBe('Last')
  expect(byFile.get('name with blanks & ünïcode.json')?.subject).toBe('Oddly named')
  const times = docs.unacknowledged().map(({ timestamp }) => Date.parse(timestamp))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  // the same as directives of meta: each is handled, and answered under a name and a time of its own
  for (const [index, [, change]] of odd.entries()) {
    put(
      `ask-${index}.json`,
      textOf({
        type: 'directive',
        ...change,
        from: 'meta',
        id: `10000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      }),
    )
  }
  const { teams } = await cycle(root)
  expect(teams[0]).toMatchObject({ team: 'docs', handled: odd.length })
  const shown = await fed(root, ['inbox', 'docs'])
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).not.toMatch(/(?![\n])\p{Cc}|\p{Cs}/u)
  expect(shown.stdout.split('\n').filter((line) => line !== '')).toHaveLength(odd.length + 3)
})

test('mail for another team stays where it is, and one id twice counts once', async () => {
  const stray = put('stray.json', textOf({ to: 'api' }))
  const first = signal({ type: 'directive', subject: 'Explain the ports' })
  put('a.json', JSON.stringify(first))
  put('b.json', JSON.stringify({ ...first, subject: 'Explain something else' }))
  expect((await cycle(root)).teams[0]).toMatchObject({ handled: 2, waiting: 0 })
  expect(await fedJson<unknown[]>(root, ['history', 'docs'])).toMatchObject([
    { outcome: 'accepted', subject: 'Explain the ports' },
    { outcome: 'duplicate' },
  ])
  expect(existsSync(stray)).toBe(true)
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({
    mailbox: { misaddressed: 1, quarantined: 0 },
  })
})
