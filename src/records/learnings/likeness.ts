/**
 * Which findings say the same: those whose words, without the commonest ones and without endings of the plural,
 * overlap enough. Nothing is learned and nothing is random: the same findings give the same groups.
 */

/** Of the words of two findings together, so many must be in both (Jaccard). */
const likenessThreshold = 0.6

/** A finding is judged by so many different words; the rest of a long one changes nothing. */
const mostWords = 200

/** What a product of binary fractions may be too large by. */
const rounding = 1e-9

/** They say how something is told, not what. */
const commonest = new Set(
  (
    'a all also always an and any are as at be been but by can do does each every for from had has have if in into is it its ' +
    'may more must of on only or our so than that the their them then there these they this those to up use used uses ' +
    'using via was we were when where which while will with'
  ).split(' '),
)

/** The different words that a finding is judged by. */
export function wordsOf(content: string): Set<string> {
  const plain = content
    .normalize('NFKC')
    .toLowerCase()
    // where in a file it was seen differs from team to team
    .replace(/(\.\w+):\d+(?:[-:]\d+)?/g, '$1')
  const words = new Set<string>()
  for (const [word] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!commonest.has(word)) words.add(singular(word))
    if (words.size === mostWords) break
  }
  return words
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

/** How much of their words two findings share: from 0 (nothing) to 1 (all). */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let both = 0
  for (const word of small) if (large.has(word)) both += 1
  return both === 0 ? 0 : both / (a.size + b.size - both)
}

/**
 * Groups texts that say the same: each joins the first group whose first text it is most alike, or begins one.
 * So a group has a text that explains it, and no chain of small differences makes one of everything.
 * @returns the groups as positions in `contents`, in the order of their first texts.
 */
export function groupAlike(contents: readonly string[]): number[][] {
  const words = contents.map(wordsOf)
  const rank = rarestFirst(words)
  const groups: number[][] = []
  /** Groups by the rare words of their first text: whatever is alike shares one of those. */
  const byWord = new Map<string, number[]>()
  for (const [position, own] of words.entries()) {
    const rare = [...own].toSorted((a, b) => (rank.get(a) as number) - (rank.get(b) as number))
    // of two sets that are alike enough, the rarest words up to this many have one in common
    const shared = Math.ceil(own.size * likenessThreshold - rounding)
    const telling = rare.slice(0, own.size - shared + 1)
    const best = mostAlike(
      own,
      new Set(telling.flatMap((word) => byWord.get(word) ?? [])),
      (group) => words[(groups[group] as number[])[0] as number] as Set<string>,
    )
    if (best !== undefined) {
      groups[best]?.push(position)
      continue
    }
    for (const word of telling) {
      const others = byWord.get(word)
      if (others === undefined) byWord.set(word, [groups.length])
      else others.push(groups.length)
    }
    groups.push([position])
  }
  return groups
}

function mostAlike(
  own: ReadonlySet<string>,
  candidates: Iterable<number>,
  firstOf: (group: number) => ReadonlySet<string>,
): number | undefined {
  let best: number | undefined
  let most = likenessThreshold
  for (const group of candidates) {
    const first = firstOf(group)
    // so different in length, they cannot share enough
    if (Math.min(own.size, first.size) < most * Math.max(own.size, first.size)) continue
    const alike = likeness(own, first)
    if (alike > most || (alike === most && (best === undefined || group < best)))
      [best, most] = [group, alike]
  }
  return best
}

/** Words in the order of how few texts have them, equal ones by their letters. */
function rarestFirst(words: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const own of words) for (const word of own) counts.set(word, (counts.get(word) ?? 0) + 1)
  const ordered = [...counts].toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
  return new Map(ordered.map(([word], index) => [word, index]))
}
