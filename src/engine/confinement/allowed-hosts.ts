import path from 'node:path'
import type { Permission } from '../../platform/confinement/network/proxy.ts'
import { hostPattern, matchesHost, type HostPattern } from '../../protocol/host-pattern.ts'

/** Public registries, by the manifests whose packages come from there. */
const registries: readonly (readonly [manifests: readonly string[], hosts: readonly string[]])[] = [
  [['package.json'], ['registry.npmjs.org', 'registry.yarnpkg.com']],
  [['Cargo.toml'], ['index.crates.io', 'static.crates.io', 'crates.io']],
  [['go.mod'], ['proxy.golang.org', 'sum.golang.org']],
  [
    ['requirements.txt', 'pyproject.toml', 'setup.py', 'Pipfile'],
    ['pypi.org', 'files.pythonhosted.org'],
  ],
  [['Gemfile'], ['rubygems.org', 'index.rubygems.org']],
  [['pom.xml'], ['repo.maven.apache.org', 'repo1.maven.org']],
  [
    ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    ['repo.maven.apache.org', 'repo1.maven.org', 'plugins.gradle.org', 'services.gradle.org'],
  ],
  [['composer.json'], ['repo.packagist.org', 'packagist.org']],
  [['global.json', 'NuGet.config', 'Directory.Build.props'], ['api.nuget.org']],
  [['mix.exs'], ['repo.hex.pm', 'hex.pm']],
  [['pubspec.yaml'], ['pub.dev']],
  [
    ['deno.json', 'deno.jsonc'],
    ['jsr.io', 'npm.jsr.io'],
  ],
]

/** Hosts that a process within walls may reach. */
export interface AllowedHosts {
  /** Those that the person named, in the configuration or by a variable of the agent's provider. */
  readonly named: readonly string[]
  /** Those that its program needs, and the registries of the packages that the codebase uses. */
  readonly usual: readonly string[]
}

/**
 * Well-known registries of the packages that files of these names tell of. What stands in a codebase opens nothing
 * else: agents and strangers write it.
 */
export function registriesOf(files: Iterable<string>): string[] {
  const found = new Set([...files].map((file) => path.basename(file)))
  return registries.flatMap(([manifests, hosts]) => (manifests.some((name) => found.has(name)) ? hosts : []))
}

/** Patterns of git for the files that tell of packages. */
export const manifestPatterns: readonly string[] = registries.flatMap(([manifests]) =>
  manifests.map((name) => `:(glob)**/${name}`),
)

/** What may be done with a host, by those that are allowed. */
export function judgeBy({ named, usual }: AllowedHosts): (to: Destination) => Permission | undefined {
  const patternsOf = (texts: readonly string[]) => texts.flatMap((text) => hostPattern(text) ?? [])
  const [byPerson, byRule] = [patternsOf(named), patternsOf(usual)]
  return ({ host, port }) => {
    const isOf = (pattern: HostPattern) => matchesHost(pattern, host, port)
    const exact = byPerson.filter((pattern) => !pattern.isBelow && isOf(pattern))
    if (exact.length > 0)
      return { mayBePrivate: true, anyProtocol: exact.some((pattern) => pattern.port !== undefined) }
    return [...byPerson, ...byRule].some(isOf) ? { mayBePrivate: false, anyProtocol: false } : undefined
  }
}

type Destination = { readonly host: string; readonly port: number }

/** `host:port` of what lies on this machine's own loopback interface, one for each port that a person's program has. */
export function forwardedOf({ named }: Pick<AllowedHosts, 'named'>): string[] {
  const local = named.flatMap((text) => {
    const { host, port, isBelow } = hostPattern(text) ?? { host: '', isBelow: true }
    const isLocal = host === 'localhost' || /^127\./.test(host) || host === '[::1]'
    return !isBelow && isLocal && port !== undefined && port >= 1024
      ? [[port, `${host}:${port}`] as const]
      : []
  })
  return [...new Map(local).values()]
}

/** The entry of `confinement.hosts` that allows a host. */
export function entryFor({ host, port }: Destination): string {
  return [443, 80].includes(port) ? host : `${host}:${port}`
}
