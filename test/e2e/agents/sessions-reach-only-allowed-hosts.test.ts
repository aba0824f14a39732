// Proves that an agent within walls reaches the hosts that it may by the session's proxy, and nothing else by any way:
// no socket, no datagram, no name, no abstract socket of the machine; that this is told in its log and once to meta; and
// that nothing of it is left when its launcher is killed. Fails when anything answers that nobody allowed, or when the
// relay changes how an agent is asked to end and how it ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWay } from '../../../src/engine/confinement/way-out.ts'
import { isRunning } from '../../../src/platform/process/process-identity.ts'
import { agent, fed, fedDone, newFederation, startFed, workspaceOf } from '../../support/fed.ts'
import { newServer, type Heard } from '../../support/raw-http.ts'
import { mailOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'
import { hasWalls } from '../../support/walls.ts'

let heard: Heard
let other: Heard
beforeEach(async () => {
  heard = await newServer()
  other = await newServer()
})
afterEach(() => {
  for (const { server } of [heard, other]) server.close()
})

const sessions = (root: string) => path.join(workspaceOf(root, 'docs'), '.fed', 'sessions')
const log = (root: string) => readFileSync(path.join(sessions(root), '1-1.log'), 'utf8')
const notes = (root: string) =>
  readFileSync(path.join(workspaceOf(root, 'docs'), 'starts.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

async function withHosts(hosts: readonly string[]): Promise<string> {
  const root = await newFederation({ docs: 'Document the source' })
  const file = path.join(root, 'federate.config.json')
  const config = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...config, confinement: { mode: 'on', hosts } }))
  await fedDone(root, ['trust'])
  return root
}
const launch = (...words: string[]) => [
  ...['launch', '--team', 'docs', '--max-sessions', '1'],
  ...['--agent', agent('reaching', ...words)],
]

describe.runIf(hasWalls)('within walls', () => {
  test('an agent reaches what is named, by the proxy and as its own machine, and nothing else', async () => {
    const name = `fed-test-${process.pid}`
    const abstract = spawn('python3', [
      '-c',
      `import socket,sys,time; s=socket.socket(socket.AF_UNIX); s.bind("\\0${name}"); s.listen(); print("up",flush=True); time.sleep(600)`,
    ])
    await once(abstract.stdout, 'data')
    const root = await withHosts([`127.0.0.1:${heard.port}`])
    await fed(root, launch(String(heard.port), String(other.port), name))
    abstract.kill()
    const answers = Object.fromEntries(
      notes(root)
        .filter(({ kind }) => kind === 'attempt')
        .map(({ attempt, answer }) => [attempt, answer]),
    ) as Record<string, string>
    expect(answers).toEqual({
      direct: '200 served /direct',
      proxied: '200 served /proxied',
      otherPort: expect.stringMatching(/^403 127\.0\.0\.1:\d+ is refused: it is not among the hosts/),
      otherDirect: 'ECONNREFUSED',
      ...{ private: expect.stringMatching(/^403 /), metadata: expect.stringMatching(/^403 /) },
      ...{ name: expect.stringMatching(/^403 /), again: expect.stringMatching(/^403 /) },
      ...{
        address: 'ENETUNREACH',
        udp: 'ENETUNREACH',
        dns: expect.stringMatching(/^(?:EAI_AGAIN|ENOTFOUND)$/),
      },
      ...{ abstract: 1, interfaces: 'lo' },
    })
    expect(heard.requests.map(({ request }) => request.url)).toEqual(['/direct', '/proxied'])
    expect(other.requests).toEqual([])
    // its own exit code, through the relay
    expect(JSON.parse(readFileSync(path.join(sessions(root), '1-1.end.json'), 'utf8'))).toMatchObject({
      exitCode: 9,
    })

    const told = log(root).match(/^fed: no connection to .*$/gm) ?? []
    expect(told.map((line) => /to (\S+): /.exec(line)?.[1])).toEqual([
      ...[`127.0.0.1:${other.port}`, '10.0.0.1:80', '169.254.169.254:80', 'unlisted.example:80'],
    ])
    const mail = (await mailOf(root, 'meta')).filter(({ subject }) => subject.startsWith('Hosts refused'))
    expect(mail).toHaveLength(1)
    expect(mail[0]).toMatchObject({
      type: 'report',
      body: expect.stringContaining(
        `"hosts": ["127.0.0.1:${other.port}","10.0.0.1","169.254.169.254","unlisted.example"]`,
      ),
    })
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'a launcher that gets %s asks its agent once to end, and hears its exit code',
    async (signal) => {
      const root = await withHosts([])
      const launcher = startFed(root, launch('waits'))
      const file = path.join(sessions(root), '1-1.log')
      await until('the agent', () => (existsSync(file) && log(root).includes('ready')) || undefined)
      launcher.kill(signal)
      await launcher.ended
      expect(notes(root).filter(({ kind }) => kind === 'told')).toEqual([
        expect.objectContaining({ signal: 'SIGTERM' }),
      ])
      expect(JSON.parse(readFileSync(path.join(sessions(root), '1-1.end.json'), 'utf8'))).toMatchObject({
        exitCode: 7,
      })
    },
  )

  test('a launcher that is killed leaves no agent, no proxy and no socket', async () => {
    const root = await withHosts([])
    const launcher = startFed(root, launch('waits'))
    const file = path.join(sessions(root), '1-1.log')
    await until('the agent', () => (existsSync(file) && log(root).includes('ready')) || undefined)
    const { process: gate } = JSON.parse(readFileSync(path.join(sessions(root), '1-1.json'), 'utf8')) as {
      process: { pid: number; started: string }
    }
    const way = readFileSync(`/proc/net/unix`, 'utf8').match(/\S*fed-net-\S+\/s$/gm) ?? []
    expect(way.length).toBeGreaterThan(0)
    launcher.kill('SIGKILL')
    await launcher.ended
    await until('its end', () => !isRunning(gate) || undefined)
    const own = way.filter((socket) => existsSync(socket))
    const listening = new Set(readFileSync(`/proc/net/unix`, 'utf8').match(/\S*fed-net-\S+\/s$/gm))
    // those of other tests are in use
    expect(own.filter((socket) => !listening.has(socket))).toEqual([])
  })
})

test('the socket of a session lies in a folder that is nobody else’s, and goes with it', async () => {
  const way = await openWay({ named: [], usual: [] }, () => undefined)
  expect([existsSync(way.folder), existsSync(String(way.network.proxy))]).toEqual([true, true])
  way.end()
  expect(existsSync(way.folder)).toBe(false)
})
