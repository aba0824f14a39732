import { closestName, nearestName } from '../../../protocol/nearest-name.ts'
import { everybody, named, type TeamState, type UnknownTeam, type Whom } from './chat-command.ts'
import {
  allWords,
  everyVerb,
  exceptPhrases,
  lastWords,
  stateLinks,
  stateWords,
  teamFillers,
} from './lexicon.ts'
import { standsAt, trimmed, type Token } from './tokens.ts'

/** Whom some words mean. */
export type Named =
  | { readonly kind: 'whom'; readonly whom: Whom }
  /** Only filler words, and no team. */
  | { readonly kind: 'nobody' }
  /** Words that are no list of teams. */
  | { readonly kind: 'prose' }
  /** A list with a name that no team has. */
  | { readonly kind: 'unknown'; readonly command: UnknownTeam }

/** Words that are never taken for the name of an unknown team. */
const noTeams = new Set(
  (
    'me us you yourself what why how who whether if when where about for a an in from by until till at to on ' +
    'someone somebody nobody people not never tomorrow today tonight later soon after before once while because over now any some none no nothing'
  ).split(' '),
)
const looksLikeId = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const prose: Named = { kind: 'prose' }

/**
 * Whom some words mean, all words accounted for: teams by name, all teams, all but some, those in a state, or
 * those that the conversation was last about. With one unknown name among them, nobody is meant.
 */
export function whomIn(given: readonly Token[], teams: readonly string[]): Named {
  const known = new Set(teams)
  const tokens = trimmed(given)
  const cut = exceptionIn(tokens, known)
  if (cut === undefined) return setIn(tokens, known)
  const [at, length] = cut
  const base = setIn(tokens.slice(0, at), known)
  const left = listIn(tokens.slice(at + length), known)
  if (left.kind !== 'whom') return left.kind === 'nobody' ? prose : left
  if (base.kind !== 'whom' || base.whom.of === 'named' || left.whom.of !== 'named') return prose
  return { kind: 'whom', whom: { ...base.whom, except: left.whom.teams } }
}

/** Place and number of words of what leaves teams out ("except", "but not"); undefined where nothing does. */
function exceptionIn(tokens: readonly Token[], known: ReadonlySet<string>): [number, number] | undefined {
  for (let at = 1; at < tokens.length; at += 1) {
    const word = tokens[at]?.word ?? ''
    if (known.has(word)) continue
    const found = exceptPhrases.find((one) => standsAt(tokens, at, one))
    if (found !== undefined) return [at, found.length]
  }
  return undefined
}

function setIn(tokens: readonly Token[], known: ReadonlySet<string>): Named {
  const said = tokens.filter(({ word }) => word !== ',' && (known.has(word) || !teamFillers.has(word)))
  if (said.length === 0) return { kind: 'nobody' }
  const words = said.map(({ word }) => word)
  if (!words.some((word) => known.has(word))) {
    const last = lastIn(tokens, words)
    if (last !== undefined) return { kind: 'whom', whom: last }
    const all = allIn(tokens, words)
    if (all !== undefined) return { kind: 'whom', whom: all }
  }
  return listIn(tokens, known)
}

/** `it`, `both of them`, `those two`, `all of them`. */
function lastIn(tokens: readonly Token[], words: readonly string[]): Whom | undefined {
  const pronouns = words.filter((word) => lastWords.has(word))
  const rest = words.filter((word) => !lastWords.has(word))
  // "one of them" does not say which
  if (tokens.some(({ word }, at) => word === 'one' && tokens[at + 1]?.word === 'of')) return undefined
  if (pronouns.length === 0 || tokens.some(({ word }) => word === ',')) return undefined
  if (rest.length === 1 && rest[0] === 'two') return { of: 'last', number: 'two' }
  if (rest.length === 1 && (rest[0] === 'all' || rest[0] === 'each')) return { of: 'last', number: 'all' }
  if (rest.length > 0) return undefined
  if (pronouns.includes('both')) return { of: 'last', number: 'two' }
  const number = lastWords.get(pronouns[0] as string)
  return pronouns.length === 1 && number !== undefined ? { of: 'last', number } : undefined
}

/** `everybody`, `all paused teams`, `everything that is finished`, `the failed ones`. */
function allIn(tokens: readonly Token[], words: readonly string[]): Whom | undefined {
  const states = words.flatMap((word) => stateWords.get(word) ?? [])
  const hasAll = words.some((word) => allWords.has(word))
  const isKnown = words.every((word) => allWords.has(word) || stateWords.has(word) || stateLinks.has(word))
  const areTeams = tokens.some(({ word }) => /^(?:teams?|ones)$/u.test(word))
  if (!isKnown || !(hasAll || areTeams) || states.length > 1) return undefined
  const [state] = states
  if (state === undefined) return words.every((word) => allWords.has(word)) && hasAll ? everybody : undefined
  return { of: 'all', state: state satisfies TeamState }
}

/** Names, one after the other. */
function listIn(tokens: readonly Token[], known: ReadonlySet<string>): Named {
  const areBoth = tokens.filter(({ word }) => known.has(word)).length > 1
  const isNoise = ({ word }: Token) =>
    !known.has(word) && (word === ',' || teamFillers.has(word) || (areBoth && word === 'both'))
  const names = tokens.filter((token) => !isNoise(token)).map(({ word }) => word)
  if (names.length === 0) return { kind: 'nobody' }
  const given = names.find((name) => !known.has(name))
  if (given === undefined) return areApart(tokens, known) ? { kind: 'whom', whom: named(names) } : prose
  const isProse = names.some(
    (word) =>
      !known.has(word) &&
      (!looksLikeId.test(word) ||
        noTeams.has(word) ||
        everyVerb.has(word) ||
        allWords.has(word) ||
        lastWords.has(word) ||
        stateWords.has(word)),
  )
  // "run the tests" and "pause docs until tomorrow" are about something else than a team
  const hasArticle = tokens[tokens.findIndex(({ word }) => word === given) - 1]?.word === 'the'
  const isName = nearTeam(given, [...known]) !== undefined || (isList(tokens, isNoise) && !hasArticle)
  if (isProse || !isName) return prose
  return { kind: 'unknown', command: unknownTeam(given, [...known]) }
}

/** Whether each name is one of a list: "the review of docs", "the api docs" and "build test the docs" say more. */
function areApart(tokens: readonly Token[], known: ReadonlySet<string>): boolean {
  const isArticle = (word: string | undefined) => /^(?:the|our|my|your)$/u.test(word ?? '')
  let hasArticle = false
  return tokens.every(({ word }, at) => {
    const before = tokens[at - 1]?.word
    if (known.has(word) && at > 0 && known.has(before ?? '')) return !hasArticle
    if (isArticle(word) && known.has(tokens[at + 1]?.word ?? '')) {
      hasArticle = true
      return !known.has(before ?? '')
    }
    if (!known.has(word)) hasArticle = false
    return !(word === 'of' && known.has(before ?? ''))
  })
}

/** Whether something joins each name to the next. */
function isList(tokens: readonly Token[], isNoise: (token: Token) => boolean): boolean {
  let isJoined = true
  for (const token of tokens) {
    if (/^(?:,|and|und|plus)$/u.test(token.word)) isJoined = true
    else if (!isNoise(token)) {
      if (!isJoined) return false
      isJoined = false
    }
  }
  return true
}

/** The team that a misspelt name means; undefined where none is near. */
export function nearTeam(given: string, teams: readonly string[]): string | undefined {
  return nearestName(given, teams) ?? closestName(given, teams)
}

export function unknownTeam(given: string, teams: readonly string[]): UnknownTeam {
  return { kind: 'unknown-team', given: given.slice(0, 64), nearest: nearTeam(given, teams) ?? null }
}

/** Whether a word could be the name of a team that there is not. */
export function couldBeName(word: string): boolean {
  return looksLikeId.test(word) && !noTeams.has(word) && !lastWords.has(word)
}
