// Sites of one federation on this machine, and the servers that link them, for the row that measures the link.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { fed, library, newFolder, newRepository, runFed } from './places.mjs'
import { rivalServer } from './rivals.mjs'
import { freePort, startServer } from './servers.mjs'

const links = new Set()
process.once('exit', () => {
  for (const link of links) link.kill('SIGKILL')
})

/** Waits until it holds, or fails. */
export async function until(what, holds, patience = 6000) {
  for (; !(await holds()); patience -= 1) {
    if (patience === 0) throw new Error(`waited in vain for ${what}`)
    await wait(10)
  }
}

/** One server, or three that keep everything together; `stop` ends all, `kill` the one at that address. */
export async function startServers(nodes) {
  const routes = nodes === 1 ? [] : await Promise.all(Array.from({ length: nodes }, freePort))
  const more = routes.map((route, index) => [
    ...['-n', `n${index}`, '--cluster_name', 'bench', '--cluster', `nats://127.0.0.1:${route}`],
    ...['--routes', routes.map((one) => `nats://127.0.0.1:${one}`).join(',')],
  ])
  const servers = await Promise.all(
    Array.from({ length: nodes }, (_, index) => startServer('nats-server', more[index])),
  )
  return {
    addresses: servers.map(({ port }) => `nats://127.0.0.1:${port}`),
    async kill(address) {
      await servers.find(({ port }) => address.endsWith(`:${port}`))?.stop('SIGKILL')
    },
    async stop() {
      for (const server of servers) await server.stop('SIGKILL')
    },
  }
}

/**
 * A server that flushes each message before it acknowledges it, as fed does.
 * @returns undefined where the server that is installed cannot: before 2.10.
 */
export async function flushingServer() {
  const version = execFileSync(rivalServer('nats-server'), ['--version'], { encoding: 'utf8' })
  const [major, minor] = /v(\d+)\.(\d+)/.exec(version).slice(1).map(Number)
  if (major === 2 && minor < 10) return undefined
  const settings = path.join(newFolder('settings'), 'nats.conf')
  writeFileSync(settings, 'jetstream { sync_interval: always }\n')
  return startServer('nats-server', ['-c', settings])
}

/** When files appear in a folder from now on, by a thread of its own: whoever sends is busy meanwhile. */
export async function arrivalsIn(folder) {
  const worker = new Worker(
    `const { watch } = require('node:fs')
     const { parentPort, workerData } = require('node:worker_threads')
     watch(workerData, (_event, name) =>
       parentPort.postMessage([name, Number(process.hrtime.bigint()) / 1e6]))
     parentPort.postMessage('it watches')`,
    { eval: true, workerData: folder },
  )
  await once(worker, 'message')
  const seen = new Map()
  const waiting = new Map()
  worker.on('message', ([name, at]) => {
    if (seen.has(name)) return
    seen.set(name, at)
    waiting.get(name)?.(at)
  })
  return {
    of: (name) =>
      new Promise((resolve) => (seen.has(name) ? resolve(seen.get(name)) : waiting.set(name, resolve))),
    end: () => worker.terminate(),
  }
}

/** The package that fed itself speaks with the servers by. */
export async function natsClient(addresses) {
  const { connect } = await import('@nats-io/transport-node')
  const { jetstream, jetstreamManager } = await import('@nats-io/jetstream')
  const connection = await connect({ servers: addresses })
  return { connection, js: jetstream(connection), manager: await jetstreamManager(connection) }
}

/** New federations with teams, not linked yet. */
export async function newSites(teamsOf) {
  const { openFederation } = await library()
  return Promise.all(
    Object.entries(teamsOf).map(async ([site, teams]) => {
      const root = newRepository()
      execFileSync('git', ['-C', root, 'add', '.'])
      execFileSync('git', ['-C', root, '-c', 'user.name=B', '-c', 'user.email=b@b', 'commit', '-qm', 'Begin'])
      runFed(root, 'init')
      const federation = await openFederation(root)
      for (const domain of teams) await federation.onboard({ domain, archetype: 'deliverable' })
      return { site, root, federation }
    }),
  )
}

/** Links a site, and waits until it has read everything. */
export async function linkUp({ site, root }, { addresses, meta }, durability = 'power') {
  const log = path.join(newFolder('log'), 'link.log')
  writeFileSync(log, '')
  const words = ['link', 'up', '--servers', addresses.join(','), '--site', site, '--meta', meta]
  const child = spawn(process.execPath, [...(process.env.FED_LINK_NODE?.split(' ') ?? []), fed, ...words], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, FED_TELEMETRY_ENABLED: 'false', FED_DURABILITY: durability },
  })
  links.add(child)
  child.once('exit', () => links.delete(child))
  return {
    pid: child.pid,
    state: () => readJson(path.join(root, '.fed', 'link', 'state.json')),
    known: () => readJson(path.join(root, '.fed', 'link', 'teams.json'))?.teams ?? {},
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function readJson(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  } catch {
    return undefined
  }
}

/** CPU seconds and resident MiB of a process. */
export function costOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    cpu: (Number(stat[11]) + Number(stat[12])) / 100,
    memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024,
  }
}
