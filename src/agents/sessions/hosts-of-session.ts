import { gitOrNothing } from '../../platform/git/git.ts'
import { hostPattern } from '../../protocol/host-pattern.ts'
import { manifestPatterns, registriesOf, type AllowedHosts } from '../../engine/confinement/allowed-hosts.ts'
import { ownThingsOf } from '../drivers/presets.ts'
import type { OwnThings } from '../drivers/own-things.ts'
import { environmentInside } from '../../engine/confinement/environment-inside.ts'

/**
 * The hosts for an agent's program at work on a codebase. What stands in the codebase opens well-known registries and
 * nothing else: agents and strangers write it.
 */
export function hostsFor(program: string, codebase: string, configured: readonly string[]): AllowedHosts {
  const own = ownThingsOf(program)
  const manifests = gitOrNothing(codebase, 'ls-files', '-z', '--', ...manifestPatterns) ?? ''
  return {
    named: [...new Set([...configured, ...(own === undefined ? [] : providersNamed(own))])],
    usual: [...new Set([...(own?.hosts ?? []), ...registriesOf(manifests.split('\0'))])],
  }
}

/** Where the variables of the agent's provider lead: a base URL, or a host. */
function providersNamed({ env: names }: OwnThings): string[] {
  const { env } = environmentInside(names)
  return Object.entries(env).flatMap(([name, value]) => {
    if (!names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one)))
      return []
    if (/^https?:\/\//i.test(value) && URL.canParse(value)) {
      const { hostname, port, protocol } = new URL(value)
      return [`${hostname}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`]
    }
    return name.endsWith('_HOST') && hostPattern(value) !== undefined ? [value] : []
  })
}
