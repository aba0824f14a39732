import path from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'
import {
  startProxy,
  type Permission,
  type Proxy,
  type Refused,
} from '../../src/platform/confinement/network/proxy.ts'
import { newFolder } from './federation.ts'
import { newServer, type Heard } from './raw-http.ts'

export const open: Permission = { mayBePrivate: true, anyProtocol: true }

/** A proxy of walls and what stands around it, for one test. */
interface TestedProxy {
  /** A server that notes what it hears. */
  heard: Heard
  /** The socket at which the proxy listens. */
  at: string
  proxy: Proxy
  refused: Refused[]
  /** What may be done with `host:port`. */
  permissions: Record<string, Permission>
  /** The server's `host:port`, which is allowed. */
  host(): string
}

/** A new one for each test of a file. */
export function proxyForEach(): TestedProxy {
  const its = { host: () => `127.0.0.1:${its.heard.port}` } as TestedProxy
  beforeEach(async () => {
    its.heard = await newServer()
    its.at = path.join(newFolder('net'), 's')
    its.refused = []
    its.permissions = { [its.host()]: open }
    its.proxy = await startProxy(
      { socket: its.at },
      {
        judge: ({ host, port }) => its.permissions[`${host}:${port}`],
        onRefused: (one) => its.refused.push(one),
      },
    )
  })
  afterEach(() => {
    its.proxy.close()
    its.heard.server.closeAllConnections()
    its.heard.server.close()
    vi.unstubAllEnvs()
  })
  return its
}
