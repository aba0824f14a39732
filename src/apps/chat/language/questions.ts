import {
  controlKinds,
  everybody,
  type ChatCommand,
  type TeamState,
  type Topic,
  type UnknownTeam,
  type Whom,
} from './chat-command.ts'
import {
  allWords,
  everyVerb,
  exceptPhrases,
  lastWords,
  orderPhrases,
  questionWords,
  stateWords,
  teamFillers,
  topicWords,
} from './lexicon.ts'
import { couldBeName, nearTeam, unknownTeam, whomIn } from './team-set.ts'
import { standsAt, trimmed, type Token } from './tokens.ts'

const phrases = (text: string) => text.split('|').map((one) => one.trim().split(/\s+/u))

/** Turns of phrase that mean something else than their words, and the words that each stands for. */
const idioms: readonly (readonly [readonly string[], readonly string[]])[] = [
  ...phrases(
    `how is it going|how are things going|how goes it|how are we looking|how do we look|how are we doing|
     how are you doing|how is it looking|how are things|what is up|what is new|what is going on|where do we stand|
     where are we at|where are we|where do things stand|how do we stand|how far along are we|bring me up to speed|
     what is happening|catch me up|fill me in|what did i miss|what have i missed|are we there yet|are we done yet|
     are we done|how is everything|how are you|what is being done|what are you up to|what are you doing|how is that going`,
  ).map((said) => [said, ['status']] as const),
  ...phrases(
    `held up|holding up|of being blocked|waiting for an answer|waiting on an answer|in trouble|not moving|in the way|hung up|falling behind|behind schedule|at risk`,
  ).map((said) => [said, ['blocked']] as const),
  ...phrases(
    `wait for me|waiting for me|waits for me|wait for us|waiting for us|waiting on me|waits on me|wait on me|
     waiting on us|to do|look at|take a look|keep an eye on|have to do|hear from me|step in|take care of|go wrong|
     gone wrong|went wrong|i be worried|i worry|should i do|should we do|must i do|must we do|should i know`,
  ).map((said) => [said, ['needs']] as const),
  ...phrases(
    `what happened to|what happened with|how come|for what reason|what stopped|what broke|
     what is wrong with|what went wrong with|what is the matter with|what is the problem with|
     what is the issue with|what is up with|what paused|who paused|who stopped|who archived|what for`,
  ).map((said) => [said, ['why']] as const),
  ...phrases(
    `what is blocking|what is stopping|what is keeping|what is delaying|what blocks|what stops|what holds up|
     what is holding up|what is holding|what is the holdup with|what is the hold up with|what is in the way of`,
  ).map((said) => [said, ['why', 'blocked']] as const),
  ...phrases('waiting for|waiting on|wait for|waits for').map((said) => [said, ['why']] as const),
  ...phrases('so far|at the moment|right now|a lot|as of now|in total|all in all|at all|by now').map(
    (said) => [said, []] as const,
  ),
  ...phrases('how much longer|how much time|how much is left|how long').map(
    (said) => [said, ['status']] as const,
  ),
  ...phrases(
    `anything for me|leave me a message|left me a message|anything for us|anything new for me|anything new for us|something for me|what is waiting|
     anything waiting|what do you have for me|what have you got for me`,
  ).map((said) => [said, ['inbox']] as const),
  ...phrases('how much|how many').map((said) => [said, ['how-much']] as const),
  ...phrases('any luck|any word|anything new|something new').map((said) => [said, ['status']] as const),
]

/**
 * The question in a message, whatever the order of its words; undefined where any of them is unknown: then it
 * is left to the agent. A question changes nothing, so the order of its words need not be sure.
 * @param isAsked whether it ends with a question mark.
 */
export function questionIn(
  given: readonly Token[],
  teams: readonly string[],
  isAsked: boolean,
): ChatCommand | undefined {
  const known = new Set(teams)
  const tokens = withoutIdioms(trimmed(given), known)
  const { whom, rest } = teamsOf(tokens, teams)
  if (whom === undefined) return undefined
  if ('kind' in whom) return whom
  const words = rest.map(({ word }) => word).filter((word) => !/^[,.:]$/u.test(word))
  const states = words.flatMap((word) => stateWords.get(word) ?? [])
  const isAboutSome = whom.named !== undefined && whom.named.of !== 'all'
  const topic = topicOf(words, states, isAboutSome)
  if (topic === 'inbox')
    return words.every(isKnown) && whom.named === undefined ? { kind: 'inbox' } : undefined
  const isNegated = words.includes('not') && topic !== 'why'
  // "why did you pause docs?", "when will docs resume?"; "should I pause docs?" is another question
  const isPastOrder = topic === 'why' || (words.includes('when') && words.includes('will'))
  const isSaid = (word: string) => isKnown(word) || word === 'not' || (isPastOrder && isControl(word))
  // "web waits for docs. pause it" gives an order as well
  if (given.some(({ word }, at) => !known.has(word) && isControl(word) && beginsAnew(given, at)))
    return undefined
  if (!words.every(isSaid) || (isNegated && whom.named?.of !== 'named')) return undefined
  if (topic !== undefined) return aboutTeams(topic, whom.named, states)
  // "docs?"
  const isBare = words.every((word) => teamFillers.has(word)) && (isAsked || words.length === 0)
  const opens = /^(?:how|what|where|is|are|show|any|about|check|tell|give|has|have|did|get)$/u.test(
    words[0] ?? '',
  )
  if (whom.named === undefined || !(isBare || opens)) return undefined
  return { kind: 'status', whom: whom.named }
}

function aboutTeams(topic: Topic, named: Whom | undefined, states: readonly TeamState[]): ChatCommand {
  const [state] = states
  if (named?.of === 'all' && named.state === undefined && topic === 'status' && state !== undefined)
    return { kind: 'status', whom: { ...named, ...(states.length === 1 ? { state } : {}) } }
  if (named !== undefined) return { kind: topic, whom: named }
  if (topic === 'why') return { kind: 'why', whom: state === undefined ? lastOnes : { of: 'all', state } }
  // who is blocked is asked to know why
  if (state === 'blocked') return { kind: 'why', whom: { of: 'all', state } }
  if (topic === 'status' && states.length === 1 && state !== undefined)
    return { kind: 'status', whom: { of: 'all', state } }
  return { kind: topic, whom: everybody }
}

const lastOnes: Whom = { of: 'last', number: 'some' }

function topicOf(
  words: readonly string[],
  states: readonly TeamState[],
  isAboutSome: boolean,
): Topic | 'inbox' | undefined {
  const has = (topic: keyof typeof topicWords) => words.some((word) => topicWords[topic].has(word))
  if (has('why')) return 'why'
  if (has('cost')) return 'cost'
  if (has('inbox')) return 'inbox'
  if (states.includes('blocked')) return isAboutSome ? 'why' : 'status'
  if (has('needs') && !has('status')) return 'needs'
  if (has('status') || states.length > 0 || (isAboutSome && words.includes('when'))) return 'status'
  // "which teams are there?"
  const listsTeams = words.some((word) => /^(?:teams?|everyone)$/u.test(word)) && !isAboutSome
  return listsTeams && words.every(isKnown) ? 'status' : undefined
}

function beginsAnew(tokens: readonly Token[], at: number): boolean {
  const [opening = '', asked = '', before = ''] = [3, 2, 1].map((back) => tokens[at - back]?.word)
  const isAskedFor =
    before === 'you' && /^(?:can|could|would|will)$/u.test(asked) && !/^(?:when|why|how)$/u.test(opening)
  return at === 0 || isAskedFor || /^(?:[,.:]|and|then|so|please)$/u.test(before)
}

function isControl(word: string): boolean {
  return controlKinds.some((kind) => orderPhrases[kind].some((one) => one.length === 1 && one[0] === word))
}

function isKnown(word: string): boolean {
  return (
    questionWords.has(word) ||
    teamFillers.has(word) ||
    stateWords.has(word) ||
    word === 'how-much' ||
    Object.values(topicWords).some((words) => words.has(word))
  )
}

function withoutIdioms(tokens: readonly Token[], known: ReadonlySet<string>): Token[] {
  const result: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] as Token
    const [said, meant] = (known.has(token.word) ? undefined : longestIdiom(tokens, at)) ?? [[], [token.word]]
    result.push(...meant.map((word) => ({ word })))
    at += said.length || 1
  }
  return result
}

function longestIdiom(tokens: readonly Token[], at: number) {
  return idioms
    .filter(([said]) => standsAt(tokens, at, said))
    .toSorted(([a], [b]) => b.length - a.length)
    .at(0)
}

interface Asked {
  readonly whom: { readonly named: Whom | undefined } | UnknownTeam | undefined
  /** What is said beside the teams. */
  readonly rest: readonly Token[]
}

/** Takes the teams out of a question: names and what joins them, all but some, or a word for the last ones. */
function teamsOf(tokens: readonly Token[], teams: readonly string[]): Asked {
  const known = new Set(teams)
  const means = ({ word }: Token) => known.has(word) || allWords.has(word) || lastWords.has(word)
  const first = tokens.findIndex(means)
  if (first < 0) return strangerIn(tokens, teams)
  const last = tokens.findLastIndex(means)
  const isGlue = (token: Token) =>
    means(token) || /^(?:,|of|two)$/u.test(token.word) || teamFillers.has(token.word) || isExcept(token.word)
  const between = tokens.slice(first, last + 1)
  const rest = [...tokens.slice(0, first), ...tokens.slice(last + 1)]
  // "is anything that docs does wrong": the words between say something
  const span = between.every(isGlue) ? between : between.filter((token) => known.has(token.word))
  const outside = between.every(isGlue) ? rest : [...rest, ...between.filter(({ word }) => !known.has(word))]
  const isIdle = ({ word }: Token) => !known.has(word) && (lastWords.has(word) || allWords.has(word))
  if (span.length === 0)
    return { whom: { named: everybody }, rest: outside.filter((token) => !isIdle(token)) }
  const found = whomIn(span, teams)
  if (found.kind === 'unknown') return { whom: found.command, rest: outside }
  if (found.kind !== 'whom') return { whom: undefined, rest: outside }
  const { whom } = found
  const isFree = whom.of === 'all' && whom.except === undefined && /^any/u.test(span[0]?.word ?? '')
  return {
    whom: { named: isFree ? undefined : whom },
    rest: outside.filter((token) => !isIdle(token) || whom.of !== 'named'),
  }
}

function isExcept(word: string): boolean {
  return exceptPhrases.some((words) => words.includes(word))
}

/** For a question that names no registered team: one unknown word in it may be a misspelt name. */
function strangerIn(tokens: readonly Token[], teams: readonly string[]): Asked {
  const strangers = tokens.filter(({ word }) => !/^[,.:]$/u.test(word) && !isKnown(word) && word !== 'not')
  const [only, ...others] = strangers
  const isOne =
    only !== undefined && others.length === 0 && couldBeName(only.word) && !everyVerb.has(only.word)
  const at = only === undefined ? -1 : tokens.indexOf(only)
  const stands = /^(?:of|for|about|with|team)$/u.test(tokens[at - 1]?.word ?? '')
  if (isOne && (nearTeam(only.word, teams) !== undefined || (stands && at === tokens.length - 1)))
    return { whom: unknownTeam(only.word, teams), rest: [] }
  return { whom: { named: undefined }, rest: tokens }
}
