// One goal over three sites on this machine: three nats-server nodes, three clones that share a bare repository, a live
// view; the third site is killed in the middle and taken over, and there is one result. `npm run link:demo`.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const fed = path.join(repository, 'dist/fed.js')

if (spawnSync('nats-server', ['--version']).error !== undefined) {
  console.error('link:demo needs nats-server: apt-get install nats-server, or https://nats.io/download')
  process.exit(2)
}

const place = mkdtempSync(path.join(tmpdir(), 'fed-link-demo-'))
const nodes = []
// a person's own settings are not the demonstration's
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:FED_|GIT_)/.test(name)))
Object.assign(env, {
  GIT_AUTHOR_NAME: 'Demo',
  GIT_AUTHOR_EMAIL: 'demo@example.invalid',
  GIT_COMMITTER_NAME: 'Demo',
  GIT_COMMITTER_EMAIL: 'demo@example.invalid',
  FED_TELEMETRY_ENABLED: 'false',
})
const say = (words) => console.log(`\n— ${words}`)
const rootOf = (site) => path.join(place, site)
const call = (site, ...args) =>
  execFileSync(process.execPath, [fed, ...args], {
    cwd: rootOf(site),
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function until(what, is, longestMs = 60_000) {
  for (const end = performance.now() + longestMs; ; await sleep(100)) {
    if (is()) return
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
  }
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

async function startNodes() {
  const ports = [await freePort(), await freePort(), await freePort()]
  const routes = [await freePort(), await freePort(), await freePort()]
  for (const [index, port] of ports.entries()) {
    const file = path.join(place, `node-${index}.conf`)
    writeFileSync(
      file,
      `server_name: node-${index}
listen: 127.0.0.1:${port}
jetstream { store_dir: ${JSON.stringify(path.join(place, `node-${index}`))} }
cluster { name: demo, listen: 127.0.0.1:${routes[index]}, routes: [${routes.map((one) => `nats://127.0.0.1:${one}`).join(', ')}] }
`,
    )
    nodes.push(spawn('nats-server', ['-c', file], { stdio: 'ignore' }))
  }
  return ports.map((port) => `nats://127.0.0.1:${port}`).join(',')
}

const linkOf = (site) => JSON.parse(readFileSync(path.join(rootOf(site), '.fed/link/state.json'), 'utf8'))
const standings = (site) => JSON.parse(call(site, 'status', '--json'))

const areas = ['src/engine', 'src/agents', 'src/federation', 'src/apps/cli', 'src/link', 'src/records']
const plan = `goal: Document this repository
tasks:
${areas
  .map(
    (area) => `  - id: ${area.split('/').at(-1)}
    mission: Document the architecture of ${area}
`,
  )
  .join('')}  - id: machines
    mission: Document the machines in machines
    needs: [archive]
`

let failed = true
try {
  say(`three nodes and three sites below ${place}`)
  const servers = await startNodes()
  const hub = path.join(place, 'hub.git')
  execFileSync('git', ['clone', '--quiet', '--bare', repository, hub], { env })
  const branch = execFileSync('git', ['-C', hub, 'symbolic-ref', '--short', 'HEAD'], {
    env,
    encoding: 'utf8',
  }).trim()
  for (const site of ['berlin', 'lima', 'tokyo']) {
    mkdirSync(rootOf(site))
    execFileSync('git', ['clone', '--quiet', '--branch', branch, hub, rootOf(site)], { env })
    call(site, 'init')
    const label = site === 'lima' ? ['--label', 'archive'] : []
    const up = [
      'link',
      'up',
      '--servers',
      servers,
      '--site',
      site,
      '--meta',
      'berlin',
      '--slots',
      '1',
      ...label,
      '--detach',
    ]
    // the nodes choose a leader first
    await until(
      `site ${site} is linked`,
      () => spawnSync(process.execPath, [fed, ...up], { cwd: rootOf(site), env }).status === 0,
    )
    await until(`site ${site} has read everything`, () => linkOf(site).isCaughtUp)
  }
  console.log(call('berlin', 'sites'))
  say('one goal, given at berlin')
  const file = path.join(place, 'plan.yaml')
  writeFileSync(file, plan)
  const goal = spawn(process.execPath, [fed, 'goal', 'start', '--plan', file, '--yes'], {
    cwd: rootOf('berlin'),
    env,
    stdio: 'inherit',
  })
  const ended = new Promise((resolve) => goal.on('exit', resolve))
  const isAt = (site) => standings('berlin').some((team) => team.site === site && team.state !== 'complete')
  await until('tokyo has a task', () => isAt('tokyo') || goal.exitCode !== null)
  say('tokyo is killed, with its agents')
  for (const pid of processesIn(rootOf('tokyo'))) kill(pid)
  say('lima takes over')
  console.log(call('lima', 'takeover', 'tokyo', '--force'))
  const code = await Promise.race([ended, sleep(180_000).then(() => 'no end')])
  if (code !== 0) throw new Error(`the goal ended with ${code}`)
  say('where everything went')
  console.log(call('berlin', 'sites'))
  const [result] = JSON.parse(call('berlin', 'goal', 'status', '--json'))
  const done = result.tasks.filter(({ state }) => state === 'done')
  if (result.state !== 'complete' || done.length !== areas.length + 1)
    throw new Error(`the goal is ${result.state}, with ${done.length} tasks done`)
  say(`one result: ${done.length} of ${result.tasks.length} tasks done, the goal is ${result.state}`)
  failed = false
} catch (error) {
  console.error(
    `link:demo failed: ${error.message}${error.stderr ? `\n${error.stderr}` : ''}; its files are in ${place}`,
  )
} finally {
  for (const site of ['berlin', 'lima', 'tokyo']) for (const pid of processesIn(rootOf(site))) kill(pid)
  for (const node of nodes) node.kill('SIGKILL')
  if (!failed) rmSync(place, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(failed ? 1 : 0)

/** Processes that work in a folder. */
function processesIn(folder) {
  const { stdout } = spawnSync(
    'sh',
    ['-c', 'for p in /proc/[0-9]*; do echo "${p#/proc/} $(readlink $p/cwd)"; done'],
    { encoding: 'utf8' },
  )
  return stdout
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, cwd = '']) => cwd === folder || cwd.startsWith(`${folder}/`))
    .map(([pid]) => Number(pid))
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended by itself
  }
}
