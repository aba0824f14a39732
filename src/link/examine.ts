import { statSync } from 'node:fs'
import path from 'node:path'
import { DiscardPolicy, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { presentMs } from '../protocol/clock.ts'
import type { SiteRecord } from '../records/sites/site-record.ts'
import { answerMs, asDown, connectTo, openLink } from './connection.ts'
import { sitesThere } from './presence.ts'
import { streamOf, windowMs } from './set-up.ts'

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

/** Checks the servers' setup; what cannot be asked is a finding, too. */
export async function examineLink(root: string, record: SiteRecord): Promise<LinkFinding[]> {
  const findings: LinkFinding[] = []
  const say = (state: LinkFinding['state'], what: string, words: string, advice?: string) =>
    void findings.push({ state, what, words, ...(advice !== undefined && { advice }) })
  try {
    const connection = await connectTo(root, record)
    try {
      const { info } = connection
      const version = info?.version ?? ''
      const [major = 0, minor = 0] = version.split('.').map(Number)
      const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1])
      say(
        isOld ? 'wrong' : 'good',
        'server',
        `nats-server ${version} at ${connection.getServer()}`,
        isOld ? `${oldest.join('.')} is the oldest that was tried` : undefined,
      )
      const isSafe = info?.tls_required === true || record.servers.every(isLocal)
      say(
        isSafe ? 'good' : 'note',
        'transport',
        info?.tls_required ? 'TLS' : 'not encrypted',
        isSafe ? undefined : 'use tls:// between machines',
      )
      const hasKey = record.credentials !== undefined
      say(
        hasKey ? 'good' : 'note',
        'credentials',
        hasKey ? 'by nkey' : 'none: every site may publish as any other',
        hasKey ? undefined : "'fed link credentials' makes them",
      )
      const loose =
        record.credentials === undefined ? undefined : whoReads(path.resolve(root, record.credentials))
      if (loose !== undefined)
        say(
          'wrong',
          'seed',
          `${record.credentials} can be read by others on this machine (${loose})`,
          `chmod 600 ${record.credentials}`,
        )
      const manager = await jetstreamManager(connection, { timeout: answerMs })
      const link = await openLink(record, connection)
      const { config, state, cluster } = await manager.streams.info(link.names.stream)
      const wanted = streamOf(record.federation, 3)
      const { num_replicas: replicas } = config
      if (replicas >= 3)
        say('good', 'replicas', `each message is on ${replicas} nodes before it is acknowledged`)
      else
        say(
          'note',
          'replicas',
          `each message is on ${replicas === 1 ? 'one node' : '2 nodes'}: a node writes to its disk every two minutes by itself, and a power cut takes what was acknowledged since`,
          'three nodes keep it, or sync_interval: always on one',
        )
      const current = (cluster?.replicas ?? []).filter(({ current: is, offline }) => is && !offline).length
      if (replicas > 1)
        say(
          current + 1 >= replicas ? 'good' : 'wrong',
          'nodes',
          `${current + 1} of ${replicas} have everything; leader ${cluster?.leader ?? 'none'}`,
        )
      say(
        config.storage === StorageType.File ? 'good' : 'wrong',
        'storage',
        config.storage === StorageType.File ? 'on disk' : 'in memory: a restart loses everything',
      )
      say(
        config.discard === DiscardPolicy.New ? 'good' : 'wrong',
        'full stream',
        config.discard === DiscardPolicy.New
          ? 'refuses, and nothing acknowledged goes'
          : 'drops the oldest, also acknowledged ones',
        config.discard === DiscardPolicy.New ? undefined : 'discard: new',
      )
      const share = config.max_bytes > 0 ? state.bytes / config.max_bytes : 0
      say(
        share > 0.8 ? 'note' : 'good',
        'room',
        `${Math.round(state.bytes / 1_048_576)} MiB of ${config.max_bytes > 0 ? `${Math.round(config.max_bytes / 1_048_576)} MiB` : 'no limit'}, ${state.messages} messages`,
      )
      const isLimited = config.max_age > 0 || config.max_msgs > 0 || config.max_msgs_per_subject > 0
      say(
        isLimited ? 'wrong' : 'good',
        'limits',
        isLimited ? 'messages go by age or number, also such that nobody read' : 'no message goes by itself',
      )
      const window = Number(config.duplicate_window) / 1_000_000
      say(
        window < windowMs ? 'note' : 'good',
        'duplicates',
        `known for ${Math.round(window / 1000)} s; after that by the files`,
      )
      if (config.subjects.join() !== wanted.subjects?.join())
        say('wrong', 'subjects', config.subjects.join(', '), `they must be ${wanted.subjects?.join(', ')}`)
      for (const site of await sitesThere(link)) {
        const skew = Math.abs(site.clock - site.heard)
        if (skew > mostSkewMs)
          say(
            'note',
            'clock',
            `the clock of ${site.site} differs from the servers' by ${Math.round(skew / 1000)} s: times are shown as each site wrote them`,
          )
      }
      const rtt = await connection.rtt()
      say('good', 'way', `${rtt} ms there and back, by this clock at ${new Date(presentMs()).toISOString()}`)
    } finally {
      await connection.close()
    }
  } catch (error) {
    say('wrong', 'link', asDown(error).message)
  }
  return findings
}

/** The permissions of a file that others than its owner may read, as `chmod` takes them; undefined where none may. */
function whoReads(file: string): string | undefined {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
  return (mode & 0o077) === 0 ? undefined : `its mode is ${(mode & 0o777).toString(8)}`
}

function isLocal(server: string): boolean {
  return /^nats:\/\/(?:127\.|localhost|\[::1\])/.test(server)
}
