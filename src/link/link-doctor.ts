import { statSync } from 'node:fs'
import path from 'node:path'
import {
  DiscardPolicy,
  jetstreamManager,
  StorageType,
  type StreamConfig,
  type StreamInfo,
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

/** Clocks that differ by more make times of different sites hard to compare, in milliseconds. */
const mostSkewMs = 30_000
/** A stream that is fuller is told of. */
const fullShare = 0.8
/** Whoever asks waits so long at most, in milliseconds. */
const longestMs = 6000

const good = (what: string, words: string): LinkFinding => ({ state: 'good', what, words })

/** A finding that is good, or, where it is not, how bad, with other words and what to do. */
function check(
  isGood: boolean,
  what: string,
  words: string,
  [state, otherwise, advice]: readonly ['note' | 'wrong', string, string],
): LinkFinding {
  return isGood ? good(what, words) : { state, what, words: otherwise, advice }
}

/** Checks the servers' setup, within a few seconds; what cannot be asked is a finding, too. */
export async function examineLink(root: string, record: SiteRecord): Promise<LinkFinding[]> {
  const findings = findingsOfKey(root, record)
  let connection: NatsConnection | undefined
  try {
    connection = await connectTo(root, record, { longestMs: longestMs / 2 })
    findings.push(...(await within(longestMs / 2, examine(connection, record))))
  } catch (error) {
    findings.push(whyNot(error, record))
  } finally {
    await connection?.close().catch(() => {})
  }
  return findings
}

async function examine(connection: NatsConnection, record: SiteRecord): Promise<LinkFinding[]> {
  const manager = await jetstreamManager(connection, { timeout: longestMs })
  const link = await openLink(record, connection)
  const info = await manager.streams.info(link.names.stream)
  const bucket = await manager.streams.info(`KV_${link.names.sites}`)
  const there = await sitesThere(link)
  const rtt = await connection.rtt()
  return [
    ...findingsOfServer(connection, record),
    ...findingsOfNodes(info, connection),
    ...findingsOfStream(info, streamOf(record.federation, 3)),
    ...findingsOfRollUps(bucket.config, record),
    ...there.flatMap(findingOfClock),
    good('way', `${rtt} ms there and back, by this clock at ${new Date(presentMs()).toISOString()}`),
  ]
}

function findingsOfKey(root: string, { credentials }: SiteRecord): LinkFinding[] {
  const absent = [
    'note',
    'none: every site may publish as any other',
    "'fed link credentials' makes them",
  ] as const
  if (credentials === undefined) return [check(false, 'credentials', '', absent)]
  const mode = statSync(path.resolve(root, credentials), { throwIfNoEntry: false })?.mode ?? 0
  const words = `${credentials} can be read by others on this machine (its mode is ${(mode & 0o777).toString(8)})`
  return [
    good('credentials', 'by nkey'),
    check((mode & 0o077) === 0, 'seed', 'read by nobody else', ['wrong', words, `chmod 600 ${credentials}`]),
  ]
}

/** Whether a server is of this version, or a later one. */
function isSince(connection: NatsConnection, wanted: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = (connection.info?.version ?? '').split('.').map(Number)
  return major > wanted[0] || (major === wanted[0] && minor >= wanted[1])
}

function findingsOfServer(connection: NatsConnection, { servers }: SiteRecord): LinkFinding[] {
  const { version = '', tls_required: isEncrypted } = connection.info ?? {}
  const server = `nats-server ${version} at ${connection.getServer()}`
  const isLocal = servers.every((one) => /^nats:\/\/(?:127\.|localhost|\[::1\])/.test(one))
  return [
    check(isSince(connection, [2, 9]), 'server', server, [
      'wrong',
      server,
      '2.9 is the oldest that was tried',
    ]),
    check(isEncrypted === true || isLocal, 'transport', isEncrypted ? 'TLS' : 'not encrypted', [
      'note',
      'not encrypted',
      'use tls:// between machines',
    ]),
  ]
}

function findingsOfNodes({ config, cluster }: StreamInfo, connection: NatsConnection): LinkFinding[] {
  // a server that is alone takes any number, and keeps each message once
  const replicas = connection.info?.cluster === undefined ? 1 : config.num_replicas
  const always = isSince(connection, [2, 10])
    ? 'or sync_interval: always on one'
    : 'or on one sync_interval: always, which a server knows from 2.10 on'
  const few = `each message is on ${replicas === 1 ? 'one node' : '2 nodes'}: a node writes to its disk every two minutes by itself, and a power cut takes what was acknowledged since`
  const current = (cluster?.replicas ?? []).filter(({ current: is, offline }) => is && !offline).length + 1
  const words = `${current} of ${replicas} have everything; leader ${cluster?.leader ?? 'none'}`
  const late = 'start the nodes that are down, or wait until they have caught up'
  const many = `each message is on ${replicas} nodes before it is acknowledged`
  return [
    check(replicas >= 3, 'replicas', many, ['note', few, `three nodes keep it, ${always}`]),
    ...(replicas === 1 ? [] : [check(current >= replicas, 'nodes', words, ['wrong', words, late])]),
  ]
}

function findingsOfStream(
  { config, state: { bytes, messages } }: StreamInfo,
  wanted: Partial<StreamConfig>,
): LinkFinding[] {
  const { name, max_age: age, max_msgs: most, max_msgs_per_subject: mostOfSubject, max_bytes: room } = config
  const edit = `nats stream edit ${name}`
  const anew = `make the stream anew: when nothing waits, 'nats stream rm ${name}', and 'fed link up' at the site of meta`
  const limits = [
    ...(age > 0 ? [`older than ${ageOf(age)}`] : []),
    ...(most > 0 ? [`beyond ${most} messages`] : []),
    ...(mostOfSubject > 0 ? [`beyond ${mostOfSubject} of each subject`] : []),
  ]
  const window = Number(config.duplicate_window) / 1_000_000
  const known = `known for ${Math.round(window / 1000)} s; after that by the files`
  const [subjects, needed] = [config.subjects.join(', '), wanted.subjects?.join(', ') ?? '']
  const share = bytes / room
  const used = `${inWords(bytes)} of ${inWords(room)} (${Math.round(share * 100)} %), ${messages} messages`
  return [
    check(config.storage === StorageType.File, 'storage', 'on disk', [
      'wrong',
      'in memory: a restart loses everything',
      anew,
    ]),
    check(config.discard === DiscardPolicy.New, 'full stream', 'refuses, and nothing acknowledged goes', [
      'wrong',
      'drops the oldest, also acknowledged ones',
      `${edit} --discard new`,
    ]),
    check(limits.length === 0, 'limits', 'no message goes by itself', [
      'wrong',
      `messages ${limits.join(', or ')} go, also such that nobody read`,
      `${edit} --max-age 0 --max-msgs=-1 --max-msgs-per-subject=-1`,
    ]),
    check(window >= windowMs, 'duplicates', known, [
      'note',
      known,
      `${edit} --dupe-window ${windowMs / 1000}s`,
    ]),
    check(subjects === needed, 'subjects', subjects, [
      'wrong',
      subjects,
      `they must be ${needed}: ${edit} --subjects '${needed}'`,
    ]),
    room <= 0
      ? good('room', `${inWords(bytes)}, ${messages} messages, no limit`)
      : check(share <= fullShare, 'room', used, [
          'note',
          `${used}; when it is full no site can send`,
          `${edit} --max-bytes ${2 * room}`,
        ]),
  ]
}

/** What a key cannot forbid: a message may ask the servers to remove those before it. */
function findingsOfRollUps(
  { allow_rollup_hdrs: isAllowed }: StreamConfig,
  { credentials }: SiteRecord,
): LinkFinding[] {
  const sites = 'any site can take the others off the list of those that are there'
  const files =
    'of the sites the servers take none; of files (documents, logs, what a team takes along) they take them from any site that has a key'
  return [
    check(isAllowed !== true, 'roll-ups', files, [
      credentials === undefined ? 'note' : 'wrong',
      sites,
      "'fed link up' at the site of meta forbids it",
    ]),
  ]
}

function findingOfClock({ site, clock, heard }: SeenSite): LinkFinding[] {
  const aheadMs = clock - heard
  if (Math.abs(aheadMs) <= mostSkewMs) return []
  const how = `${ageOf(Math.abs(aheadMs) * 1_000_000)} ${aheadMs > 0 ? 'ahead of' : 'behind'} the servers'`
  const words = `the clock of ${site} is ${how}: times are shown as each site wrote them`
  return [{ state: 'note', what: 'clock', words, advice: 'set it by NTP' }]
}

function whyNot(error: unknown, { servers, meta }: SiteRecord): LinkFinding {
  const why = asDown(error).message
  const at = servers.join(', ')
  const wrong = (words: string, advice?: string): LinkFinding => ({
    ...{ state: 'wrong', what: 'link', words },
    ...(advice !== undefined && { advice }),
  })
  if (/jetstream is not enabled|no responders/i.test(why))
    return wrong(
      `the server at ${at} runs without JetStream, which keeps the messages`,
      'nats-server -js -sd <folder>',
    )
  if (/timeout|timed out/i.test(why))
    return wrong(
      `${at} takes connections, but does not answer: of several nodes more than half may be down`,
      'start them; two of three must run',
    )
  if (/no server answers/.test(why))
    return wrong(
      why.replace(/; 'fed link doctor'.*$/, ''),
      "is the server running, and are name and port right? 'fed link up --servers' gives others",
    )
  return wrong(why, /keep nothing/.test(why) && meta === undefined ? 'name that site with --meta' : undefined)
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
