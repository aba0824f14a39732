import { everybody, named, type ChatCommand, type UnknownTeam, type Whom } from './chat-command.ts'
import { allWords, askVerbs, exceptPhrases, lastWords, stateWords, tellVerbs } from './lexicon.ts'
import { bareOrder } from './orders.ts'
import { couldBeName, nearTeam, unknownTeam, whomIn } from './team-set.ts'
import { isQuestion, tokensOf } from './tokens.ts'

/** Longest text that may be an order or question, in characters; a longer one can only tell or ask a team. */
export const longestCommand = 500

/** Polite words before "tell" and "ask" that mean nothing by themselves. */
const politeStart =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|now|then|please|pls|kindly|thanks|great|cool|perfect|just|also)\b[\s,:!.]*|(?:can|could|would|will) you(?: please)?\s+|(?:i|we)(?: would|'d) like you to\s+|(?:i|we) (?:want|need) you to\s+|let'?s\s+|go ahead and\s+|[/!]\s*(?=\p{L}))/iu
/** A question in these words is a request: it is to be done. */
const askedOfSomebody = /(?:can|could|would|will|do) (?:you|some(?:one|body)|any(?:one|body))\b/iu
/** Other phrases for "tell", and the usual one that each is replaced by. */
const otherWays: readonly (readonly [RegExp, string])[] = [
  [/^let\s+(\S.{0,200}?)\s+know\s*(?:,\s*)?(?=\S)/iu, 'tell $1 '],
  [
    /^(?:heads[- ]up|fyi|note|a note)\s+(?:to|for)\s+(\S[^:\n]{0,200}?)(?:\s+please)?\s*:\s*(?=\S)/iu,
    'tell $1: ',
  ],
]
/** Verbs of an instruction that wants an answer: it is sent as a question, so that the answer comes here. */
const toldToAnswer =
  /^(?:tell|let|explain|say|answer|give|show|report|clarify|confirm|describe (?:to )?(?:me|us))\b/iu
/** A message to a team that asks for its status: `ask docs for an update`, `tell docs status`. */
const asksForStatus =
  /^(?:for (?:its |an? |the |their )?)?(?:status|state|progress|updates?|news|overview|summary)(?: (?:report|update))?$/iu

/** `tell <teams> <directive>`, `ask <teams> <question>`; the text stays as it was written. */
export function toldOf(said: string, teams: readonly string[]): ChatCommand | undefined {
  let text = said
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(politeStart, '')
  }
  for (const [other, usual] of otherWays) text = text.replace(other, usual)
  const [, verb = '', rest = ''] = /^(\p{L}+)\b[\s,:]*([\s\S]*)$/u.exec(text) ?? []
  const isTold = tellVerbs.has(verb.toLowerCase())
  if (!isTold && !askVerbs.has(verb.toLowerCase())) return undefined
  const addressed = addresseesOf(rest, teams)
  if (addressed === undefined)
    return rest.trim() === '' ? { kind: 'incomplete', verb: verb.toLowerCase() } : undefined
  if ('kind' in addressed) return addressed
  const words = addressed.rest.replace(/^[\s,:;–—-]+/u, '').trim()
  const [, todo] = /^to\s+(\S[\s\S]*)$/iu.exec(words) ?? []
  const message = isTold ? (todo ?? words) : words
  if (!/[\p{L}\p{N}]/u.test(message)) return { kind: 'incomplete', verb: verb.toLowerCase() }
  const { whom } = addressed
  if (isForOthers(message, whom, teams)) return undefined
  // "tell docs to pause?" asks whether, as "pause docs?" does
  const order = asOrder(todo ?? message, whom, teams)
  const isWondered = isQuestion(said) && !askedOfSomebody.test(said)
  if (isWondered && order !== undefined && order.kind !== 'status') return undefined
  if (isTold) return asOrder(message, whom, teams) ?? { kind: 'tell', whom, text: message }
  // "ask docs to pause" asks nothing
  if (todo !== undefined && !toldToAnswer.test(todo))
    return asOrder(todo, whom, teams) ?? { kind: 'tell', whom, text: todo }
  if (isStatus(message)) return { kind: 'status', whom }
  return { kind: 'ask', whom, text: message }
}

/** Whether a message goes on to somebody else: "pause and api to resume", or is but the name of a team. */
function isForOthers(message: string, whom: Whom, teams: readonly string[]): boolean {
  if (whom.of !== 'named' && teams.includes(message.toLowerCase())) return true
  return [...message.matchAll(/\band\s+(?:the\s+)?([\p{L}\p{N}-]+)\s+to\b/giu)].some(([, name = '']) =>
    teams.includes(name.toLowerCase()),
  )
}

/** The order or status question in what a team is told ("tell docs to pause"); undefined for other texts. */
function asOrder(message: string, whom: Whom, teams: readonly string[]): ChatCommand | undefined {
  if (message.includes('\n') || message.length > longestCommand) return undefined
  if (isStatus(message)) return { kind: 'status', whom }
  return bareOrder(tokensOf(message, new Set(teams)), whom, teams)
}

function isStatus(message: string): boolean {
  return asksForStatus.test(message.replace(/[\s?!.,;]+$/u, '').replace(/[\s,]*\bplease$/iu, ''))
}

/** Whom a text is for, and what it says to them. */
interface Addressed {
  readonly whom: Whom
  readonly rest: string
}

const nextWord =
  /^(\s*(?:,\s*)?(and\s+|&\s*|\+\s*)?(?:the\s+)?(?:teams?\s+)?)["'`*#]?([\p{L}\p{N}*-]+)["'`*]?/iu
const exception = /^[\s,]*(?:except(?:\s+for)?|but(?:\s+not)?|apart\s+from|other\s+than|excluding)\s+/iu

/** Where the words for the recipients may end, and the message to them begin. */
const messageStart =
  /\s*:|,?\s+(?=(?:to|that|please|whether|if|what|why|how|when|which|where|for|about)\b)/giu
/** Most such places that are tried in a text. */
const mostStarts = 8
/** Words behind "all" or "them" which say that not all of them are meant. */
const narrowing = new RegExp(
  String.raw`^[\s,]*(?:${[
    ...exceptPhrases.map((words) => words.join(String.raw`\s+`)),
    ...stateWords.keys(),
    'else|others?|rest|who|whom|whose|which|that\\s+(?:is|are|was|were|has|have|had)|is|are|was|were|of|in|on|from|with|and|or',
    'both|all|each|every|one|ones|two|three|four|teams?|the|other|currently|still|already|\\d+',
  ].join('|')})\b`,
  'iu',
)
/** Words that make the last of several names a subject and no recipient: "tell docs, api is late". */
const toldOfLast =
  /^\s*(?:is|are|was|were|has|have|had|will|would|can|could|should|must|may|might|do|does|did|needs?|or)\b/iu
/** What may be said behind a name that a comma joins: "tell docs, api to hurry". */
const saidBehindList =
  /^\s*(?:$|[:,–—-]|(?:to|that|please|whether|if|what|why|how|when|which|where|for|about)\b)/iu

/**
 * The teams that a text begins with, and the rest of it; the unknown team where one is named; undefined where
 * it begins with something else, or leaves open who is meant.
 */
function addresseesOf(text: string, teams: readonly string[]): Addressed | UnknownTeam | undefined {
  const first = nextWord.exec(text)
  const word = first?.[3]?.toLowerCase() ?? ''
  const rest = text.slice(first?.[0].length ?? 0)
  if (teams.includes(word)) return namesIn(text, teams)
  const described = describedIn(text, teams)
  if (described !== undefined) return described
  if (lastWords.has(word) && word !== 'that' && word !== 'this') {
    const behind = rest.replace(/^\s+of\s+them\b/iu, '')
    if (isNarrowed(behind, teams)) return undefined
    return { whom: { of: 'last', number: lastWords.get(word) ?? 'some' }, rest: behind }
  }
  if (!allWords.has(word)) return namesIn(text, teams)
  const behind = rest.replace(/^\s+(?:of\s+)?(?:the\s+)?teams?\b/iu, '')
  const [cut] = exception.exec(behind) ?? []
  if (cut === undefined) return isNarrowed(behind, teams) ? undefined : { whom: everybody, rest: behind }
  const left = namesIn(behind.slice(cut.length), teams)
  if (left === undefined || 'kind' in left || left.whom.of !== 'named') return left
  return { whom: { of: 'all', except: left.whom.teams }, rest: left.rest }
}

/** `all paused teams to …`, `both docs and api: …`, `everyone who is blocked that …`: the longest that means teams. */
function describedIn(text: string, teams: readonly string[]): Addressed | undefined {
  const known = new Set(teams)
  const starts = [...text.slice(0, longestCommand).matchAll(messageStart)].slice(0, mostStarts)
  for (const { index, 0: sign } of starts.toReversed()) {
    const found = whomIn(tokensOf(text.slice(0, index), known), teams)
    if (found.kind === 'whom') return { whom: found.whom, rest: text.slice(index + sign.length) }
  }
  return undefined
}

function isNarrowed(behind: string, teams: readonly string[]): boolean {
  const [, name = ''] = /^[\s,]*["'`*#]?([\p{L}\p{N}-]+)/u.exec(behind) ?? []
  return narrowing.test(behind) || teams.includes(name.toLowerCase())
}

function namesIn(text: string, teams: readonly string[]): Addressed | UnknownTeam | undefined {
  const found: string[] = []
  let rest = text
  let isJoinedByComma = false
  for (;;) {
    const next = nextWord.exec(rest)
    if (next === null) break
    const [whole, , joined = '', word = ''] = next
    const token = word.toLowerCase()
    const isFirst = found.length === 0
    if (!isFirst && joined === '' && !/^\s*,/u.test(rest)) break
    if (!teams.includes(token)) {
      const isNear = nearTeam(token, teams) !== undefined
      if (isFirst && (!couldBeName(token) || (!isNear && !/^\S+\s+\S/u.test(rest.trim())))) return undefined
      // "tell docs and apii to hurry" is for nobody; "tell docs, write it down" is for docs
      if (isFirst || isNear || joined !== '') return unknownTeam(token, teams)
      break
    }
    found.push(token)
    isJoinedByComma = !isFirst && joined === ''
    rest = rest.slice(whole.length).replace(/^\s*team\b/iu, '')
  }
  const isOpen = isJoinedByComma
    ? !saidBehindList.test(rest)
    : found.length > 1
      ? toldOfLast.test(rest)
      : /^\s*or\b/iu.test(rest)
  return found.length === 0 || isOpen ? undefined : { whom: named(found), rest }
}
