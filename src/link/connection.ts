import { readFileSync } from 'node:fs'
import path from 'node:path'
import {
  jetstream,
  jetstreamManager,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream'
import { Kvm, type KV } from '@nats-io/kv'
import { Objm, type ObjectStore } from '@nats-io/obj'
import { connect, nkeyAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import { FedError, RefusedError } from '../errors/fed-error.ts'
import type { SiteRecord } from '../records/sites/site-record.ts'
import { linkNames, type LinkNames } from './link-names.ts'

/** The servers do not answer, or not as they should: whoever waits for them tries again. */
export class LinkDownError extends FedError {
  override readonly exitCode = 4
}

/** What the servers keep for one federation, opened. */
export interface Link {
  readonly record: SiteRecord
  readonly names: LinkNames
  readonly connection: NatsConnection
  readonly js: JetStreamClient
  readonly manager: JetStreamManager
  readonly sites: KV
  readonly files: ObjectStore
  /** Largest message in bytes. */
  readonly largest: number
}

/** How long an answer may take, in milliseconds: a leader that died is replaced within five seconds. */
export const answerMs = 10_000

/** How long a connection to one server may take, in milliseconds. */
const connectMs = 5000

/**
 * Connects to the servers, one after the other until one answers, within so many milliseconds.
 * @param root of the federation, from which the credentials' file is seen.
 * @throws {LinkDownError} where none answers; {RefusedError} where they refuse this site.
 */
export async function connectTo(
  root: string,
  record: Pick<SiteRecord, 'servers' | 'credentials' | 'ca' | 'site'>,
  { longestMs = connectMs * record.servers.length }: { readonly longestMs?: number } = {},
): Promise<NatsConnection> {
  const { servers, credentials, ca, site } = record
  try {
    return await connect({
      servers,
      name: `fed ${site}`,
      inboxPrefix: inboxOf(site),
      timeout: Math.ceil(longestMs / servers.length),
      // a node that is cut off says nothing: by default it would be left after four minutes
      pingInterval: 5000,
      maxPingOut: 2,
      reconnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      ignoreAuthErrorAbort: false,
      ...(credentials === undefined
        ? {}
        : { authenticator: nkeyAuthenticator(seedIn(path.resolve(root, credentials))) }),
      ...tlsOf(root, servers, ca),
    })
  } catch (error) {
    if (error instanceof FedError) throw error
    const why = error instanceof Error ? error.message : String(error)
    if (/authorization|authentication/i.test(why))
      throw new RefusedError(
        `the servers refuse site ${site}: ${why}; 'fed link credentials' makes what they ask for`,
      )
    const at = servers.join(', ')
    if (/certificate|self.signed|tls/i.test(why))
      throw new LinkDownError(
        `no safe way to ${at}: ${why}; 'fed link up --ca <file>' names the authority of the servers' certificates`,
        { cause: error },
      )
    throw new LinkDownError(`no server answers at ${at} (${why}); 'fed link doctor' says more`, {
      cause: error,
    })
  }
}

/** By itself the client goes on in clear where a server offers nothing else, whatever its address says. */
function tlsOf(root: string, servers: readonly string[], ca: string | undefined) {
  if (ca !== undefined) return { tls: { caFile: path.resolve(root, ca) } }
  return servers.some((server) => server.startsWith('tls:')) ? { tls: {} } : {}
}

/** Where a site gets its answers: nobody else may listen there. */
export function inboxOf(site: string): string {
  return `_INBOX_${site}`
}

function seedIn(file: string): Uint8Array {
  try {
    const text = readFileSync(file, 'utf8')
    const seed = /^S[UA][A-Z2-7]{40,}$/m.exec(text)?.[0]
    if (seed === undefined) throw new RefusedError(`${file} holds no seed of an nkey`)
    return new TextEncoder().encode(seed)
  } catch (error) {
    if (error instanceof FedError) throw error
    throw new RefusedError(`the credentials cannot be read: ${(error as Error).message}`)
  }
}

/**
 * Opens what the servers keep for the federation.
 * @throws {LinkDownError} where it is not there: `setUp` makes it.
 */
export async function openLink(record: SiteRecord, connection: NatsConnection): Promise<Link> {
  const names = linkNames(record.federation)
  try {
    const manager = await jetstreamManager(connection, { timeout: answerMs })
    await manager.streams.info(names.stream)
    return {
      record,
      names,
      connection,
      js: jetstream(connection, { timeout: answerMs }),
      manager,
      sites: await new Kvm(connection).open(names.sites),
      files: await new Objm(connection).open(names.files),
      largest: connection.info?.max_payload ?? 1_048_576,
    }
  } catch (error) {
    if (isNotThere(error))
      throw new LinkDownError(
        `the servers keep nothing for the federation ${record.federation}: 'fed link up' at ${record.meta ?? 'the site of meta'} makes it`,
      )
    throw asDown(error)
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === 10059
}

/** Whether a publish was refused because another one came before it. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === 10071
}

/** What the servers' fault means for whoever waits. */
export function asDown(error: unknown): FedError {
  if (error instanceof FedError) return error
  const why = error instanceof Error ? error.message : String(error)
  return new LinkDownError(`the servers did not do it: ${why}; what waits is sent when they do`, {
    cause: error,
  })
}
