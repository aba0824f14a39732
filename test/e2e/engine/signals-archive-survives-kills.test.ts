// Proves that a process killed at any file system call while it archives mail or moves it back loses nothing,
// shows no old signal as new, and is finished by running it again. It fails when one instant is unsafe.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { processStat } from '../../../src/platform/process/process-identity.ts'
import { fileNamesOf } from '../../../src/protocol/event-name.ts'
import type { SignalMessage } from '../../../src/protocol/signal.ts'
import { archivedFile, archiveFolder } from '../../../src/records/signals/archive-months.ts'
import { bringBack } from '../../../src/records/signals/bring-back.ts'
import { compose } from '../../../src/records/signals/compose.ts'
import { Mailbox } from '../../../src/records/signals/mailbox.ts'
import { putAway } from '../../../src/records/signals/put-away.ts'
import { bundle } from '../../support/bundle.ts'
import { newFolder } from '../../support/federation.ts'
import { start } from '../../support/program.ts'
import { until } from '../../support/until.ts'
import { everyCall } from '../../support/thorough.ts'

const month = '2026-03'
const subjects = ['One', 'Two']

/** A program that loads this first is sent a signal before the call of its number that changes a folder. */
const preload = path.join(newFolder('preload'), 'signal.cjs')
writeFileSync(
  preload,
  `const fs = require('node:fs')
let left = Number(process.env.SIGNAL_AT)
for (const name of ['linkSync', 'renameSync', 'unlinkSync', 'mkdirSync', 'rmdirSync']) {
  const original = fs[name]
  fs[name] = (...args) => {
    if (--left === 0) process.kill(process.pid, process.env.SIGNAL)
    return original(...args)
  }
}
require('node:module').syncBuiltinESMExports()
`,
)

function signalOf(subject: string): SignalMessage {
  return compose({
    from: 'meta',
    to: 'docs',
    type: 'report',
    subject,
    timestamp: '2026-03-04T10:00:00.000Z',
  })
}

function write(mailbox: Mailbox, signal: SignalMessage): string {
  const [name] = fileNamesOf(signal)
  writeFileSync(path.join(mailbox.inbox, name), JSON.stringify(signal), { flag: 'wx' })
  return name
}

function newMailbox(count = subjects.length) {
  const workspace = newFolder('mailbox')
  const mailbox = new Mailbox('docs', workspace)
  mailbox.create()
  const signals = subjects.slice(0, count).map(signalOf)
  const names = signals.map((signal) => write(mailbox, signal))
  for (const name of names) mailbox.acknowledgeFiles([name])
  return { workspace, mailbox, signals, names }
}

/** Ids of the signals in a folder and below it. */
function idsBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(
      (entry) => JSON.parse(readFileSync(path.join(entry.parentPath, entry.name), 'utf8')) as SignalMessage,
    )
    .map(({ id }) => id)
}

/** Runs the program killed at one call after the other until it comes to its end; returns how many it took. */
async function killedEverywhere(
  act: 'away' | 'back',
  check: (mail: ReturnType<typeof newMailbox>) => Promise<void>,
): Promise<number> {
  const program = await bundle('workers/archive.ts')
  const { first, stride } = everyCall(6)
  for (let at = first; ; at += stride) {
    const mail = newMailbox()
    if (act === 'back') putAway(mail.mailbox, mail.workspace, Date.now() + 1000)
    const args = ['--require', preload, program, mail.workspace, act, month]
    const env = { SIGNAL: 'SIGKILL', SIGNAL_AT: String(at) }
    const { code, signal, stderr } = await start(args[0] as string, args.slice(1), { env }).ended
    expect(stderr).toBe('')
    if (code === 0) return at - 1
    expect(signal).toBe('SIGKILL')
    const { mailbox, workspace, signals } = mail
    expect(mailbox.unacknowledgedFiles()).toEqual([])
    const everywhere = new Set(idsBelow(path.join(workspace, '.fed')))
    for (const one of signals) {
      expect(everywhere).toContain(one.id)
      // a sender that comes late finds the signal in one of the two
      const isInInbox = existsSync(path.join(mailbox.inbox, fileNamesOf(one)[0]))
      expect(isInInbox || archivedFile(workspace, one) !== undefined).toBe(true)
    }
    await check(mail)
  }
}

const looking: ReturnType<typeof start>[] = []
const stopped = new Set<ChildProcess>()
afterAll(() => {
  for (const look of looking) look.kill()
  for (const child of stopped) child.kill('SIGKILL')
})

/** Signals that take the free names, as a sender with an old timestamp might. */
function latecomers({ mailbox }: { mailbox: Mailbox }): SignalMessage[] {
  return subjects.flatMap((subject) => {
    const signal = signalOf(subject)
    if (existsSync(path.join(mailbox.inbox, fileNamesOf(signal)[0]))) return []
    write(mailbox, signal)
    return [signal]
  })
}

const sorted = (signals: readonly { readonly id: string }[]) => signals.map(({ id }) => id).toSorted()

test('archiving', async () => {
  const calls = await killedEverywhere('away', async (mail) => {
    const { mailbox, workspace, signals } = mail
    const late = latecomers(mail)
    putAway(mailbox, workspace, Date.now() + 1000)
    const archive = archiveFolder(workspace)
    expect(readdirSync(archive)).toEqual([month])
    expect(idsBelow(archive).toSorted()).toEqual(sorted(signals))
    expect(sorted(mailbox.all())).toEqual(sorted(late))
    expect(sorted(mailbox.unacknowledged())).toEqual(sorted(late))
    expect(readdirSync(mailbox.inbox)).toHaveLength(late.length)
  })
  expect(calls).toBeGreaterThan(12)
})

test('moving back', async () => {
  const calls = await killedEverywhere('back', async (mail) => {
    const { mailbox, workspace, signals } = mail
    const late = latecomers(mail)
    await bringBack(mailbox, workspace, month)
    expect(readdirSync(archiveFolder(workspace))).toEqual([])
    expect(sorted(mailbox.all())).toEqual(sorted([...signals, ...late]))
    expect(sorted(mailbox.unacknowledged())).toEqual(sorted(late))
    expect(readdirSync(mailbox.inbox)).toHaveLength(2 * signals.length + late.length)
  })
  expect(calls).toBeGreaterThan(12)
})

test('moving back what was half archived, and archiving what was half moved back', async () => {
  await killedEverywhere('away', async ({ mailbox, workspace, signals, names }) => {
    await bringBack(mailbox, workspace, month)
    expect(readdirSync(mailbox.inbox).toSorted()).toEqual(
      names.flatMap((name) => [name, `${name}.ack`]).toSorted(),
    )
    expect(sorted(mailbox.all())).toEqual(sorted(signals))
  })
  await killedEverywhere('back', async ({ mailbox, workspace, signals }) => {
    putAway(mailbox, workspace, Date.now() + 1000)
    await bringBack(mailbox, workspace, month)
    expect(mailbox.unacknowledged()).toEqual([])
    expect(sorted(mailbox.all())).toEqual(sorted(signals))
  })
})

test.each(['away', 'back'] as const)(
  'stopped anywhere on its way %s, a process that goes on after others moved the mail takes nothing away',
  async (act) => {
    const program = await bundle('workers/archive.ts')
    const { first, stride } = everyCall(6)
    for (let at = first; ; at += stride) {
      const mail = newMailbox()
      const { mailbox, workspace, signals } = mail
      if (act === 'back') putAway(mailbox, workspace, Date.now() + 1000)
      const child = spawn(process.execPath, ['--require', preload, program, workspace, act, month], {
        stdio: 'inherit',
        env: { ...process.env, SIGNAL: 'SIGSTOP', SIGNAL_AT: String(at) },
      })
      stopped.add(child)
      const ended = once(child, 'exit')
      const isOver = await until('the process to stop or to end', () => {
        if (child.exitCode !== null) return 'over'
        return processStat(child.pid as number)?.[0] === 'T' && 'stopped'
      })
      if (isOver === 'over') break
      putAway(mailbox, workspace, Date.now() + 1000)
      const late = latecomers(mail)
      if (at % 2 === 0) await bringBack(mailbox, workspace, month)
      child.kill('SIGCONT')
      expect(await ended).toEqual([0, null])
      stopped.delete(child)
      expect(new Set(idsBelow(path.join(workspace, '.fed')))).toEqual(new Set(sorted([...signals, ...late])))
      expect(sorted(mailbox.unacknowledged())).toEqual(sorted(late))
      await bringBack(mailbox, workspace, month)
      expect(sorted(mailbox.all())).toEqual(sorted([...signals, ...late]))
      expect(sorted(mailbox.unacknowledged())).toEqual(sorted(late))
    }
  },
)

test('somebody who reads the inbox meanwhile never sees an old signal as new', async () => {
  const { workspace, mailbox } = newMailbox()
  for (let count = 0; count < 400; count += 1) {
    const name = write(mailbox, signalOf(`Signal ${count}`))
    mailbox.acknowledgeFiles([name], false)
  }
  const look = start(await bundle('workers/archive.ts'), [workspace, 'look'])
  looking.push(look)
  await look.lines(1)
  for (let round = 0; round < 3; round += 1) {
    putAway(mailbox, workspace, Date.now() + 1000)
    await bringBack(mailbox, workspace, month)
  }
  look.kill()
  const { stdout, stderr } = await look.ended
  expect(stderr).toBe('')
  expect(stdout.replaceAll('\n', '')).toBe('')
  expect(stdout.length).toBeGreaterThan(3)
})
