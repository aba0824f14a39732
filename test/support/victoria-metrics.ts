import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newFolder } from './fed.ts'
import { until } from './until.ts'

const run = promisify(execFile)
/** The first release of Debian whose package takes OTLP. */
const release = 'trixie'
const name = 'victoria-metrics'
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
const kept = fileURLToPath(new URL('../../node_modules/.cache/fed', import.meta.url))

/** Why there is none to test with. */
export class NoVictoriaMetrics extends Error {}

/** Address of the archive that this machine's own Debian comes from, out of apt's source lists. */
function archiveOf(sources = '/etc/apt'): string {
  const codename = /^VERSION_CODENAME=(\w+)/m.exec(readIf('/etc/os-release'))?.[1]
  if (!/^ID=debian$/m.test(readIf('/etc/os-release')) || codename === undefined)
    throw new NoVictoriaMetrics('this machine is no Debian')
  const folder = path.join(sources, 'sources.list.d')
  const files = existsSync(folder) ? readdirSync(folder).map((file) => path.join(folder, file)) : []
  for (const file of [...files, path.join(sources, 'sources.list')]) {
    const text = readIf(file).replace(/^#.*\n/gm, '')
    const stanzas = file.endsWith('.sources')
      ? text.split(/\n\s*\n/).map((stanza) => {
          const field = (key: string) =>
            new RegExp(`^${key}:(.*)$`, 'mi').exec(stanza)?.[1]?.trim().split(/\s+/)
          return { uri: field('URIs')?.[0], suites: field('Suites'), components: field('Components') }
        })
      : text.split('\n').map((line) => {
          const [, uri, suite, ...components] = line
            .replace(/\[[^\]]*\]\s*/, '')
            .trim()
            .split(/\s+/)
          return { uri, suites: [suite], components }
        })
    const own = stanzas.find(
      ({ suites, components }) => suites?.includes(codename) && components?.includes('main'),
    )
    if (own?.uri !== undefined) return own.uri
  }
  throw new NoVictoriaMetrics("apt's source lists name no Debian archive")
}

function readIf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Downloads the package with apt itself, which checks it, into folders of its own; nothing is installed. */
async function unpack(archive: string): Promise<string> {
  const key = createHash('sha256').update(`${archive} ${release}`).digest('hex').slice(0, 16)
  const program = path.join(kept, `${name}-${key}`, 'usr', 'bin', name)
  if (existsSync(program)) return program
  mkdirSync(kept, { recursive: true })
  const work = mkdtempSync(path.join(kept, 'unpacking-'))
  try {
    for (const dir of ['lists/partial', 'cache/archives/partial'])
      mkdirSync(path.join(work, dir), { recursive: true })
    writeFileSync(path.join(work, 'one.list'), `deb [signed-by=${keyring}] ${archive} ${release} main\n`)
    const settings = {
      'Dir::Etc::sourcelist': path.join(work, 'one.list'),
      'Dir::Etc::sourceparts': '-',
      'Dir::State::lists': path.join(work, 'lists'),
      'Dir::Cache': path.join(work, 'cache'),
      'APT::Sandbox::User': 'root',
      'Acquire::Languages': 'none',
      'Acquire::Retries': '0',
      'APT::Update::Error-Mode': 'any',
    }
    const options = Object.entries(settings).flatMap(([key_, value]) => ['-o', `${key_}=${value}`])
    const apt = (...args: string[]) =>
      run('apt-get', ['-qq', ...options, ...args], { cwd: work, timeout: 120_000 })
    await apt('update')
    await apt('download', name)
    const deb = readdirSync(work).find((file) => file.endsWith('.deb'))
    if (deb === undefined) throw new Error('no package came')
    await run('dpkg-deb', ['-x', deb, 'unpacked'], { cwd: work })
    renameSync(path.join(work, 'unpacked'), path.join(kept, `${name}-${key}`))
  } catch (error) {
    if (!existsSync(program))
      throw new NoVictoriaMetrics(`its package cannot be had: ${(error as Error).message.split('\n')[0]}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return program
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}

/** One series as it is exported. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly number[]
}

export interface VictoriaMetrics {
  /** Where it takes OTLP. */
  readonly endpoint: string
  /** All that it holds whose name begins so. */
  series(beginning: string): Promise<Series[]>
  /** Value of a query now. */
  query(query: string): Promise<number[]>
  stop(): Promise<void>
}

/**
 * Starts a real VictoriaMetrics on this machine only.
 * @throws {NoVictoriaMetrics} where its package cannot be had.
 */
export async function startVictoriaMetrics(): Promise<VictoriaMetrics> {
  if (os.platform() !== 'linux') throw new NoVictoriaMetrics('this machine is no Debian')
  const program = await unpack(archiveOf())
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const child = spawn(
    program,
    [
      `-httpListenAddr=127.0.0.1:${port}`,
      `-storageDataPath=${newFolder('victoria-metrics')}`,
      '-search.latencyOffset=0s',
      '-search.disableCache',
      '-memory.allowedBytes=64MB',
    ],
    { stdio: 'ignore' },
  )
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const stopAtExit = () => child.kill('SIGKILL')
  process.once('exit', stopAtExit)
  const ask = async (where: string) => {
    await fetch(`${address}/internal/force_flush`)
    return (await fetch(`${address}${where}`)).text()
  }
  await until('VictoriaMetrics to be up', () => {
    if (child.exitCode !== null || child.pid === undefined)
      throw new NoVictoriaMetrics('it does not run here')
    return fetch(`${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return {
    endpoint: `${address}/opentelemetry`,
    async series(beginning) {
      const match = encodeURIComponent(`{__name__=~"${beginning.replaceAll('.', '[.]')}.*"}`)
      const lines = (await ask(`/api/v1/export?match[]=${match}`)).split('\n').filter((line) => line !== '')
      return lines.map((line) => JSON.parse(line) as Series)
    },
    async query(query) {
      const answer = JSON.parse(await ask(`/api/v1/query?query=${encodeURIComponent(query)}`)) as {
        data: { result: { value: [number, string] }[] }
      }
      return answer.data.result.map(({ value: [, value] }) => Number(value))
    },
    async stop() {
      process.off('exit', stopAtExit)
      child.kill('SIGTERM')
      await ended
    },
  }
}
