/** A pattern of paths: names between `/`, in which `*` is any letters and `?` is one, and `**` for any folders. */
const shape = /^(?:[^/\\\0[\]{}!]+\/)*[^/\\\0[\]{}!]+$/

/** In characters. */
const longest = 300

/** What is wrong with a pattern of paths below the root; undefined for a good one. */
export function patternFault(pattern: string): string | undefined {
  if (pattern.length > longest) return `is longer than ${longest} characters`
  if (!shape.test(pattern)) return 'is no path from the root such as src/prices/** (with *, ? and ** alone)'
  const names = pattern.split('/')
  if (names.some((name) => name === '.' || name === '..')) return "leaves its place: it holds '.' or '..'"
  if (names.some((name) => name.includes('**') && name !== '**'))
    return "has '**' beside other letters; it stands for whole folders"
  return undefined
}

/** Whether a path is one of a pattern's; in a path no letter stands for another. */
export function covers(pattern: string, path: string): boolean {
  const names = pattern.split('/').map((name, at, all) => {
    if (name === '**') return at === all.length - 1 ? '.+' : '(?:[^/]+/)*'
    const letters = [...name].map((letter) =>
      letter === '*' ? '[^/]*' : letter === '?' ? '[^/]' : letter.replace(/[\\^$.+()|{}[\]]/, '\\$&'),
    )
    return `${letters.join('')}${at === all.length - 1 ? '' : '/'}`
  })
  return new RegExp(`^${names.join('')}$`, 'su').test(path)
}

/** Whether some path is one of both patterns; a path is a pattern, too. */
export function overlap(one: string, other: string): boolean {
  return meet(one.split('/'), other.split('/'), '**', (name, next) =>
    meet([...name], [...next], '*', sameLetter),
  )
}

function sameLetter(one: string, other: string): boolean {
  return one === other || one === '?' || other === '?'
}

/**
 * Whether two sequences, in which `any` stands for any number of parts, can be the same.
 * @param same whether two parts can be the same.
 */
function meet(
  one: readonly string[],
  other: readonly string[],
  any: string,
  same: (part: string, next: string) => boolean,
): boolean {
  // what stands before the first `any` decides in most cases
  let from = 0
  for (; from < Math.min(one.length, other.length); from += 1) {
    const [part, next] = [one[from] as string, other[from] as string]
    if (part === any || next === any) break
    if (!same(part, next)) return false
  }
  // reached[n]: whether the parts of `one` so far can be the first n of `other`, from there on
  const rest = other.slice(from)
  let isAny = true
  let reached = [true, ...rest.map((part) => (isAny &&= part === any))]
  for (const part of one.slice(from)) {
    const before = reached
    reached = [before[0] === true && part === any]
    for (const [at, next] of rest.entries())
      reached.push(
        part === any || next === any
          ? before[at + 1] === true || reached[at] === true
          : before[at] === true && same(part, next),
      )
  }
  return reached[rest.length] === true
}
