// Proves that signals go and come through the command line as the specification's files, and that reading
// never takes an event from a machine. It fails when a file has another name or content, when one signal
// replaces another, when mail is acknowledged unread, or when an event is acknowledged without its effect.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { FiledSignal } from '../../../src/index.ts'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ docs: undefined })
})

const inbox = () => path.join(workspaceOf(root, 'docs'), '.fed/signals/inbox')
const outbox = () => path.join(root, '.fed/signals/outbox')
const contentOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

function send(subject: string, ...more: string[]): Promise<FiledSignal> {
  return fedJson<FiledSignal>(root, ['send', 'docs', '--type', 'report', '--subject', subject, ...more])
}

describe('sending', () => {
  test('writes the specification’s file, and the same into the outbox', async () => {
    const { file, ...signal } = await send('Ports Are Öpen (all)!', '--body', 'every one')
    expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z-report-ports-are-öpen-all\.json$/)
    expect(signal).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      from: 'meta',
      to: 'docs',
      type: 'report',
      subject: 'Ports Are Öpen (all)!',
      body: 'every one',
      protocol: 'file-signal-v1',
    })
    expect(contentOf(path.join(inbox(), file))).toEqual(signal)
    expect(contentOf(path.join(outbox(), file))).toEqual(signal)
    expect(await fedJson(root, ['outbox'])).toEqual([{ ...signal, file }])
  })

  test('one subject many times in a second makes as many files', async () => {
    const sent = await Promise.all(Array.from({ length: 6 }, () => send('Same words')))
    const files = new Set(sent.map(({ file }) => file))
    expect(files.size).toBe(6)
    expect(readdirSync(inbox()).toSorted()).toEqual([...files].toSorted())
    expect(readdirSync(outbox()).toSorted()).toEqual([...files].toSorted())
  })

  test('takes the body from the standard input or a file, whatever is in it', async () => {
    const body = `line one\n\n"quotes", \\ and ünïcödé ✓\n${'x'.repeat(200_000)}\n`
    const args = ['send', 'docs', '--type', 'report', '--subject', 'Long', '--body-file']
    await fedDone(root, [...args, '-'], { input: body })
    writeFileSync(path.join(root, 'body.md'), body)
    await fedDone(root, [...args, 'body.md'])
    const read = await fedJson<FiledSignal[]>(root, ['inbox', 'docs'])
    expect(read.map((signal) => signal.body)).toEqual([body, body])
  })

  test('a team is named by --from, by FED_TEAM, or by the workspace one stands in', async () => {
    const args = ['send', 'meta', '--type', 'question', '--subject', 'Which port?']
    const senders = [
      await fedJson<FiledSignal>(root, args),
      await fedJson<FiledSignal>(root, [...args, '--from', 'docs']),
      await fedJson<FiledSignal>(root, args, { env: { FED_TEAM: 'docs' } }),
      await fedJson<FiledSignal>(workspaceOf(root, 'docs'), args),
      await fedJson<FiledSignal>(path.join(workspaceOf(root, 'docs'), '.fed', 'skills'), args),
      await fedJson<FiledSignal>(workspaceOf(root, 'docs'), args, { env: { FED_ROOT: root } }),
      await fedJson<FiledSignal>(root, args, { env: { FED_TEAM: '' } }),
    ].map(({ from }) => from)
    expect(senders).toEqual(['meta', 'docs', 'docs', 'docs', 'docs', 'docs', 'meta'])
  })
})

describe('reading', () => {
  test('shows a signal and acknowledges it, once', async () => {
    const { id, file } = await send('Ports are open', '--body', 'every one')
    expect(await fedDone(root, ['inbox', 'docs'])).toContain(`${id.slice(0, 8)}  `)
    expect(await fedDone(root, ['read', 'docs', id.slice(0, 8)])).toMatch(
      /^report from meta to docs, .*\nPorts are open\n\nevery one\n$/,
    )
    const acknowledgment = path.join(inbox(), `${file}.ack`)
    const written = readFileSync(acknowledgment, 'utf8')
    expect(JSON.parse(written)).toEqual({
      acknowledged: true,
      acknowledged_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    await fedDone(root, ['read', 'docs', file])
    await fedDone(root, ['ack', 'docs', id])
    expect(readFileSync(acknowledgment, 'utf8')).toBe(written)
    expect(await fedDone(root, ['inbox', 'docs'])).toBe('nothing waits for docs\n')
    expect(await fedJson<FiledSignal[]>(root, ['inbox', 'docs', '--all'])).toMatchObject([
      { id, acknowledged: true, acknowledged_at: expect.any(String) },
    ])
    expect(await fedDone(root, ['inbox', 'docs', '--all'])).toContain('✓ Ports are open')
  })

  test('an answer goes to whoever asked, and acknowledges', async () => {
    const question = ['send', 'meta', '--from', 'docs', '--type', 'question', '--subject', 'Which port?']
    const { id } = await fedJson<FiledSignal>(root, question)
    const answer = await fedJson<FiledSignal>(root, ['reply', 'meta', id, '--body-file', '-'], {
      input: '80',
    })
    expect(answer).toMatchObject({
      from: 'meta',
      to: 'docs',
      type: 'report',
      subject: 'Re: Which port?',
      body: '80',
    })
    expect(await fedJson(root, ['inbox'])).toEqual([])
    expect(existsSync(path.join(inbox(), answer.file))).toBe(true)
  })

  test('the same answer twice is sent once, another one again', async () => {
    const question = ['send', 'docs', '--type', 'question', '--subject', 'Which port?']
    const { id } = await fedJson<FiledSignal>(root, question)
    const answer = (body: string) => fedJson<FiledSignal>(root, ['reply', 'docs', id, '--body', body])
    expect(await answer('80')).toEqual(await answer('80'))
    expect(await fedJson(root, ['inbox', 'meta'])).toMatchObject([{ body: '80', from: 'docs' }])
    await answer('81')
    const bodies = (await fedJson<FiledSignal[]>(root, ['outbox', 'docs'])).map(({ body }) => body)
    expect(bodies.toSorted()).toEqual(['80', '81'])
  })

  test('what a foreign program wrote cannot speak to the terminal', async () => {
    const nasty = 'Ports\u001B[2J\u0007\nare open'
    const signal = { ...(await send('Ports')), id: 'aaaaaaaa-0000-4000-8000-000000000000', body: nasty }
    const { file: _, ...written } = { ...signal, subject: nasty }
    writeFileSync(path.join(inbox(), '2026-01-01T000000Z-report-x.json'), JSON.stringify(written))
    const shown = await fedDone(root, ['inbox', 'docs'])
    expect(shown.split('\n')).toHaveLength(3)
    expect(shown).toContain('report  Ports are open\n')
    expect(await fedDone(root, ['read', 'docs', 'aaaaaaaa'])).toMatch(
      /\nPorts are open\n\nPorts\nare open\n$/,
    )
    await fedDone(root, ['learn', nasty, '--team', 'docs'])
    expect(await fedDone(root, ['learnings'])).toMatch(/ Ports are open\n$/)
  })

  test('an event is the machine’s: reading it steps the team', async () => {
    const mission = ['send', 'docs', '--type', 'directive', '--subject', 'Explain the storage']
    const { id } = await fedJson<FiledSignal>(root, mission)
    expect(await fedDone(root, ['read', 'docs', id])).toContain('Explain the storage')
    expect(await fedJson(root, ['status', 'docs'])).toMatchObject({
      mission: { subject: 'Explain the storage' },
      mailbox: { unacknowledged: 0 },
    })
  })

  test('an event that waits for another state is shown and stays', async () => {
    await fedDone(root, ['pause', 'docs'])
    const mission = ['send', 'docs', '--type', 'directive', '--subject', 'Explain the storage']
    const { id, file } = await fedJson<FiledSignal>(root, mission)
    const { code, stdout, stderr } = await fed(root, ['read', 'docs', id, '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ id })])
    expect(stderr).toContain('it stays unacknowledged until then')
    expect(await fed(root, ['ack', 'docs', id])).toMatchObject({ code: 5, stdout: '' })
    const sent = await fedDone(root, ['outbox', 'docs'])
    expect(await fed(root, ['reply', 'docs', id, '--body', 'No'])).toMatchObject({ code: 5, stdout: '' })
    expect(await fedDone(root, ['outbox', 'docs'])).toBe(sent)
    expect(existsSync(path.join(inbox(), `${file}.ack`))).toBe(false)
    await fedDone(root, ['resume', 'docs'])
    expect(await fedJson(root, ['status', 'docs'])).toMatchObject({
      mission: { subject: 'Explain the storage' },
    })
  })
})
