// Proves that odd names, acknowledgments that are anything, and an inbox that is none have a defined answer, and that
// nothing of it speaks to the terminal. Fails when one of them stops a command, is taken for a signal, or has others
// wait.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CycleReport } from '../../src/index.ts'
import { Mailbox } from '../../src/records/signals/mailbox.ts'
import { fed, fedDone, fedJson, newFederation, newFolder } from '../support/fed.ts'
import { good, OpenInbox, textOf } from '../support/open-inbox.ts'

let root: string
let inbox: string
let docs: Mailbox
let put: OpenInbox['put']

beforeEach(async () => {
  root = await newFederation({ docs: undefined })
  ;({ docs, inbox, put } = new OpenInbox(root))
})

const preload = fileURLToPath(new URL('../support/preload/unprivileged.cjs', import.meta.url))

const nested = (brackets: string, depth: number) => brackets.repeat(depth)

describe('names', () => {
  test('what cannot be a signal’s name is set aside or left alone, and never reaches the terminal', async () => {
    put('.json', textOf())
    put('.hidden.json', textOf())
    put('a.json.tmp', textOf())
    put('no-extension', textOf())
    put('alone.json.ack', '{}')
    put('line\nbreak.json', textOf())
    put('escape\u001B]0;owned\u0007\u001B[2J.json', textOf())
    put(`${'l'.repeat(250)}.json`, textOf())
    const bytes = Buffer.concat([Buffer.from(`${inbox}/`), Buffer.from([0xe4, 0xff]), Buffer.from('.json')])
    writeFileSync(bytes, textOf())
    put('longest-allowed'.padEnd(246, 'x').concat('.json'), textOf({ subject: 'Longest' }))
    expect(docs.unacknowledged().map(({ subject }) => subject)).toEqual(['Longest'])
    expect(
      docs
        .quarantined()
        .map(({ reason }) => reason.replace(/^.*: /s, ''))
        .toSorted(),
    ).toEqual([
      'its name holds a control character or a line break',
      'its name holds a control character or a line break',
      'its name is not UTF-8',
      'its name is too long to be acknowledged',
    ])
    for (const name of readdirSync(docs.quarantine)) {
      expect(name).not.toMatch(/\p{Cc}/u)
      expect(readFileSync(path.join(docs.quarantine, name), 'utf8')).not.toMatch(/(?!\n$)\p{Cc}/u)
    }
    expect(readdirSync(inbox)).toEqual(
      expect.arrayContaining(['.json', '.hidden.json', 'a.json.tmp', 'no-extension']),
    )
    docs.acknowledgeFiles(docs.unacknowledgedFiles())
    expect(docs.unacknowledged()).toEqual([])
  })

  test('a name from outside in an argument is repeated in one line', async () => {
    for (const args of [
      ['status', 'a\nfed: all is well\u001B[2J'],
      ['inbox', '../../etc\u001B[31m'],
      ['onboard', 'a\nb', '--archetype', 'deliverable'],
      ['onboard', '__proto__', '--archetype', 'constructor'],
      ['send', 'constructor', '--type', 'report', '--subject', 'x'],
      ['history', 'x'.repeat(5000)],
    ]) {
      const { code, stdout, stderr } = await fed(root, args)
      expect([2, 4]).toContain(code)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^fed: \P{Cc}{1,600}\n$/u)
    }
  })
})

describe('an acknowledgment', () => {
  const acks: readonly [what: string, make: (file: string) => unknown][] = [
    ['nothing', (file) => writeFileSync(file, '')],
    ['no JSON', (file) => writeFileSync(file, '{"acknow')],
    ['something else', (file) => writeFileSync(file, '{"acknowledged":false,"by":"me"}')],
    ['no UTF-8', (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]))],
    ['100,000 brackets', (file) => writeFileSync(file, nested('[', 100_000))],
    ['a folder', (file) => mkdirSync(file)],
    ['a pipe', (file) => execFileSync('mkfifo', [file])],
    ['a link to a device without end', (file) => symlinkSync('/dev/zero', file)],
    ['a link to nothing', (file) => symlinkSync('nowhere', file)],
    ['a link to itself', (file) => symlinkSync(path.basename(file), file)],
    ['a gigabyte', (file) => (writeFileSync(file, ''), truncateSync(file, 2 ** 30))],
  ]

  test('acknowledges by its presence, whatever it is; only its time is lost', async () => {
    for (const [index, [what, make]] of acks.entries()) {
      put(`acked-${index}.json`, textOf({ subject: what }))
      make(path.join(inbox, `acked-${index}.json.ack`))
    }
    put('waiting.json', textOf({ subject: 'Waiting' }))
    expect(await fedJson(root, ['inbox', 'docs'])).toMatchObject([{ subject: 'Waiting' }])
    const all = await fedJson<{ subject: string; acknowledged?: boolean; acknowledged_at?: string }[]>(root, [
      'inbox',
      'docs',
      '--all',
    ])
    expect(all).toHaveLength(acks.length + 1)
    for (const [what] of acks) {
      expect(all.find(({ subject }) => subject === what)).toMatchObject({ acknowledged: true })
    }
    expect(all.every(({ acknowledged_at }) => acknowledged_at === undefined)).toBe(true)
    // giving it again changes nothing
    expect(await fed(root, ['ack', 'docs', 'acked-5.json'])).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(inbox).filter((name) => name.startsWith('acked-5'))).toEqual([
      'acked-5.json',
      'acked-5.json.ack',
    ])
  })
})

describe('the inbox itself', () => {
  const send = ['send', 'docs', '--type', 'report', '--subject', 'Ports are open']

  test.each<[string, (dir: string) => void, RegExp]>([
    ['is missing', (dir) => rmSync(dir, { recursive: true }), /inbox/],
    [
      'is a file',
      (dir) => (rmSync(dir, { recursive: true }), writeFileSync(dir, '')),
      /inbox.*(: there is a file where a folder must be| is no folder)/,
    ],
    [
      'is a link to nothing',
      (dir) => (rmSync(dir, { recursive: true }), symlinkSync('nowhere', dir)),
      /inbox/,
    ],
    [
      'is a link in a circle',
      (dir) => (rmSync(dir, { recursive: true }), symlinkSync('inbox', dir)),
      /inbox is a symbolic link/,
    ],
  ])('that %s: nothing is sent there, and others are stepped', async (what, damage, words) => {
    const isLink = what.startsWith('is a link')
    await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable'])
    await fedDone(root, ['send', 'api', '--type', 'directive', '--subject', 'Explain it'])
    damage(inbox)
    const sent = await fed(root, send)
    expect(sent).toMatchObject({ code: isLink ? 2 : 1, stdout: '' })
    expect(sent.stderr).toMatch(/^fed: [^\n]+\n$/)
    expect(sent.stderr).toMatch(words)
    expect(sent.stderr).not.toContain('unexpected')
    const outbox = new Mailbox('meta', root).outbox
    expect(readdirSync(outbox).filter((name) => name.includes('ports'))).toEqual([])
    const { teams } = JSON.parse((await fed(root, ['monitor', '--json'])).stdout) as CycleReport
    expect(teams.find(({ team }) => team === 'api')).toMatchObject({ handled: 1 })
  })

  test('that is a link to a folder elsewhere is named, and nothing in that folder is read or changed', async () => {
    const elsewhere = path.join(newFolder('elsewhere'), 'mail')
    renameSync(inbox, elsewhere)
    symlinkSync(elsewhere, inbox)
    put('bad.json', '{')
    for (const args of [send, ['inbox', 'docs'], ['ack', 'docs', 'bad.json']]) {
      const { code, stdout, stderr } = await fed(root, args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^fed: \S+inbox is a symbolic link, and fed keeps a folder there; [^\n]+\n$/)
    }
    expect(readdirSync(elsewhere)).toEqual(['bad.json'])
  })

  test('that may not be read is named; a file in it that may not be read is set aside', async () => {
    const unreadable = put('secret.json', textOf())
    put('2026-01-02T000000Z-directive-good.json', JSON.stringify(good()))
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534:65534', root])
    chmodSync(path.dirname(root), 0o755)
    chmodSync(unreadable, 0)
    const env = { NODE_OPTIONS: `--require=${preload}`, HOME: root }
    const stepped = await fed(root, ['monitor', '--json'], { env })
    // what was set aside is not healthy
    expect(stepped).toMatchObject({ code: 1, stderr: '' })
    expect((JSON.parse(stepped.stdout) as CycleReport).teams).toMatchObject([{ handled: 1, waiting: 0 }])
    expect(docs.quarantined()).toMatchObject([{ reason: 'secret.json: no permission to read it' }])
    chmodSync(inbox, 0)
    for (const args of [['inbox', 'docs'], ['status', 'docs'], send]) {
      const { code, stdout, stderr } = await fed(root, args, { env })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/^fed: [^\n]*inbox[^\n]*: permission denied \(EACCES, \w+\); [^\n]+\n$/)
    }
    chmodSync(inbox, 0o755)
  })
})
