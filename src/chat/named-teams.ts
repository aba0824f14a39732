import { closestName, nearestName } from '../protocol/nearest-name.ts'
import { everyVerb } from './phrases.ts'

/** A name that no team has. */
export interface UnknownTeam {
  readonly kind: 'unknown-team'
  readonly given: string
  /** The team that was probably meant. */
  readonly nearest: string | null
}

/** Whom some words mean. */
type Named =
  /** Nobody, everybody, or something else than teams. */
  | { readonly kind: 'none' | 'all' | 'prose' }
  | { readonly kind: 'teams'; readonly teams: readonly string[] }
  | { readonly kind: 'unknown'; readonly command: UnknownTeam }

/** Words around a team's name that say nothing. */
const fillers = new Set(
  'the team teams doing going getting along of on at with to up about right now'.split(' '),
)
const joiner = /\s*[,;&+]\s*|\s+(?:and|und|as well as)\s+/u
const joiners = new Set(['and', '&', '+', 'und', 'as', 'well'])
const everybody = new Set(['all', 'everything', 'everyone', 'everybody', '*'])
/** Words that no team is meant by, whatever stands where a team could. */
const noTeams = new Set(
  (
    'me us him her it that this these those yourself you them what why how who whether if when where about for ' +
    'a an my our your someone somebody anyone anybody nobody people one in from by not only just except but'
  ).split(' '),
)
const looksLikeId = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Whether some words are only the team or teams that there are. */
export function meansWhoIsThere(text: string): boolean {
  return /^\s*(?:(?:the\s+)?teams?)?\s*$/iu.test(text)
}

/** Whom a list of names means. All or nothing: with a name that is unknown, nothing is done for the others either. */
export function teamsIn(text: string, teams: readonly string[]): Named {
  const known = new Set(teams)
  const isNoise = (token: string) => !known.has(token) && (fillers.has(token) || joiners.has(token))
  const namesIn = (part: string) => wordsOf(part).filter((token) => !isNoise(token))
  const named = [...new Set(namesIn(text))]
  if (named.length === 0) return { kind: 'none' }
  const isEverybody = (token: string) => everybody.has(token) && !known.has(token)
  if (named.length === 1 && isEverybody(named[0] as string)) return { kind: 'all' }
  const unknown = named.filter((token) => !known.has(token))
  const [given] = unknown
  if (given === undefined) return { kind: 'teams', teams: named }
  const isProse = unknown.some(
    (token) => !looksLikeId.test(token) || noTeams.has(token) || everyVerb.has(token) || isEverybody(token),
  )
  // "run the tests" and "pause docs until tomorrow" are about something else than a team
  const isList = text.split(joiner).every((part) => namesIn(part).length <= 1)
  const hasArticle = wordsOf(text)[wordsOf(text).indexOf(given) - 1] === 'the'
  const isName = nearTeam(given, teams) !== undefined || (isList && !hasArticle)
  if (isProse || !isName) return { kind: 'prose' }
  return { kind: 'unknown', command: unknownTeam(given, teams) }
}

/** In small letters, without the signs that people put around a name. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;]+/u)
    .map((token) => token.replace(/^['"`(*#]+(?=[^*])|['"`)*]+$/gu, '').replace(/'s$/u, '') || token)
    .filter((token) => token !== '')
}

/** The team that a misspelt name means. */
function nearTeam(given: string, teams: readonly string[]): string | undefined {
  return nearestName(given, teams) ?? closestName(given, teams)
}

function unknownTeam(given: string, teams: readonly string[]): UnknownTeam {
  return { kind: 'unknown-team', given: given.slice(0, 64), nearest: nearTeam(given, teams) ?? null }
}

/** Whom a text is for, and what it says to them. */
interface Addressed {
  readonly teams: readonly string[]
  readonly rest: string
}

/**
 * The teams that a text begins with, and what comes behind them; undefined when it begins with something else, and
 * the unknown team where one is named.
 */
export function addresseesOf(text: string, teams: readonly string[]): Addressed | UnknownTeam | undefined {
  const named: string[] = []
  let rest = text
  for (;;) {
    const next =
      /^(\s*(?:,\s*)?(and\s+|&\s*|\+\s*)?(?:the\s+)?(?:team\s+)?)["'`*#]?([\p{L}\p{N}*-]+)["'`*]?/iu.exec(
        rest,
      )
    if (next === null) break
    const [whole, , joined = '', word = ''] = next
    const token = word.toLowerCase()
    const isFirst = named.length === 0
    if (!isFirst && joined === '' && !/^\s*,/u.test(rest)) break
    if (isFirst && everybody.has(token) && !teams.includes(token))
      return { teams, rest: rest.slice(whole.length).replace(/^\s+(?:of\s+)?(?:the\s+)?teams?\b/iu, '') }
    if (!teams.includes(token)) {
      const isNear = nearTeam(token, teams) !== undefined
      const isName = looksLikeId.test(token) && !noTeams.has(token)
      if (isFirst && (!isName || (!isNear && !/^\S+\s+\S/u.test(rest.trim())))) return undefined
      // "tell docs and apii to hurry" is for nobody; "tell docs, write it down" is for docs
      if (isFirst || isNear || joined !== '') return unknownTeam(token, teams)
      break
    }
    named.push(token)
    rest = rest.slice(whole.length).replace(/^\s*team\b/iu, '')
  }
  return named.length === 0 ? undefined : { teams: [...new Set(named)], rest }
}
