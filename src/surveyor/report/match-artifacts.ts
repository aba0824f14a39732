/** Which packages of Java come from which artifact, as far as their names tell. */
export interface ArtifactMatch {
  /** Packages by the coordinates (`group:artifact`) of the artifact that provides them. */
  packagesOf: ReadonlyMap<string, readonly string[]>
  /** Packages of which no artifact, or more than one, may be the origin. */
  unmatched: readonly string[]
}

/** Matches packages and coordinates by name; a tie is no match. */
export function matchArtifacts(coordinates: readonly string[], packages: readonly string[]): ArtifactMatch {
  const packagesOf = new Map<string, string[]>()
  const unmatched: string[] = []
  for (const name of packages) {
    const fits = coordinates.map((coordinate) => fitOf(coordinate, name))
    const best = Math.max(0, ...fits)
    const [coordinate, ...others] = coordinates.filter((_, at) => best > 0 && fits[at] === best)
    if (coordinate === undefined || others.length > 0) unmatched.push(name)
    else packagesOf.set(coordinate, [...(packagesOf.get(coordinate) ?? []), name])
  }
  return { packagesOf, unmatched }
}

/**
 * How well a package fits an artifact; 0: not at all. It fits when its name begins with the group, or when it
 * begins like the group and holds the artifact's words one after another: `org.apache.commons.io` is of
 * `commons-io:commons-io`, `com.google.gson` of `com.google.code.gson:gson`.
 */
function fitOf(coordinate: string, name: string): number {
  const [group = '', artifact = ''] = coordinate.toLowerCase().split(':')
  const parts = name.toLowerCase().split('.')
  const groupParts = group.split('.')
  const words = artifact.split(/[-_.]/)
  const start = groupParts.findIndex((part, at) => part !== parts[at])
  const shared = start < 0 ? groupParts.length : start
  const named = words.filter((word) => parts.includes(word)).length / words.length
  const isOfGroup = groupParts.length > 1 && shared === groupParts.length
  const namesArtifact = holds(parts, words) && (groupParts.length === 1 || shared >= 2)
  const isBeside = shared >= 3 && parts.includes(words.at(-1) ?? '')
  return isOfGroup || namesArtifact || isBeside ? 1 + shared + named : 0
}

const holds = (parts: readonly string[], words: readonly string[]): boolean =>
  `.${parts.join('.')}.`.includes(`.${words.join('.')}.`)
