// Proves that checks and their setup run within walls where these stand: they use their checkout and a home of their
// own, and reach nothing else of the machine. It fails when a check reads the home or fed's files, writes beside its
// checkout, gets a variable, meets somebody on the network, or when a setup reaches a host that nobody named.
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { commitFiles, configure } from '../../support/checks.ts'
import { codingTeam } from '../../support/coding-team.ts'
import { fed, fedJson, newFolder } from '../../support/fed.ts'
import { hasWalls } from '../../support/walls.ts'

/** Tries everything and prints what went well. */
const check = `import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
const [home, fed, port] = process.argv.slice(2)
const went = []
const attempt = (what, act) => {
  try {
    if (act() !== false) went.push(what)
  } catch {}
}
attempt('commit', () => execFileSync('git', ['rev-parse', 'HEAD~1']))
attempt('checkout', () => writeFileSync('made.txt', ''))
attempt('own home', () => writeFileSync(process.env.HOME + '/made.txt', ''))
attempt('secret', () => readFileSync(home + '/.ssh/id_ed25519'))
attempt('mail', () => readdirSync(fed).length > 0)

attempt('variable', () => process.env.TOKEN_OF_TEST !== undefined)
attempt('named variable', () => process.env.NAMED_OF_TEST !== undefined)
attempt('process left', () => spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref())
const reaches = (port) =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('connect', () => socket.destroy()).on('error', () => resolve(false))
  })
const own = net.createServer().listen(Number(port), '127.0.0.1', async () => {
  went.push('same port')
  own.close()
  if (await reaches(Number(port))) went.push('own network')
  console.log('WENT ' + JSON.stringify(went))
})
own.on('error', async () => {
  if (await reaches(Number(port))) went.push('this machine')
  console.log('WENT ' + JSON.stringify(went))
})`

describe.runIf(hasWalls)('where walls stand', () => {
  test.each([
    [undefined, ['commit', 'checkout', 'own home', 'named variable', 'process left', 'same port']],
    ['host' as const, ['commit', 'checkout', 'own home', 'named variable', 'process left', 'this machine']],
  ])('a check with the network %s', async (network, expected) => {
    const { root, workspace } = await codingTeam()
    const home = newFolder('home')
    mkdirSync(path.join(home, '.ssh'))
    writeFileSync(path.join(home, '.ssh', 'id_ed25519'), 'a key')
    const server = net.createServer((asking) => asking.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as net.AddressInfo
    commitFiles(workspace, { 'check.mjs': check })
    const run = `node check.mjs ${home} ${path.join(root, '.fed')} ${port}`
    configure(root, {
      confinement: { mode: 'on', env: ['NAMED_OF_TEST'] },
      checks: [{ name: 'unit', run, ...(network && { network }) }],
    })
    const env = { HOME: home, TOKEN_OF_TEST: 'a secret', NAMED_OF_TEST: 'no secret' }
    const { code, stderr } = await fed(root, ['report', 'tests-passed', '--team', 'api'], { env })
    server.close()
    expect([code, stderr]).toEqual([0, expect.stringContaining('unit: node check.mjs')])
    const log = path.join(root, '.fed', 'checks', 'api', git(workspace, 'rev-parse', 'HEAD'), 'unit.1.log')
    const [, went = ''] = /^WENT (.*)$/m.exec(readFileSync(log, 'utf8')) ?? []
    expect(JSON.parse(went)).toEqual(expected)
    const { checks } = await fedJson<{ checks: { configured: { result: { open: unknown } }[] } }>(root, [
      'status',
      'api',
    ])
    expect(checks.configured[0]?.result.open).toBeNull()
  })

  test('a setup reaches no host that nobody named', async () => {
    const { root, workspace } = await codingTeam()
    const asking = `import { mkdirSync } from 'node:fs'
import http from 'node:http'
const { hostname, port } = new URL(process.env.HTTPS_PROXY)
http.request({ host: hostname, port, method: 'CONNECT', path: 'nobody.invalid:443', headers: { host: 'nobody.invalid:443' } }).on('connect', ({ statusCode }) => {
  mkdirSync('made')
  process.exit(statusCode === 403 ? 0 : 1)
}).end()`
    commitFiles(workspace, { 'setup.mjs': asking })
    configure(root, {
      confinement: { mode: 'on' },
      checks: [{ name: 'unit', run: 'true' }],
      setup: { run: 'node setup.mjs', keep: ['made'] },
    })
    const { code, stderr } = await fed(root, ['report', 'tests-passed', '--team', 'api'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('setup: node setup.mjs')])
  })
})
