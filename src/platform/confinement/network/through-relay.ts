import { program } from '../../process/package.ts'
import type { Rule, WayOut } from '../walls.ts'

/** Where the proxy's socket lies inside. */
const socketInside = '/run/fed-network/proxy'

/** The relay's port inside, where nothing else listens at the beginning. */
const relayPort = 18_118

/**
 * Starts the relay, waits until it listens or has ended, and becomes the program: its signals and its exit code are
 * its own. The relay is no reader of its input, and needs none of what changes how Node starts.
 */
const script =
  ': "$(NODE_OPTIONS= NODE_EXTRA_CA_CERTS= "$1" "$2" "$3" "$4" $5 </dev/null &)"; shift 5; exec "$@"'

/** What a program needs that reaches a network by a relay alone: the words before its own, and a rule. */
export interface ThroughRelay {
  readonly words: readonly string[]
  readonly rule: Rule
  readonly env: Readonly<Record<string, string>>
}

export function throughRelay({ proxy, forwarded }: WayOut): ThroughRelay {
  return {
    words: [
      ...['/bin/sh', '-c', script, 'sh', process.execPath, program('relay')],
      ...[socketInside, String(relayPort), forwarded.join(' ')],
    ],
    rule: { kind: 'read', at: socketInside, from: String(proxy) },
    env: proxyVariables(relayPort),
  }
}

/** The variables by which programs find a proxy at a port of 127.0.0.1. */
function proxyVariables(port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`
  const own = 'localhost,127.0.0.1,::1'
  return {
    ...Object.fromEntries(
      ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
        [name, url],
        [name.toLowerCase(), url],
      ]),
    ),
    ...{ NO_PROXY: own, no_proxy: own },
    // Node 22.21 and later; others take none of it by themselves
    NODE_USE_ENV_PROXY: '1',
  }
}
