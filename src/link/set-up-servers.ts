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
import { linkNames } from './link-names.ts'

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
 * Makes at the servers what a federation needs; harmless where it is there.
 * @param replicas on so many nodes each message is kept: three survive the loss of one.
 * @throws {LinkDownError} also where fewer nodes run: it does not make do with less.
 */
export async function setUp(
  connection: NatsConnection,
  federation: string,
  replicas = connection.info?.cluster === undefined ? 1 : 3,
): Promise<void> {
  const names = linkNames(federation)
  try {
    const manager = await jetstreamManager(connection, { timeout: answerMs })
    const isThere = await manager.streams.info(names.stream).then(
      () => true,
      () => false,
    )
    if (!isThere) await addStream(manager, streamOf(federation, replicas))
    await new Kvm(connection).create(names.sites, {
      ttl: absentMs,
      history: 1,
      replicas,
      storage: StorageType.File,
    })
    await new Objm(connection).create(names.files, { replicas, storage: StorageType.File })
  } catch (error) {
    if (error instanceof JetStreamApiError && noPeers.has(error.code))
      throw new LinkDownError(
        `the servers have no ${replicas} nodes for it now: start them, or 'fed link up --replicas 1'`,
        { cause: error },
      )
    throw asDown(error)
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
