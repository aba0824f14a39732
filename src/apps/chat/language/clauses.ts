import { controlKinds, named, topics, type ChatCommand, type Whom } from './chat-command.ts'
import { everyVerb, lastWords, teamFillers } from './lexicon.ts'
import { tokensOf, type Token } from './tokens.ts'

/** Where one thing that is said ends and the next begins; the sign stays with what is before it. */
const clauseEnd = /(?<=[.!?;])\s+|(?<=,)\s+|\s+[–—-]\s+|\s*\n+\s*/u
/** What makes an order depend on something, takes it back or is only thought of. */
const doubts = new Set(
  (
    'not never no none nor if unless until till before after when once while whenever should would could may might must ' +
    'maybe perhaps probably possibly later tomorrow tonight soon next instead rather wait yet almost nearly unsure ' +
    'whether or either guess wonder wondering nah nope cancel ' +
    'kidding joking joke jokes haha lol test testing example wrong mistake mistaken oops sorry meant mean undo ignore ' +
    'forget bad imagine pretend suppose hypothetically exempt exception exceptions excepted excluded other others else'
  ).split(' '),
)
/** What somebody says, or is called so, is not ordered: "bob just said, pause docs". */
const reporting = new Set(
  (
    'say says said saying tell tells told hear hears heard write writes wrote written ask asks asked think thinks thought ' +
    'suggest suggests suggested propose proposed claim claims quote quotes wish wishes wanted call called word words ' +
    'command order rule motto plan idea suggestion proposal advice label button manual option thing way'
  ).split(' '),
)
/** A clause that begins so behind an order speaks of that order: "that was for bob", "it was a joke", "just a test". */
const ofTheOrder =
  /^(?:that|this|just|only|he|she|is|was|it was|it would|it is (?:what|how|for|a|an|the|my|just|only))\b/u

/** Words with which an order may begin and much else is said as well. */
const everydayWords = new Set(
  'fire get have let set want do need like mind take put make move send go'.split(' '),
)
/** By one of these somebody tells how things are. */
const tellingWords = new Set(
  (
    'is are was were am be been has have had got get gets came comes will just we i they he she everyone everybody ' +
    "i'm we're it's that's thanks done over fine okay spoke looks seems sounds ok good great ugh hm hmm ah oh right alright well so hey hi"
  ).split(' '),
)

/**
 * One order or question among clauses that only tell why: "prod is on fire, stop everybody", "we're done with
 * pricing, archive it". Undefined where another clause might change what is meant.
 * @param read what a message that says nothing else asks for.
 */
export function amongReasons(
  text: string,
  teams: readonly string[],
  read: (clause: string) => ChatCommand | undefined,
): ChatCommand | undefined {
  const known = new Set(teams)
  const clauses = text
    .split(clauseEnd)
    .map((clause) => clause.trim().replace(/[,;]$/u, ''))
    .filter((clause) => clause !== '')
  if (clauses.length < 2) return undefined
  const meant = clauses.map(read)
  const orders = [...meant.keys()].filter((at) => isOrder(meant[at]))
  // "we are over budget" is no question about it
  const questions = [...meant.keys()].filter((at) => isTopic(meant[at]) && clauses[at]?.endsWith('?'))
  const [at = -1, ...others] = orders.length > 0 ? [...orders, ...questions] : questions
  const command = meant[at]
  if (command === undefined || others.length > 0) return undefined
  const reasons = clauses.filter((_, other) => other !== at).map((clause) => tokensOf(clause, known))
  // an answer changes nothing, but an order beside it would be passed over
  if (!isOrder(command) && reasons.some(([first], other) => other >= at && isPlainVerb(first?.word, known)))
    return undefined
  if (isOrder(command) && !reasons.every((reason) => isReason(reason, known))) return undefined
  if (isOrder(command) && reasons.slice(at).some((reason) => ofTheOrder.test(wordsOf(reason))))
    return undefined
  const whom = whomIn(command)
  const isNamed = (some: readonly (readonly Token[])[]) => some.flat().some(({ word }) => known.has(word))
  // "stop everyone, docs has to finish" may leave docs out; "pause it, docs is stuck" may mean docs
  if (isOrder(command) && whom?.of === 'all' && isNamed(reasons)) return undefined
  if (isOrder(command) && whom?.of === 'last' && isNamed(reasons.slice(at))) return undefined
  if (whom?.of !== 'last') return command
  const before = clauses.slice(0, at).flatMap((clause) => tokensOf(clause, known))
  // "web waits for docs, pause it" may mean either
  if (isOrder(command) && !clauses.slice(0, at).every((clause) => isOneList(tokensOf(clause, known), known)))
    return undefined
  const teamsBefore = [...new Set(before.map(({ word }) => word).filter((word) => known.has(word)))]
  if (teamsBefore.length === 0) return command
  const isAgreed =
    whom.number === 'two' ? teamsBefore.length === 2 : whom.number !== 'one' || teamsBefore.length === 1
  return isAgreed && whom.except === undefined
    ? ({ ...command, whom: named(teamsBefore) } as ChatCommand)
    : undefined
}

function isOrder(command: ChatCommand | undefined): boolean {
  return controlKinds.some((kind) => kind === command?.kind)
}

function isTopic(command: ChatCommand | undefined): boolean {
  return topics.some((topic) => topic === command?.kind)
}

function whomIn(command: ChatCommand): Whom | undefined {
  return 'whom' in command ? command.whom : undefined
}

/** Whether a clause tells how things are, and neither orders anything nor doubts it. */
function isReason(tokens: readonly Token[], known: ReadonlySet<string>): boolean {
  const words = tokens.map(({ word }) => word).filter((word) => !known.has(word))
  const isOther = (word: string) =>
    doubts.has(word) || reporting.has(word) || (everyVerb.has(word) && !everydayWords.has(word))
  if (words.some(isOther)) return false
  return words.length <= 2
    ? words.every((word) => !lastWords.has(word)) && hasTelling(words)
    : hasTelling(words)
}

/** Whether nothing but what joins them stands between the names in a clause. */
function isOneList(tokens: readonly Token[], known: ReadonlySet<string>): boolean {
  const isName = ({ word }: Token) => known.has(word)
  const between = tokens.slice(tokens.findIndex(isName), tokens.findLastIndex(isName) + 1)
  return between.every((token) => isName(token) || token.word === ',' || teamFillers.has(token.word))
}

function isPlainVerb(word: string | undefined, known: ReadonlySet<string>): boolean {
  return word !== undefined && !known.has(word) && everyVerb.has(word) && !everydayWords.has(word)
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(({ word }) => word).join(' ')
}

function hasTelling(words: readonly string[]): boolean {
  return words.some((word) => tellingWords.has(word))
}
