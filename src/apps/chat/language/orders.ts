import {
  controlKinds,
  named,
  type ChatCommand,
  type ControlKind,
  type Order,
  type UnknownTeam,
  type Whom,
} from './chat-command.ts'
import { exceptPhrases, orderPhrases, politeBefore, politeBehind, unclearVerbs } from './lexicon.ts'
import { whomIn } from './team-set.ts'
import { standsAt, trimmed, type Token } from './tokens.ts'

type Understood = Order | { readonly kind: 'incomplete'; readonly verb: string } | UnknownTeam

/** Words with which a later order takes an earlier one back. */
const takingBack = new Set(['actually', 'no', 'rather', 'yes', 'well', 'sorry'])
/** Most orders in one message. */
const mostOrders = 10

/** A phrase that orders something, cut where the teams stand. */
interface Pattern {
  readonly kind: ControlKind
  readonly verb: string
  readonly before: readonly string[]
  readonly behind: readonly string[]
}

/** The longest first, so that "get docs running again" is not "get docs running". */
const patterns: readonly Pattern[] = controlKinds
  .flatMap((kind) =>
    orderPhrases[kind].map((words) => {
      const at = words.indexOf('X')
      const before = at < 0 ? words : words.slice(0, at)
      return { kind, verb: before.join(' '), before, behind: at < 0 ? [] : words.slice(at + 1) }
    }),
  )
  .toSorted((a, b) => b.before.length + b.behind.length - (a.before.length + a.behind.length))

/**
 * The order or orders in a message, every word accounted for; undefined where it says anything else. If one
 * of them names an unknown team, or no team, only that fault is returned.
 */
export function ordersIn(tokens: readonly Token[], teams: readonly string[]): ChatCommand | undefined {
  const orders = severalIn(trimmed(tokens), teams, mostOrders)
  const fault = orders?.find((one) => one.kind === 'incomplete' || one.kind === 'unknown-team')
  if (fault !== undefined) return fault
  const [only, ...others] = (orders ?? []) as Order[]
  if (only === undefined) return undefined
  if (others.length === 0) return only
  const all = withNames([only, ...others])
  return all && { kind: 'several', orders: all }
}

/**
 * Replaces "it" and "them" by the teams that earlier orders of the message named, as in "pause docs, then
 * resume it"; undefined where their number does not fit.
 */
function withNames(orders: readonly Order[]): Order[] | undefined {
  const all: Order[] = []
  const before: string[] = []
  for (const order of orders) {
    const { whom } = order
    if (whom.of === 'last' && before.length > 0) {
      const teams = [...new Set(before)]
      if (whom.number === 'one' ? teams.length > 1 : whom.number === 'two' && teams.length !== 2)
        return undefined
      const left = teams.filter((team) => whom.except?.includes(team) !== true)
      all.push({ ...order, whom: named(left) })
      continue
    }
    all.push(order)
    if (whom.of === 'named') before.push(...whom.teams)
    // whoever that may be is no list of names
    else before.length = 0
  }
  return all
}

function severalIn(
  tokens: readonly Token[],
  teams: readonly string[],
  most: number,
): Understood[] | undefined {
  const whole = orderIn(tokens, teams)
  if (whole !== undefined && whole.kind !== 'unknown-team') return [whole]
  const end = most > 1 ? tokens.length - 1 : 0
  for (let at = 1; at < end; at += 1) {
    if (!/^(?:[,.]|and|then|but)$/u.test(tokens[at]?.word ?? '')) continue
    const first = orderIn(tokens.slice(0, at), teams)
    if (first === undefined || first.kind === 'incomplete') continue
    const behind = trimmed(tokens.slice(at + 1))
    // "pause docs, actually resume it" takes back what comes before
    if (takingBack.has(behind[0]?.word ?? '')) return undefined
    const rest = severalIn(behind, teams, most - 1)
    // both would be done at once
    if (rest?.some(({ kind }) => kind === 'resume') === true && lastsAWhile(tokens.slice(0, at)))
      return undefined
    if (rest !== undefined) return [first, ...rest]
  }
  return whole && [whole]
}

function lastsAWhile(tokens: readonly Token[]): boolean {
  return /\bfor (?:now|a while|a bit|the moment|the time being)$/u.test(
    tokens.map(({ word }) => word).join(' '),
  )
}

/** The order in some words, politeness around it left out, or its fault; undefined for any other words. */
export function orderIn(given: readonly Token[], teams: readonly string[]): Understood | undefined {
  // "get docs going again" is another order than "get docs going"
  let fault: Understood | undefined
  for (const tokens of politeForms(given, teams)) {
    const order = calledIn(tokens, teams) ?? orderedIn(tokens, teams) ?? exceptedIn(tokens, teams)
    if (order !== undefined && 'whom' in order) return order
    fault = order ?? fault
  }
  return fault
}

function orderedIn(tokens: readonly Token[], teams: readonly string[]): Understood | undefined {
  for (const pattern of patterns) {
    if (!standsAt(tokens, 0, pattern.before)) continue
    const start = pattern.before.length
    const end = tokens.length - pattern.behind.length
    if (end < start || !standsAt(tokens, end, pattern.behind)) continue
    const order = orderFor(pattern, tokens.slice(start, end), teams)
    if (order !== undefined) return order
  }
  return undefined
}

/** "put everyone on hold except docs": who is left out stands behind the words of the order. */
function exceptedIn(tokens: readonly Token[], teams: readonly string[]): Understood | undefined {
  for (let at = 2; at < tokens.length - 1; at += 1) {
    const found = exceptPhrases.find((words) => standsAt(tokens, at, words))
    if (found === undefined) continue
    const order = orderedIn(tokens.slice(0, at), teams)
    const left = whomIn(tokens.slice(at + found.length), teams)
    if (order === undefined || !('whom' in order) || order.whom.of !== 'all') continue
    if (left.kind !== 'whom' || left.whom.of !== 'named') continue
    return { ...order, whom: { ...order.whom, except: left.whom.teams } }
  }
  return undefined
}

function orderFor(
  { kind, verb, behind }: Pattern,
  tokens: readonly Token[],
  teams: readonly string[],
): Understood | undefined {
  const found = whomIn(tokens, teams)
  if (found.kind === 'whom') return { kind, whom: found.whom }
  if (found.kind === 'unknown') return found.command
  // "hold on" means no team
  const isOnlyTeam = tokens.every(({ word }) => /^(?:the|teams?|agents?)$/u.test(word))
  if (found.kind === 'prose' || !isOnlyTeam || behind.length > 0) return undefined
  return nobodyNamed(kind, verb, teams)
}

/** An order that names no team: for the only team where there is one, else incomplete. */
function nobodyNamed(kind: ControlKind, verb: string, teams: readonly string[]): Understood {
  const [only, ...others] = teams
  return only !== undefined && others.length === 0
    ? { kind, whom: named([only]) }
    : { kind: 'incomplete', verb }
}

/** An order behind the teams that it is for: `docs: pause`, `docs, please pause`; not `docs should pause`. */
function calledIn(tokens: readonly Token[], teams: readonly string[]): Understood | undefined {
  const at = tokens.findLastIndex(({ word }) => word === ':' || word === ',')
  if (at <= 0) return undefined
  const whom = whomIn(tokens.slice(0, at), teams)
  if (whom.kind !== 'whom') return undefined
  return bareOrder(tokens.slice(at + 1), whom.whom, teams)
}

/** The order in words without a team ("pause", "please go on"), for `whom`; undefined for any other words. */
export function bareOrder(given: readonly Token[], whom: Whom, teams: readonly string[]): Order | undefined {
  const tokens = withoutPoliteness(given, teams)
  const said = patterns.find(
    ({ before, behind }) =>
      behind.length === 0 && tokens.length === before.length && standsAt(tokens, 0, before),
  )
  return said && { kind: said.kind, whom }
}

/** What a message says without what is only polite at both ends; all of it where there is nothing else. */
export function withoutPoliteness(given: readonly Token[], teams: readonly string[]): Token[] {
  return politeForms(given, teams).at(-1) as Token[]
}

/** A message without the politeness before it, and then with less and less of that behind it. */
function politeForms(given: readonly Token[], teams: readonly string[]): Token[][] {
  let tokens = trimmed(given)
  for (let length = 1; length > 0;) {
    length = longestOf(politeBefore, (words) => standsAt(tokens, 0, words))
    // a team may be called like a greeting
    if (length === tokens.length || teams.includes(tokens[0]?.word ?? '')) break
    tokens = trimmed(tokens.slice(length))
  }
  // "I want docs paused" wishes for it, "we launch docs" tells of it
  const isWish = /^(?:i|we) (?:want|need|would|like)$/u.test(`${tokens[0]?.word} ${tokens[1]?.word}`)
  if (isWish && !teams.includes(tokens[0]?.word ?? '')) tokens = tokens.slice(1)
  const forms = [tokens]
  for (let length = 1; length > 0;) {
    length = longestOf(politeBehind, (words) => standsAt(tokens, tokens.length - words.length, words))
    if (length === 0 || length === tokens.length || teams.includes(tokens.at(-1)?.word ?? '')) break
    tokens = trimmed(tokens.slice(0, -length))
    forms.push(tokens)
  }
  return forms
}

function longestOf(
  all: readonly (readonly string[])[],
  stands: (words: readonly string[]) => boolean,
): number {
  return Math.max(0, ...all.filter(stands).map((words) => words.length))
}

/** The orders that a verb with several meanings may mean, as people give them; empty for other verbs. */
export function unclearOrder(given: readonly Token[], teams: readonly string[]): string[] {
  const [first, ...rest] = withoutPoliteness(given, teams)
  const kinds = unclearVerbs[first?.word ?? '']
  if (kinds === undefined || whomIn(rest, teams).kind !== 'whom') return []
  return kinds.map((kind) => [kind, ...rest.map(({ word }) => word)].join(' ').replaceAll(' ,', ','))
}
