import { statSync } from 'node:fs'
import path from 'node:path'
import {
  DiscardPolicy,
  jetstreamManager,
  StorageType,
  type StreamConfig,
  type StreamInfo,
  type StreamState,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { presentMs } from '../protocol/clock.ts'
import type { SiteRecord } from '../records/sites/site-record.ts'
import { asDown, connectTo, LinkDownError, openLink } from './connection.ts'
import { sitesThere, type SeenSite } from './presence.ts'
import { streamOf, windowMs } from './set-up-servers.ts'

/** What the doctor of the link found. */
export interface LinkFinding {
  readonly state: 'good' | 'note' | 'wrong'
  readonly what: string
  readonly words: string
  readonly advice?: string
}

/** Oldest server that was tried. */
const oldest = [2, 9] as const
/** Clocks that differ by more make times of different sites hard to compare, in milliseconds. */
const mostSkewMs = 30_000
/** A stream that is fuller is told of. */
const fullShare = 0.8
/** Whoever asks waits so long at most, in milliseconds. */
const longestMs = 6000

type Say = (state: LinkFinding['state'], what: string, words: string, advice?: string) => void

/** Checks the servers' setup, within a few seconds; what cannot be asked is a finding, too. */
export async function examineLink(root: string, record: SiteRecord): Promise<LinkFinding[]> {
  const findings: LinkFinding[] = []
  const say: Say = (state, what, words, advice) =>
    void findings.push({ state, what, words, ...(advice !== undefined && { advice }) })
  let connection: NatsConnection | undefined
  try {
    sayOfKey(root, record, say)
    connection = await connectTo(root, record, { longestMs: longestMs / 2 })
    await within(longestMs / 2, examine(connection, record, say))
  } catch (error) {
    sayWhyNot(error, record, say)
  } finally {
    await connection?.close().catch(() => {})
  }
  return findings
}

async function examine(connection: NatsConnection, record: SiteRecord, say: Say): Promise<void> {
  sayOfServer(connection, record, say)
  const manager = await jetstreamManager(connection, { timeout: longestMs })
  const link = await openLink(record, connection)
  const { config, state, cluster } = await manager.streams.info(link.names.stream)
  sayOfNodes(config, cluster, say)
  sayOfStream(config, streamOf(record.federation, 3), say)
  sayOfRoom(config, state, say)
  for (const site of await sitesThere(link)) sayOfClock(site, say)
  const rtt = await connection.rtt()
  say('good', 'way', `${rtt} ms there and back, by this clock at ${new Date(presentMs()).toISOString()}`)
}

function sayOfKey(root: string, { credentials }: SiteRecord, say: Say): void {
  if (credentials === undefined)
    return say(
      'note',
      'credentials',
      'none: every site may publish as any other',
      "'fed link credentials' makes them",
    )
  const loose = whoReads(path.resolve(root, credentials))
  say('good', 'credentials', 'by nkey')
  if (loose !== undefined)
    say(
      'wrong',
      'seed',
      `${credentials} can be read by others on this machine (${loose})`,
      `chmod 600 ${credentials}`,
    )
}

function sayOfServer(connection: NatsConnection, { servers }: SiteRecord, say: Say): void {
  const { version = '', tls_required: isEncrypted } = connection.info ?? {}
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1])
  say(
    isOld ? 'wrong' : 'good',
    'server',
    `nats-server ${version} at ${connection.getServer()}`,
    isOld ? `${oldest.join('.')} is the oldest that was tried` : undefined,
  )
  const isSafe = isEncrypted === true || servers.every(isLocal)
  say(
    isSafe ? 'good' : 'note',
    'transport',
    isEncrypted ? 'TLS' : 'not encrypted',
    isSafe ? undefined : 'use tls:// between machines',
  )
}

function sayOfNodes(
  { num_replicas: replicas }: StreamConfig,
  cluster: StreamInfo['cluster'],
  say: Say,
): void {
  if (replicas >= 3) say('good', 'replicas', `each message is on ${replicas} nodes before it is acknowledged`)
  else
    say(
      'note',
      'replicas',
      `each message is on ${replicas === 1 ? 'one node' : '2 nodes'}: a node writes to its disk every two minutes by itself, and a power cut takes what was acknowledged since`,
      'three nodes keep it, or sync_interval: always on one',
    )
  if (replicas === 1) return
  const current = (cluster?.replicas ?? []).filter(({ current: is, offline }) => is && !offline).length
  const isWhole = current + 1 >= replicas
  say(
    isWhole ? 'good' : 'wrong',
    'nodes',
    `${current + 1} of ${replicas} have everything; leader ${cluster?.leader ?? 'none'}`,
    isWhole ? undefined : 'start the nodes that are down, or wait until they have caught up',
  )
}

function sayOfStream(config: StreamConfig, wanted: Partial<StreamConfig>, say: Say): void {
  const edit = `nats stream edit ${config.name}`
  const check = (isGood: boolean, what: string, good: string, wrong: string, advice: string) =>
    isGood ? say('good', what, good) : say('wrong', what, wrong, advice)
  check(
    config.storage === StorageType.File,
    'storage',
    'on disk',
    'in memory: a restart loses everything',
    `make the stream anew: when nothing waits, 'nats stream rm ${config.name}', and 'fed link up' at the site of meta`,
  )
  check(
    config.discard === DiscardPolicy.New,
    'full stream',
    'refuses, and nothing acknowledged goes',
    'drops the oldest, also acknowledged ones',
    `${edit} --discard new`,
  )
  const limits = [
    ...(config.max_age > 0 ? [`older than ${ageOf(config.max_age)}`] : []),
    ...(config.max_msgs > 0 ? [`beyond ${config.max_msgs} messages`] : []),
    ...(config.max_msgs_per_subject > 0 ? [`beyond ${config.max_msgs_per_subject} of each subject`] : []),
  ]
  check(
    limits.length === 0,
    'limits',
    'no message goes by itself',
    `messages ${limits.join(', or ')} go, also such that nobody read`,
    `${edit} --max-age 0 --max-msgs=-1 --max-msgs-per-subject=-1`,
  )
  const window = Number(config.duplicate_window) / 1_000_000
  const seconds = `known for ${Math.round(window / 1000)} s; after that by the files`
  if (window >= windowMs) say('good', 'duplicates', seconds)
  else say('note', 'duplicates', seconds, `${edit} --dupe-window ${windowMs / 1000}s`)
  const subjects = wanted.subjects?.join() ?? ''
  check(
    config.subjects.join() === subjects,
    'subjects',
    subjects,
    config.subjects.join(', '),
    `they must be ${subjects}: ${edit} --subjects '${subjects}'`,
  )
}

function sayOfRoom(
  { name, max_bytes: most }: StreamConfig,
  { bytes, messages }: StreamState,
  say: Say,
): void {
  if (most <= 0) return say('good', 'room', `${inWords(bytes)}, ${messages} messages, no limit`)
  const share = bytes / most
  const words = `${inWords(bytes)} of ${inWords(most)} (${Math.round(share * 100)} %), ${messages} messages`
  if (share <= fullShare) return say('good', 'room', words)
  say(
    'note',
    'room',
    `${words}; when it is full no site can send`,
    `nats stream edit ${name} --max-bytes ${2 * most}`,
  )
}

function sayOfClock({ site, clock, heard }: SeenSite, say: Say): void {
  const ahead = clock - heard
  if (Math.abs(ahead) > mostSkewMs)
    say(
      'note',
      'clock',
      `the clock of ${site} is ${ageOf(Math.abs(ahead) * 1_000_000)} ${ahead > 0 ? 'ahead of' : 'behind'} the servers': times are shown as each site wrote them`,
      'set it by NTP',
    )
}

function sayWhyNot(error: unknown, { servers, meta }: SiteRecord, say: Say): void {
  const why = asDown(error).message
  const at = servers.join(', ')
  if (/jetstream is not enabled|no responders/i.test(why))
    return say(
      'wrong',
      'link',
      `the server at ${at} runs without JetStream, which keeps the messages`,
      'nats-server -js -sd <folder>',
    )
  if (/timeout|timed out/i.test(why))
    return say(
      'wrong',
      'link',
      `${at} takes connections, but does not answer: of several nodes more than half may be down`,
      'start them; two of three must run',
    )
  if (/no server answers/.test(why))
    return say(
      'wrong',
      'link',
      why.replace(/; 'fed link doctor'.*$/, ''),
      "is the server running, and are name and port right? 'fed link up --servers' gives others",
    )
  const isMissing = /keep nothing/.test(why)
  say('wrong', 'link', why, isMissing && meta === undefined ? 'name that site with --meta' : undefined)
}

/** @throws {LinkDownError} where it takes longer. */
async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new LinkDownError('timeout')), milliseconds)
  })
  // what comes later is of no concern
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function inWords(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.round(bytes / 1024)} KiB` : `${Math.round(bytes / 1_048_576)} MiB`
}

function ageOf(nanoseconds: number): string {
  const seconds = Math.round(nanoseconds / 1e9)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** The permissions of a file that others than its owner may read, as `chmod` takes them; undefined where none may. */
function whoReads(file: string): string | undefined {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  return (mode & 0o077) === 0 ? undefined : `its mode is ${(mode & 0o777).toString(8)}`
}

function isLocal(server: string): boolean {
  return /^nats:\/\/(?:127\.|localhost|\[::1\])/.test(server)
}
