import {
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { Objm } from '@nats-io/obj'
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { asDown, answerMs, LinkDownError } from './connection.ts'
import { linkNames, type LinkNames } from './link-names.ts'

/** How long the servers know a message again by its id, in milliseconds; beyond it the files decide. */
export const windowMs = 120_000
/** A site whose link did not speak for so long is not there, in milliseconds. */
export const absentMs = 30_000
/** Most bytes of messages: then the servers refuse, and nothing that was acknowledged goes. */
const mostBytes = 8 * 1024 ** 3
/** The servers set all of it aside: where their disks have less, the stream gets less, but no less than this. */
const leastBytes = mostBytes / 128

/** What servers answer that are not as many. */
const noPeers = new Set([10_005, 10_027, 10_074])
/** What servers answer that have not so many bytes, alone and as a cluster. */
const noRoom = new Set([10_047, 10_023])

/** How the stream must be for what is promised. */
export function streamOf(federation: string, replicas: number): Partial<StreamConfig> & { name: string } {
  const { stream, subjects } = linkNames(federation)
  return {
    name: stream,
    subjects: [subjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // by default the oldest go where it is full, also acknowledged ones
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    max_bytes: mostBytes,
    duplicate_window: nanos(windowMs),
    allow_direct: true,
    deny_delete: true,
  }
}

/**
 * Makes at the servers what a federation needs, and mends what is there as far as the servers let it.
 * @param asked on so many nodes each message is kept: three survive the loss of one. Where it is left out, what is there
 * stays as it is.
 * @returns what became of the nodes, in words, where something is there that is to be on others than it is.
 * @throws {LinkDownError} also where fewer nodes run for what is made anew: it does not make do with less.
 */
export async function setUp(
  connection: NatsConnection,
  federation: string,
  asked?: number,
): Promise<string | undefined> {
  const names = linkNames(federation)
  const replicas = asked ?? (connection.info?.cluster === undefined ? 1 : 3)
  const settings = { replicas, storage: StorageType.File }
  try {
    const manager = await jetstreamManager(connection, { timeout: answerMs })
    const present = await manager.streams.info(names.stream).catch(() => undefined)
    if (present === undefined) await addStream(manager, streamOf(federation, replicas))
    await new Kvm(connection).create(names.sites, { ...settings, ttl: absentMs, history: 1 })
    await forbidRollUps(manager, `KV_${names.sites}`)
    await new Objm(connection).create(names.files, settings)
    const before = present?.config.num_replicas
    if (asked === undefined || before === undefined || before === asked) return undefined
    // one that is alone takes any number, and keeps each message once
    if (connection.info?.cluster === undefined && asked > 1)
      return `--replicas ${asked} does nothing: the server is alone, and a cluster is made of three`
    return await spread(manager, names, { before, asked })
  } catch (error) {
    if (error instanceof JetStreamApiError && noPeers.has(error.code))
      throw new LinkDownError(
        `the servers have no ${replicas} nodes for it now: start them, or 'fed link up --replicas 1'`,
        { cause: error },
      )
    throw asDown(error)
  }
}

/** With a roll-up a site could take the others off the list of those that are there. */
async function forbidRollUps(manager: JetStreamManager, bucket: string): Promise<void> {
  const { config } = await manager.streams.info(bucket)
  if (config.allow_rollup_hdrs) await manager.streams.update(bucket, { allow_rollup_hdrs: false })
}

/** Keeps what is there on other nodes than before; a link goes on without it. */
async function spread(
  manager: JetStreamManager,
  { stream, sites, files }: LinkNames,
  { before, asked }: { readonly before: number; readonly asked: number },
): Promise<string> {
  try {
    for (const one of [stream, `KV_${sites}`, `OBJ_${files}`])
      await manager.streams.update(one, { num_replicas: asked })
    return `each message is kept on ${asked} nodes from now on, before on ${before}`
  } catch (error) {
    return `each message stays on as many nodes as before (${before}), and --replicas ${asked} does nothing: ${(error as Error).message}`
  }
}

async function addStream(
  manager: JetStreamManager,
  stream: ReturnType<typeof streamOf>,
  bytes = mostBytes,
): Promise<void> {
  try {
    await manager.streams.add({ ...stream, max_bytes: bytes })
  } catch (error) {
    const isTooLarge = error instanceof JetStreamApiError && noRoom.has(error.code)
    if (!isTooLarge || bytes <= leastBytes) throw error
    await addStream(manager, stream, bytes / 4)
  }
}
