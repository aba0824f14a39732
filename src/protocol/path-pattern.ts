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
  if (!beginAlike(one, other)) return false
  return meet(one.split('/'), other.split('/'), '**', (name, next) =>
    meet([...name], [...next], '*', sameLetter),
  )
}

/** Whether what stands before the first letter that stands for others is the same: it decides in most cases. */
function beginAlike(one: string, other: string): boolean {
  for (let at = 0; at < one.length && at < other.length; at += 1) {
    const [letter, next] = [one[at] as string, other[at] as string]
    if ('*?'.includes(letter) || '*?'.includes(next)) return true
    if (letter !== next) return false
  }
  return true
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
  // reached[n]: whether the parts of `one` so far can be the first n of `other`
  let isAny = true
  let reached = [true, ...other.map((part) => (isAny &&= part === any))]
  for (const part of one) {
    const before = reached
    reached = [before[0] === true && part === any]
    for (const [at, next] of other.entries())
      reached.push(
        part === any || next === any
          ? before[at + 1] === true || reached[at] === true
          : before[at] === true && same(part, next),
      )
  }
  return reached[other.length] === true
}
