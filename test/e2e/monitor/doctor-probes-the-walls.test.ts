// Proves that agents of every archetype are refused everything that is not given to them, as `fed doctor --probe` tries
// it: another's files, mail, sockets, processes, hosts and more of the machine than they may have. It fails when one of
// them is reached, when what is given cannot be used, or when the probe leaves something behind.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import net from 'node:net'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { fed, fedDone, newFederation, newFolder, pathWith } from '../../support/fed.ts'
import { hasWalls } from '../../support/walls.ts'

interface Probe {
  readonly holds: boolean
  readonly probed: readonly { readonly what: string; readonly outcomes: Readonly<Record<string, string>> }[]
}

/** A person's home with what nobody else is to read, and where others act for whoever connects. */
async function newHome() {
  const home = newFolder('home')
  const files = {
    ...{
      '.ssh/id_ed25519': 'a key',
      '.aws/credentials': 'a key',
      '.netrc': 'a password',
      '.bashrc': 'a word',
    },
    ...{ '.claude/.credentials.json': '{"a":"token"}', '.codex/auth.json': '{"a":"token"}' },
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true })
    writeFileSync(path.join(home, name), text)
  }
  const sockets = ['docker', 'bus', 'agent'].map((name) => path.join(newFolder(name), 's'))
  const servers = sockets.map((place) => net.createServer((asking) => asking.end()).listen(place))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const [docker, bus, agent = ''] = sockets
  const env = { HOME: home, DOCKER_HOST: `unix://${docker}`, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` }
  return {
    home,
    env: {
      ...env,
      SSH_AUTH_SOCK: agent,
      XDG_STATE_HOME: path.join(home, '.local/state'),
      XDG_CACHE_HOME: path.join(home, '.cache'),
    },
    end: () => servers.forEach((server) => server.close()),
  }
}

describe.runIf(hasWalls)('where walls stand', () => {
  test('agents of every archetype are refused everything but what is given', async () => {
    const { home, env, end } = await newHome()
    const root = await newFederation()
    const before = [readdirSync(home), readdirSync('/etc')]
    const { code, stdout, stderr } = await fed(root, ['doctor', '--probe', '--json'], { env })
    end()
    const { holds, probed } = JSON.parse(stdout) as Probe
    const wrong = probed.filter(({ outcomes }) =>
      Object.values(outcomes).some((one) => one === 'reached' || one === 'denied'),
    )
    expect(wrong, stderr).toEqual([])
    expect([code, holds]).toEqual([0, true])
    // nothing was passed over, but that those who change no code do not commit
    const passedOver = probed.filter(({ outcomes }) => Object.values(outcomes).includes('absent'))
    expect(passedOver.map(({ what, outcomes }) => [what, outcomes['coding']])).toEqual([['commit', 'given']])
    expect(probed.length).toBeGreaterThan(35)
    expect([
      readdirSync(home).filter((name) => !/^\.(?:cache|local)$/.test(name)),
      readdirSync('/etc'),
    ]).toEqual(before)
    expect(existsSync(path.join(home, '.cache', 'fed', 'homes'))).toBe(false)
    expect(existsSync(path.join(home, '.local', 'state', 'fed', 'repositories'))).toBe(false)
    // what was allowed for the probe is allowed no more
    expect(await fedDone(root, ['trust', '--list', '--json'], { env })).not.toContain('fed-probe-')
  })

  test('what the configuration gives is given, and nothing else', async () => {
    const { home, env, end } = await newHome()
    const root = await newFederation()
    const confinement = { sockets: [env.SSH_AUTH_SOCK], env: ['PROBE_*'] }
    writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ confinement }))
    const { stdout } = await fed(root, ['doctor', '--probe', '--json'], { env })
    end()
    const { holds, probed } = JSON.parse(stdout) as Probe
    const given = probed.filter(({ outcomes }) => outcomes['deliverable'] === 'given').map(({ what }) => what)
    expect(given).toEqual(
      expect.arrayContaining(['connect to the ssh agent', 'read variables of whoever launched it']),
    )
    expect(given).not.toContain('connect to D-Bus')
    expect(holds).toBe(true)
    expect(readdirSync(home).filter((name) => name.includes('probe'))).toEqual([])
  })
})

test('where agents are open there is nothing to probe, and it is said why', async () => {
  const root = await newFederation()
  const { code, stdout, stderr } = await fed(root, ['doctor', '--probe'], {
    env: { PATH: pathWith({ bwrap: 'exit 1' }) },
  })
  expect([code, stdout]).toEqual([5, ''])
  expect(stderr).toMatch(/cannot be had: .*; /)
})
