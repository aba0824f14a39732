import { closestName } from '../protocol/nearest-name.ts'
import { quotedLines } from './mention.ts'
import { addresseesOf, meansWhoIsThere, teamsIn, type UnknownTeam } from './named-teams.ts'
import {
  asksForStatus,
  askVerbs,
  controlVerbs,
  everyVerb,
  helpWords,
  inboxWords,
  kindWords,
  politeBefore,
  politeBehind,
  statusAlone,
  statusQuestions,
  statusWords,
  teamQuestions,
  tellVerbs,
  toldToAnswer,
  type ControlKind,
} from './phrases.ts'

/** What a person asked for, as far as code understands it. */
export type ChatCommand =
  | { readonly kind: 'status'; readonly teams: readonly string[] }
  | { readonly kind: ControlKind; readonly teams: readonly string[]; readonly all: boolean }
  | { readonly kind: 'tell' | 'ask'; readonly teams: readonly string[]; readonly text: string }
  | { readonly kind: 'inbox' }
  | { readonly kind: 'help' }
  /** It is kind, and asks for nothing. */
  | { readonly kind: 'thanks' }
  | UnknownTeam
  /** It does not say which team, or what. */
  | { readonly kind: 'incomplete'; readonly verb: string }
  /** For whoever understands more than code does. */
  | { readonly kind: 'free'; readonly text: string }

/** What is longer is said to a team, or is no command, in characters. */
const longestCommand = 500

/**
 * Reads what a person said to the federation. Only what is understood whole is a command; anything that says more
 * is left to whoever understands it.
 * @param teams ids of the registered teams: no other name ever goes on.
 */
export function commandOf(said: string, teams: readonly string[]): ChatCommand {
  const text = said.trim()
  const isShort = text.length <= longestCommand
  return (isShort ? shortCommand(text, teams) : toldOf(text, teams)) ?? { kind: 'free', text }
}

function shortCommand(text: string, teams: readonly string[]): ChatCommand | undefined {
  if (kindWords.test(text.toLowerCase()) || /^[\p{Extended_Pictographic}\p{M}\u200D\s]+$/u.test(text))
    return { kind: 'thanks' }
  const { words, isAsked, isRequest } = plain(text)
  if (helpWords.test(words) || /^[?!.\s]*$/u.test(text)) return { kind: 'help' }
  if (inboxWords.test(words)) return { kind: 'inbox' }
  if (statusAlone.test(words)) return { kind: 'status', teams: [] }
  const understood = statusOf(words, teams) ?? toldOf(text, teams)
  if (understood !== undefined) return understood
  // "pause docs?" asks whether; "can you pause docs?" asks for it
  return isAsked && !isRequest ? undefined : (controlOf(words, teams) ?? calledOn(text, teams))
}

/**
 * The command that a misspelt first word was probably to begin; undefined where none is near.
 */
export function meantBy(said: string, teams: readonly string[]): string | undefined {
  if (said.length > longestCommand) return undefined
  const { words } = plain(said)
  const [first = '', ...rest] = words.split(' ')
  const verb = closestName(first, [...everyVerb, 'status', 'inbox', 'help'])
  const meant = [verb, ...rest].join(' ')
  const isCommand = verb !== undefined && 'teams' in commandOf(meant, teams)
  return isCommand || ['status', 'inbox', 'help'].includes(meant) ? meant : undefined
}

/** In small letters, without what is said only to be polite. */
function plain(text: string): { words: string; isAsked: boolean; isRequest: boolean } {
  const spoken = text.replace(quotedLines, '').replace(/[\p{Extended_Pictographic}\uFE0F\u200D]+/gu, ' ')
  const isAsked = /\?[\s?!.]*$/u.test(spoken)
  let words = spoken
    .replace(/[’‘]/gu, "'")
    .replace(/\s+/gu, ' ')
    .replace(/[\s?!.,;:]+$/u, '')
    .trim()
  let isRequest = false
  for (let before = ''; before !== words;) {
    before = words
    if (/^(?:can|could|would|will) you\b/iu.test(words)) isRequest = true
    // what is only polite says something all the same
    words = words.replace(politeBefore, '') || words
    words = words.replace(politeBehind, '').replace(/[\s?!.,;:]+$/u, '') || words
  }
  return { words: words.toLowerCase().trim(), isAsked, isRequest }
}

function statusOf(words: string, teams: readonly string[]): ChatCommand | undefined {
  const tokens = words.split(' ')
  for (let end = tokens.length; end >= 1; end -= 1) {
    const head = tokens.slice(0, end).join(' ')
    const isQuestion = statusQuestions.test(head)
    if (!isQuestion && !statusWords.test(head)) continue
    const rest = tokens.slice(end).join(' ')
    const named = teamsIn(rest, teams)
    if (named.kind === 'all' || (named.kind === 'none' && !isQuestion)) return { kind: 'status', teams: [] }
    if (named.kind === 'teams') return { kind: 'status', teams: named.teams }
    if (named.kind === 'unknown' && !isQuestion) return named.command
  }
  // "docs?"
  for (const question of [...teamQuestions, /^(.*)$/u]) {
    const [, subject] = question.exec(words) ?? []
    const named = subject === undefined ? undefined : teamsIn(subject, teams)
    if (named?.kind === 'teams') return { kind: 'status', teams: named.teams }
  }
  return undefined
}

function controlOf(words: string, teams: readonly string[]): ChatCommand | undefined {
  for (const [kind, verbs] of Object.entries(controlVerbs) as [ControlKind, readonly string[]][]) {
    for (const verb of verbs) {
      if (words !== verb && !words.startsWith(`${verb} `)) continue
      const rest = words.slice(verb.length)
      const named = teamsIn(rest, teams)
      if (named.kind === 'all') return { kind, teams: [], all: true }
      if (named.kind === 'teams') return { kind, teams: named.teams, all: false }
      if (named.kind === 'unknown') return named.command
      // "hold on" means no team
      if (named.kind === 'prose' || !meansWhoIsThere(rest)) continue
      const [only, ...others] = teams
      // where there is one team, it is meant
      return only !== undefined && others.length === 0
        ? { kind, teams: [only], all: false }
        : { kind: 'incomplete', verb }
    }
  }
  return undefined
}

/** `docs: pause`, `docs, please pause` */
function calledOn(text: string, teams: readonly string[]): ChatCommand | undefined {
  const addressed = addresseesOf(text, teams)
  if (addressed === undefined || 'kind' in addressed) return undefined
  return asControl(addressed.rest.replace(/^[\s,:]+/u, ''), addressed.teams)
}

/** `tell <team> <directive>`, `ask <team> <question>`; the text stays as it was written. */
function toldOf(said: string, teams: readonly string[]): ChatCommand | undefined {
  let text = said
  for (let before = ''; before !== text;) {
    before = text
    text = text.replace(politeBefore, '')
  }
  const [, verb = '', rest = ''] = /^(\p{L}+)\b[\s,:]*([\s\S]*)$/u.exec(text) ?? []
  const isTold = tellVerbs.includes(verb.toLowerCase())
  if (!isTold && !askVerbs.includes(verb.toLowerCase())) return undefined
  const addressed = addresseesOf(rest, teams)
  if (addressed === undefined)
    return rest.trim() === '' ? { kind: 'incomplete', verb: verb.toLowerCase() } : undefined
  if ('kind' in addressed) return addressed
  const words = addressed.rest.replace(/^[\s,:;–—-]+/u, '').trim()
  const [, todo] = /^to\s+(\S[\s\S]*)$/iu.exec(words) ?? []
  const message = isTold ? (todo ?? words) : words
  if (message === '') return { kind: 'incomplete', verb: verb.toLowerCase() }
  const { teams: named } = addressed
  if (isTold) return asControl(message, named) ?? { kind: 'tell', teams: named, text: message }
  // "ask docs to pause" asks nothing
  if (todo !== undefined && !toldToAnswer.test(todo))
    return asControl(todo, named) ?? { kind: 'tell', teams: named, text: todo }
  if (message.length <= longestCommand && asksForStatus.test(plain(message).words))
    return { kind: 'status', teams: named }
  return { kind: 'ask', teams: named, text: message }
}

/** "tell docs to pause" is no mission, and neither is "tell docs status". */
function asControl(message: string, teams: readonly string[]): ChatCommand | undefined {
  if (message.includes('\n') || message.length > longestCommand) return undefined
  const { words } = plain(message)
  if (statusWords.test(words)) return { kind: 'status', teams }
  const kinds = Object.entries(controlVerbs) as [ControlKind, readonly string[]][]
  const [kind] = kinds.find(([, verbs]) => verbs.includes(words)) ?? []
  return kind === undefined ? undefined : { kind, teams, all: false }
}
