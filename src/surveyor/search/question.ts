/** Words that every question has, whatever it is about. */
const common = new Set(
  (
    'a an the this that these those it its itself and or but of in on at to for from by with without into onto over under as is are was were be been being am do does did done ' +
    'doing can could should would will shall may might must have has had having not no nor so than then there here where when which who whom whose what why how if else while each ' +
    'every all any some more most much many few other another others such only own same too very just also about between through during before after again still already yet ever ' +
    'our we us you your me my mine their them they he she i please one ones two both either neither none nothing something anything somebody anybody nobody someone anyone else ' +
    'out up down off away back because since until once per via instead rather really actually exactly ' +
    'happen happens happened happening work works worked working mean means handle handles handled handling go goes going get gets got getting come comes came coming take takes taken ' +
    'let lets need needs needed want wants use uses used using try tries make makes made put puts say says said see seen look looks tell thing things way ways place part parts kind ' +
    'explain describe show document tell sometimes often always never long far well good ' +
    'implemented implementation implement implements code codebase project repository repo'
  ).split(' '),
)

/** Whether a mission asks something, so that each of its words says what about. */
export const isQuestion = (text: string): boolean =>
  /\?\s*$|^\s*(?:(?:explain|describe|show|document|tell me|find out)\s+)?(?:how|what|where|when|why|which|who|does|do|is|are|can|if)\b/i.test(
    text,
  )

/** How a question begins that asks to imagine something: nothing of it is asked about. */
const imagined =
  /^\s*(?:please\s+)?(?:let(?:'s|’s| us)\s+)?(?:imagine|suppose|supposing|assume|assuming|say|consider|picture|pretend|provided|given)\b(?:\s+that\b)?[\s,:]*/i

/** What a question is about: its words without those that every question has, in its order. */
export function topicsOfQuestion(text: string): string[] {
  const words = Array.from(text.replace(imagined, '').matchAll(/[\p{L}\p{N}_$]+/gu), ([word]) => word)
  const found = new Map<string, string>()
  for (const word of words) {
    const lower = word.toLowerCase()
    if (word.length < 2 || /^\d+$/.test(word) || common.has(lower) || found.has(lower)) continue
    found.set(lower, word)
  }
  return [...found.values()].slice(0, 24)
}

/** Words that tell of anything, and so lead nowhere: they count where they meet others. */
const vague = new Set(
  (
    'several different same long longer longest short shorter big bigger small slow slower fast faster first last next new old right wrong good bad given give gives gave ' +
    'along later now soon rest enough whole time times hand hands left side spot moment nowhere lead leads find finds found know known knows decide decided decides whether matter ' +
    'matters avoid avoids keep keeps kept stay stays ask asks asked look looked looks move moves moved run runs running end ends call called calls leave leaves thousands hundreds ' +
    'recently later halfway itself own program programs thing fit fits fixed certain normal usual possible different difference really ordinary various number numbers ' +
    'set sets state states turn turned turns bring brings question needed under back forth whatever whenever wherever day days again newly already directly behind ahead ' +
    'difference differences relation relationship relationships purpose reason reasons meaning point idea concept mechanism approach behavior behaviour actual overall incoming outgoing ' +
    // what a report is made of, and where it is kept
    'architecture architectural structure structures design layout organisation organization overview module modules component components folder folders directory'
  ).split(' '),
)

export const isVague = (word: string): boolean => vague.has(word.toLowerCase())

/** Words after which a question says what it is about. */
const opening =
  /\b(?:is|are|was|were|does|do|did|can|could|will|has|have|should|explain|describe|document)\b/i

/** Words that stand before what something is done to. */
const before =
  /^(?:the|a|an|our|my|your|its|to|into|onto|over|via|with|from|of|for|by|through|against|using|in|on)$/i

/** Words that begin the circumstances of what is asked. */
const circumstance =
  /^(?:[,;:]|when|while|if|because|since|after|before|until|unless|although|though|where|so|once|that|which|who|without|instead|and|but|or)$/i

/** Endings of words that say how something is, or what is done. */
const quality = /(?:ed|ly|ing|able|ible|ful|less|ous|ive)$|^(?:twice|afresh|anew|together|halfway)$/i

/**
 * The words that name what a question is about: those of its first group of words, the things of its main clause, and
 * names that are written large. Of "How are messages published to Kafka?" these are messages, published and Kafka.
 */
export function subjectOf(text: string): string[] {
  const sentence =
    text
      .replace(imagined, '')
      .trim()
      .split(/(?<=[?!.])\s/)[0] ?? ''
  // whose something is does not say what is asked about
  const owned = sentence.replace(/(?<!\p{L})\p{L}+(?:'s|’s|s'|s’)(?= )/gu, 'its')
  const words = [...owned.matchAll(/[\p{L}\p{N}_$]+|[,;:]/gu)].map(([word]) => word)
  const isCommon = (word: string): boolean => common.has(word.toLowerCase()) || word.length < 2
  const begin = words.findIndex((word) => opening.test(word)) + 1
  const group: string[] = []
  for (const [at, word] of words.entries()) {
    if (at < begin) continue
    const joins = /^(?:of|the|a|an|this|that|our|my|your|its|s)$/i.test(word)
    if (isCommon(word) && !joins && group.length > 0) break
    // after a person comes what the person does
    const isDoing =
      group.length === 0 && /^(?:I|we|you|they|he|she|someone|somebody|anyone)$/i.test(words[at - 1] ?? '')
    if (!isCommon(word) && !isDoing) group.push(word)
  }
  const large = words.slice(1).filter((word) => /^[A-Z][\w]+$/.test(word) && !isCommon(word))
  // in a short question what comes last, after a preposition, is asked about as well: sent to kafka, over ssh
  const [first = '', last = ''] = words.slice(-2)
  const isShort = words.length <= 8 && /^(?:to|over|via|with|in|for|from|by|through|using|on)$/i.test(first)
  const ends = isShort && !isCommon(last) ? [last] : []
  return [...new Set([...group, ...large, ...ends, ...thingsOf(words, begin, isCommon)])]
}

/** The last of one or two words that follow an article or a preposition, up to where the circumstances begin. */
function thingsOf(words: readonly string[], begin: number, isCommon: (word: string) => boolean): string[] {
  const until = words.findIndex((word, at) => at >= begin && circumstance.test(word))
  const clause = words.slice(begin, until < 0 ? undefined : until)
  return clause.filter((word, at) => {
    if (isCommon(word) || quality.test(word)) return false
    const next = clause[at + 1]
    if (next !== undefined && !isCommon(next)) return false
    // no further off: what else stands between is seldom part of its name
    const own = isCommon(clause[at - 1] ?? '') ? 1 : 2
    return before.test(clause[at - own] ?? '')
  })
}
