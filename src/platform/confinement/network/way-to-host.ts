import { lookup, type LookupAddress } from 'node:dns'
import { request as httpRequest, type ClientRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { getProxyForUrl } from 'proxy-from-env'
import { FedError } from '../../../errors/fed-error.ts'
import { unless } from '../../../errors/unless.ts'
import { isPublicAddress } from './public-address.ts'
import { hostText, type Destination } from './request-target.ts'

const addressesOf = promisify(lookup)

/** Longest time until a connection stands, in milliseconds. */
const connectMs = 30_000

/** An address that may not be reached, for the host that has it. */
export class PrivateAddressError extends FedError {
  constructor({ host }: Destination, address: string) {
    super(`${host} is ${address}, which is no public address`)
  }
}

/** A way to a host: its addresses, looked up once and looked at, or the person's own proxy, which looks up names itself. */
export type Way =
  | { readonly lookup: LookupFunction; readonly proxy?: undefined }
  | { readonly proxy: URL; readonly lookup?: undefined }

/**
 * The way to a host.
 * @param mayBePrivate whether it may be a host that only this machine or its networks reach.
 * @throws {PrivateAddressError}; what looking up a name throws.
 */
export async function wayTo(to: Destination, mayBePrivate: boolean): Promise<Way> {
  const host = to.host.replace(/^\[(.*)\]$/, '$1')
  const proxy = getProxyForUrl(`${to.port === 80 ? 'http' : 'https'}://${hostText(to)}`)
  // a loopback interface is this machine's own
  const isChained = /^https?:\/\//.test(proxy) && !/(?:^|\.)localhost$/.test(host)
  const family = isIP(host)
  if (isChained && family === 0) return { proxy: new URL(proxy) }
  const addresses: LookupAddress[] =
    family === 0 ? await addressesOf(host, { all: true }) : [{ address: host, family }]
  const inside = addresses.find(({ address }) => !isPublicAddress(address))
  if (inside !== undefined && !mayBePrivate) throw new PrivateAddressError(to, inside.address)
  if (isChained && inside === undefined) return { proxy: new URL(proxy) }
  // what was looked at is what is connected to, whatever the name means by then
  const [first] = addresses
  if (first === undefined) throw new FedError(`${host} has no address`)
  return {
    lookup: (_, { all }, done) =>
      all === true ? done(null, addresses) : done(null, first.address, first.family),
  }
}

/**
 * A connection to a host, by a way to it.
 * @param signal breaks it, also once it stands.
 */
export function connectionTo({ host, port }: Destination, way: Way, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const late = () => new FedError(`${host}:${port} does not answer`)
    if (way.proxy === undefined) {
      // without brackets an address is an address, and is not looked up
      const socket = connect({
        ...{ host: host.replace(/^\[(.*)\]$/, '$1'), port, lookup: way.lookup },
        ...{ allowHalfOpen: true, noDelay: true, timeout: connectMs, signal },
      })
      socket.once('timeout', () => socket.destroy(late()))
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.removeAllListeners('timeout').off('error', reject)
        resolve(socket)
      })
      return
    }
    const path = hostText({ host, port })
    const asked = tunnelThrough(way.proxy, path, signal)
    asked.setTimeout(connectMs, () => asked.destroy(late()))
    asked.once('error', reject)
    asked.once('connect', ({ statusCode }, socket, head) => {
      socket.setTimeout(0)
      if (statusCode === 200) socket.unshift(head)
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new FedError(`your own proxy answers ${statusCode} for ${path}`))
    })
    asked.once('response', ({ statusCode }) => {
      asked.destroy()
      reject(new FedError(`your own proxy answers ${statusCode} for ${path}`))
    })
    asked.end()
  })
}

/** A CONNECT to the person's own proxy, with the name and the password that its URL has. */
function tunnelThrough(proxy: URL, path: string, signal: AbortSignal): ClientRequest {
  const { protocol, hostname, port, username, password } = proxy
  const pass = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  const authorization = username === '' ? {} : { 'proxy-authorization': `Basic ${pass}` }
  const request = protocol === 'https:' ? httpsRequest : httpRequest
  return request({
    ...{ host: hostname.replace(/^\[(.*)\]$/, '$1'), method: 'CONNECT', path, agent: false, signal },
    ...(port === '' ? {} : { port }),
    headers: { host: path, ...authorization },
  })
}

function decoded(part: string): string {
  return unless(URIError, () => decodeURIComponent(part)) ?? part
}
