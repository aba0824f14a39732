import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startProxy, type Refused } from '../../platform/confinement/network/proxy.ts'
import type { WayOut } from '../../platform/confinement/walls.ts'
import { remove } from '../../platform/storage/without-links.ts'
import { forwardedOf, judgeBy, type AllowedHosts } from './allowed-hosts.ts'

/** Longest path of a socket, in bytes: the kernel's own limit with a NUL at the end, on macOS. */
const longestSocket = 103

/** How the folder of a way begins, and how many characters the system makes up behind it. */
const prefix = 'fed-net-'
const madeUp = 6

/** A session's way to the hosts that its agent may reach. */
export interface SessionsWay {
  readonly network: WayOut
  /** The folder in which it lies: nobody's but this person's. */
  readonly folder: string
  /** Takes it away, with all that goes through it. */
  end(): void
}

/**
 * Starts a session's proxy.
 * @throws the system's error when there is no place for its socket.
 */
export async function openWay(
  hosts: AllowedHosts,
  onRefused: (refused: Refused) => void,
): Promise<SessionsWay> {
  const places = [os.tmpdir(), '/tmp']
  const fits = (place: string) => Buffer.byteLength(path.join(place, prefix, 's')) + madeUp <= longestSocket
  const folder = mkdtempSync(path.join(places.find(fits) ?? '/tmp', prefix))
  const isMac = process.platform === 'darwin'
  const socket = path.join(folder, 's')
  try {
    const proxy = await startProxy(isMac ? { port: 0 } : { socket }, { judge: judgeBy(hosts), onRefused })
    return {
      network: { proxy: proxy.port ?? socket, forwarded: isMac ? [] : forwardedOf(hosts) },
      folder,
      end() {
        proxy.close()
        remove(folder)
      },
    }
  } catch (error) {
    remove(folder)
    throw error
  }
}
