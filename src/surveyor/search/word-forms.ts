import { meanings, opposites } from './synonyms.ts'

/** Forms of a verb that no rule leads back. */
const irregular = new Map(
  (
    'made make,sent send,kept keep,found find,wrote write,written write,built build,held hold,lost lose,ran run,chose choose,' +
    'chosen choose,threw throw,thrown throw,began begin,begun begin,caught catch,bound bind,given give,gave give,took take,' +
    'taken take,broke break,broken break,got get,told tell,left leave,gone go,went go,done do,shown show,known know,' +
    'spent spend,bought buy,brought bring,fed feed,led lead,met meet,hidden hide,hid hide,forgotten forget,woken wake,' +
    'children child,indices index,indexes index,vertices vertex,matrices matrix,people person'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)

/** Whether a word is a form of a verb that no rule leads back. */
export const isIrregular = (word: string): boolean => irregular.has(word.toLowerCase())

const known = new Map<string, string>()

/**
 * A word without the endings of grammar: plural, past and progressive, so that `locked`, `locking` and `locks` are one
 * word. Never another word of the same root: `payment` is not `pay`.
 */
export function baseOf(word: string): string {
  const found = known.get(word)
  if (found !== undefined) return found
  const lower = word.toLowerCase()
  // no word of any language is so long
  if (lower.length > 64) return lower
  const base = withoutEnding(irregular.get(lower) ?? american(lower))
  known.set(word, base)
  return base
}

/** British spelling as most code has it. */
function american(word: string): string {
  return word
    .replace(/([a-z]{3})is(e[drs]?|ing|ation)$/, (whole, start: string, end: string) =>
      /(?:prom|prec|exerc|rev|superv|adv|rai|noi|w|conc|expert|franch|surpr|comprom|enterpr|othe?rw|lik|r|pra)$/.test(
        start,
      )
        ? whole
        : `${start}iz${end}`,
    )
    .replace(/(col|behavi|fav|hon|neighb|lab)our/, '$1or')
}

function withoutEnding(word: string): string {
  let base = word
  if (base.endsWith('ies') && base.length > 4) base = `${base.slice(0, -3)}y`
  else if (/(?:ss|x|z|ch|sh|us|is)es$/.test(base)) base = base.slice(0, -2)
  else if (/[^siu]s$/.test(base) && base.length > 3 && !/(?:alias|canvas|atlas|bias)$/.test(base))
    base = base.slice(0, -1)
  if (/[^aeiou]ied$/.test(base) && base.length > 4) return `${base.slice(0, -3)}y`
  const [, stem = ''] = /^(.*?[aeiouy].*?)(?:ing|(?<!e)ed)$/.exec(base) ?? []
  if (stem.length >= 3) base = stem.replace(/([bdfgmnprt])\1$/, '$1')
  return base.length > 3 ? base.replace(/e$/, '') : base
}

/** All parts of an identifier, single letters too: `compileETag` is compile, e, tag. */
export function partsOf(identifier: string): string[] {
  return identifier
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase())
}

/** The words of a text or an identifier, each by its base, in their order. */
export const tokensOf = (text: string): string[] => partsOf(text).map(baseOf)

const suffixes =
  /(?:ization|isation|ation|ition|ator|ility|ment|ness|tion|sion|ance|ence|able|ible|ably|ibly|ize|ise|ion|ity|ive|ory|er|or|al|ly|iz|is|at|abl|ibl|iv|y)$/

/** What words of one root share: `reservation` and `reserve`; the word itself where the root is too short to tell. */
function rootOf(base: string): string {
  const root = base.replace(suffixes, '')
  return root.length >= 5 ? root : base
}

const alike = new Map<string, Set<string>>()
for (const line of meanings.trim().split('\n')) {
  const group = line.split(' ').map(baseOf)
  for (const base of group) alike.set(base, new Set([...(alike.get(base) ?? []), ...group]))
}

const opposite = new Map<string, Set<string>>()
for (const line of opposites.trim().split('\n')) {
  const [one = '', other = ''] = line.split(' ').map(baseOf)
  opposite.set(one, new Set([...(opposite.get(one) ?? []), other]))
  opposite.set(other, new Set([...(opposite.get(other) ?? []), one]))
}

/** Whether a name undoes what is asked about: it has the opposite of one of the words, and not the word itself. */
export function undoes(name: string, asked: readonly string[]): boolean {
  const bases = new Set(tokensOf(name))
  return asked.some(
    (base) =>
      !bases.has(base) &&
      [...(opposite.get(base) ?? [])].some((one) => bases.has(one) && !asked.includes(one)),
  )
}

/** How near a word of the code comes to one of a question: 1 for the same word, less for one of its root or meaning. */
export function nearness(asked: string, base: string): number {
  if (asked === base) return 1
  const root = rootOf(asked)
  if (root.length >= 4 && root === rootOf(base)) return 0.7
  return alike.get(asked)?.has(base) === true ? 0.35 : 0
}

/** The same for telling somebody what there is instead: words that only begin alike or are spelled alike count as well. */
export function likeness(asked: string, base: string): number {
  const near = nearness(asked, base)
  if (near > 0) return near
  let same = 0
  while (same < base.length && base[same] === asked[same]) same += 1
  const share = same / Math.max(asked.length, base.length)
  return same >= 4 && share >= 0.5 ? 0.3 * share : 0
}
