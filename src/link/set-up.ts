import {
  DiscardPolicy,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { Objm } from '@nats-io/obj'
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import { asDown, answerMs } from './connection.ts'
import { linkNames } from './names.ts'

/** How long the servers know a message again by its id, in milliseconds; beyond it the files decide. */
export const windowMs = 120_000
/** A site whose link did not speak for so long is not there, in milliseconds. */
export const absentMs = 30_000
/** Most bytes of messages: then the servers refuse, and nothing that was acknowledged goes. */
const mostBytes = 8 * 1024 ** 3

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
 * @throws {LinkDownError}
 */
export async function setUp(connection: NatsConnection, federation: string, replicas: number): Promise<void> {
  const names = linkNames(federation)
  try {
    const manager = await jetstreamManager(connection, { timeout: answerMs })
    const isThere = await manager.streams.info(names.stream).then(
      () => true,
      () => false,
    )
    if (!isThere) await manager.streams.add(streamOf(federation, replicas))
    await new Kvm(connection).create(names.sites, {
      ttl: absentMs,
      history: 1,
      replicas,
      storage: StorageType.File,
    })
    await new Objm(connection).create(names.files, { replicas, storage: StorageType.File })
  } catch (error) {
    throw asDown(error)
  }
}
