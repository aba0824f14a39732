// Proves that a signal's body is sent and read as it is up to its limit, and refused beyond it by what it is and
// where, without being read. Fails when a body is cut, a large one is loaded, or an input without end is waited for.
import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { UsageError } from '../../src/errors/fed-error.ts'
import { Federation } from '../../src/federation/federation.ts'
import { maxBodyBytes } from '../../src/protocol/signal.ts'
import { fed, fedDone, newFederation, newFolder, startFed, workspaceOf } from '../support/fed.ts'

let root: string

beforeAll(async () => {
  root = await newFederation({ docs: 'Explain src/app.ts' })
})

const limit = `more than the ${maxBodyBytes} a signal may have; write it to a file and name the file in the body`
const send = ['send', 'docs', '--type', 'report', '--subject', 'Long']
const inbox = () => path.join(workspaceOf(root, 'docs'), '.fed', 'signals', 'inbox')
const sent = () => execFileSync('ls', [inbox()], { encoding: 'utf8' })

function file(bytes: number): string {
  const name = path.join(newFolder('body'), 'body.txt')
  writeFileSync(name, '')
  truncateSync(name, bytes)
  return name
}

test.each([1, 1000, maxBodyBytes])('a body of %i bytes is sent and read as it is', async (bytes) => {
  // the longest escapes that JSON has
  const body = '\u0001'.repeat(bytes)
  const name = path.join(newFolder('body'), 'body.txt')
  writeFileSync(name, body)
  const { id } = JSON.parse(await fedDone(root, [...send, '--body-file', name, '--json'])) as { id: string }
  expect(new Federation(root).mailbox('docs').find(id).body === body).toBe(true)
})

test.each([maxBodyBytes + 1, 50 * 2 ** 20, 50 * 2 ** 30])(
  'a body of %i bytes is refused without being read',
  async (bytes) => {
    const name = file(bytes)
    const before = sent()
    for (const args of [
      send,
      ['report', 'files-read', '--team', 'docs'],
      ['alert', 'information-missing', '--team', 'docs'],
    ]) {
      const ended = await fed(root, [...args, '--body-file', name], {
        env: { NODE_OPTIONS: '--max-old-space-size=64' },
      })
      expect(ended).toEqual({
        code: 2,
        stdout: '',
        stderr: `fed: body: ${name} is ${bytes} bytes, ${limit}\n`,
      })
    }
    expect(sent()).toBe(before)
  },
)

test('a body is counted in bytes of UTF-8, also as an argument of the library', async () => {
  const federation = new Federation(root)
  const draft = { from: 'meta', to: 'docs', type: 'report', subject: 'Long' } as const
  await expect(federation.send({ ...draft, body: 'ü'.repeat(maxBodyBytes / 2 + 1) })).rejects.toThrow(
    UsageError,
  )
  await expect(federation.send({ ...draft, body: 'ü'.repeat(maxBodyBytes / 2 + 1) })).rejects.toThrow(
    `body: it is ${maxBodyBytes + 2} bytes, ${limit}`,
  )
})

test('a body from a standard input without end is refused when it is too long', async () => {
  const running = startFed(root, [...send, '--body-file', '-'], { input: 'x'.repeat(3 * maxBodyBytes) })
  expect(await running.ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `fed: body: the standard input is longer than ${maxBodyBytes} bytes, ${limit}\n`,
  })
  const endless = await fed(root, [...send, '--body-file', '/dev/zero'])
  expect(endless).toEqual({
    code: 2,
    stdout: '',
    stderr: `fed: body: /dev/zero is longer than ${maxBodyBytes} bytes, ${limit}\n`,
  })
})

test('a body from a pipe is read, from a folder or of no UTF-8 refused', async () => {
  const dir = newFolder('body')
  const pipe = path.join(dir, 'pipe')
  execFileSync('mkfifo', [pipe])
  const sending = fedDone(root, [...send, '--body-file', pipe, '--json'])
  writeFileSync(pipe, 'through a pipe')
  expect(JSON.parse(await sending)).toMatchObject({ body: 'through a pipe' })
  const binary = path.join(dir, 'binary')
  writeFileSync(binary, Buffer.from([0x89, 0x50, 0xff]))
  for (const [name, words] of [
    [dir, `--body-file: ${dir} is a folder, not a file`],
    [binary, `--body-file: ${binary} is not UTF-8 text; convert it first`],
    [path.join(dir, 'none'), '--body-file: ENOENT'],
  ] as const) {
    const { code, stdout, stderr } = await fed(root, [...send, '--body-file', name])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^fed: [^\n]+\n$/)
    expect(stderr).toContain(words)
  }
})
