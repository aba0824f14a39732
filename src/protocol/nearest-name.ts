/** How many letters must be inserted, removed, replaced or swapped with the next to make one word of the other. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row += 1) {
    const present = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(above, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwapped ? at(before, column - 2) + 1 : Infinity
      present.push(Math.min(replaced, swapped, at(above, column) + 1, at(present, column - 1) + 1))
    }
    before = above
    above = present
  }
  return at(above, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}

/** Longer names are nobody's misspelling, and comparing them would take long. */
const longest = 100

/** A part of a name that stands for the whole, such as `agent` for `agentCommand`, has at least so many letters. */
const shortestPart = 4

/**
 * The known name that a dotted one comes nearest to, or nothing when none is near. A name may be misspelt, given
 * by a part of it, or stand at another depth than it belongs.
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > longest) return undefined
  const wanted = split(given)
  const [best] = known
    .map((name) => ({ name, cost: costOf(wanted, split(name)) }))
    .toSorted((a, b) => a.cost - b.cost)
  return best !== undefined && best.cost <= Math.max(1, wanted.last.length / 3) ? best.name : undefined
}

/** The known name that one with letters added, left out, replaced or in the wrong place means, if any is so near. */
export function closestName(given: string, known: readonly string[]): string | undefined {
  const wanted = given.toLowerCase()
  if (wanted.length > longest) return undefined
  const letters = (name: string) => [...name].toSorted().join('')
  // a letter in the wrong place counts half
  const cost = (name: string) => distance(wanted, name) + distance(letters(wanted), letters(name))
  const [best] = known.map((name) => ({ name, cost: cost(name) })).toSorted((a, b) => a.cost - b.cost)
  return best !== undefined && best.cost <= Math.max(2, wanted.length / 2) ? best.name : undefined
}

interface Name {
  readonly parent: string
  readonly last: string
}

function split(name: string): Name {
  const dot = name.lastIndexOf('.')
  return { parent: name.slice(0, Math.max(dot, 0)).toLowerCase(), last: name.slice(dot + 1).toLowerCase() }
}

function costOf(wanted: Name, known: Name): number {
  const isPart = wanted.last.length >= shortestPart && known.last.includes(wanted.last)
  const spelling = Math.min(distance(wanted.last, known.last), isPart ? 1 : Infinity)
  return spelling + (wanted.parent === known.parent ? 0 : 0.5)
}
