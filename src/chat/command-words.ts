import { quotedLines } from './mention.ts'
import { closestName, nearestName } from '../protocol/nearest-name.ts'

/** What moves teams. */
export type ControlKind = 'pause' | 'resume' | 'launch' | 'archive' | 'restore'

/** What a person asked for, as far as code understands it. */
export type ChatCommand =
  | { readonly kind: 'status'; readonly teams: readonly string[] }
  | { readonly kind: ControlKind; readonly teams: readonly string[]; readonly all: boolean }
  | { readonly kind: 'tell' | 'ask'; readonly teams: readonly string[]; readonly text: string }
  | { readonly kind: 'inbox' }
  | { readonly kind: 'help' }
  /** It names a team that there is not. */
  | { readonly kind: 'unknown-team'; readonly given: string; readonly nearest: string | null }
  /** It does not say which team, or what. */
  | { readonly kind: 'incomplete'; readonly verb: string }
  /** For whoever understands more than code does. */
  | { readonly kind: 'free'; readonly text: string }

const controlVerbs: Readonly<Record<ControlKind, readonly string[]>> = {
  pause: ['pause', 'hold', 'stop', 'halt', 'freeze', 'suspend'],
  resume: ['resume', 'unpause', 'continue', 'unfreeze', 'go on with', 'carry on with', 'go on', 'carry on'],
  launch: ['launch', 'start', 'run', 'begin', 'kick off', 'relaunch'],
  archive: ['archive', 'put away', 'shelve'],
  restore: ['restore', 'unarchive', 'take back', 'bring back'],
}
const tellVerbs = ['tell', 'instruct', 'direct', 'order']
const askVerbs = ['ask', 'question']
const statusWords =
  /^(?:(?:show|give|get|tell)(?: (?:me|us))? )?(?:the |a |your )?(?:current )?(?:status|state|overview|summary|progress)(?: report)?(?: (?:of|for|on|about))?$/u
const statusQuestions =
  /^(?:how (?:is|are|goes)(?: it| things| everything| everyone)?|how's(?: it| everything)?|what is|what's|whats|where (?:is|are)|where's)$/u
const statusAlone =
  /^(?:how (?:is|are) (?:it|things|everything|everyone|we|you)(?: going| doing)?|how's (?:it|everything)(?: going)?|how goes it|what's up|whats up|what is up|what's going on|what is going on|what's the status|what is the status|where do we stand|where are we|how do we stand|st|stat|update|any update|any news|teams|list|list teams|show teams|who is working|what are the teams doing|what is everyone doing)$/u
const inboxWords =
  /^(?:(?:show|read|check|open|list|get)(?: (?:me|us))? )?(?:the |your |my |our )?(?:inbox|mail|mailbox|messages|questions|alerts)(?: of meta| for (?:me|us))?$|^(?:is there )?(?:anything|something)(?: new)?(?: (?:for|waiting for) (?:me|us))?$|^(?:what|who) (?:needs|wants|waits for) (?:me|us)$/u
const helpWords =
  /^(?:help|help me|commands|usage|what can (?:you|i) (?:do|say)|what do you (?:do|understand|know)|how do you work|man|about|hi|hello|hey|ping|hallo|good morning)?$/u
const politeBefore =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|now|then|please|pls|kindly|thanks|yo)\b[\s,:!.]*|(?:can|could|would|will) you(?: please)?\s+|(?:i|we)(?: would|'d) like you to\s+|(?:i|we) (?:want|need) you to\s+|let's\s+|go ahead and\s+)/iu
const politeBehind =
  /[\s,]*\b(?:please|pls|thanks|thank you|thx|for me|for us|right now|now|again|immediately|asap)$/iu
/** Words around a team's name that say nothing. */
const fillers = new Set([
  'the',
  'team',
  'teams',
  'doing',
  'going',
  'getting',
  'along',
  'of',
  'on',
  'at',
  'with',
  'to',
  'up',
])
const joiners = new Set(['and', '&', '+', 'und', 'as', 'well'])
const everybody = new Set(['all', 'everything', 'everyone', 'everybody', '*'])
/** Words that no team is meant by, whatever stands where a team could. */
const noTeams = new Set(
  (
    'me us him her it that this these those yourself you them what why how who whether if when where about for ' +
    'a an my our your someone somebody anyone anybody nobody people one in from by not only just'
  ).split(' '),
)
const looksLikeId = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/**
 * Reads what a person said to the federation. Only what is understood whole is a command; anything that says more
 * is left to whoever understands it.
 * @param teams ids of the registered teams: no other name ever goes on.
 */
export function commandOf(said: string, teams: readonly string[]): ChatCommand {
  const text = said.trim()
  const { words, isAsked, isRequest } = plain(text)
  if (helpWords.test(words) || /^[?!.\s]*$/u.test(text)) return { kind: 'help' }
  if (inboxWords.test(words)) return { kind: 'inbox' }
  if (statusAlone.test(words)) return { kind: 'status', teams: [] }
  const status = statusOf(words, teams)
  if (status !== undefined) return status
  const told = toldOf(text, teams)
  if (told !== undefined) return told
  // "pause docs?" asks whether; "can you pause docs?" asks for it
  const control = isAsked && !isRequest ? undefined : controlOf(words, teams)
  return control ?? { kind: 'free', text }
}

/** In small letters, without what is said only to be polite. */
function plain(text: string): { words: string; isAsked: boolean; isRequest: boolean } {
  const spoken = text.replace(quotedLines, '')
  const isAsked = /\?[\s?!.]*$/u.test(spoken)
  let words = spoken
    .replace(/[’‘]/gu, "'")
    .replace(/\s+/gu, ' ')
    .replace(/[\s?!.,;:]+$/u, '')
  let isRequest = false
  for (let before = ''; before !== words;) {
    before = words
    if (/^(?:can|could|would|will) you\b/iu.test(words)) isRequest = true
    words = words.replace(politeBefore, '')
    const rest = words.replace(politeBehind, '').replace(/[\s?!.,;:]+$/u, '')
    if (rest !== '') words = rest
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
  // "docs status", "docs?"
  const [, subject] = /^(.+?)(?:'s)? (?:status|state|progress)$/u.exec(words) ?? [undefined, words]
  const named = teamsIn(subject, teams)
  return named.kind === 'teams' ? { kind: 'status', teams: named.teams } : undefined
}

function controlOf(words: string, teams: readonly string[]): ChatCommand | undefined {
  for (const [kind, verbs] of Object.entries(controlVerbs) as [ControlKind, readonly string[]][]) {
    for (const verb of verbs) {
      if (words !== verb && !words.startsWith(`${verb} `)) continue
      const named = teamsIn(words.slice(verb.length), teams)
      if (named.kind === 'all') return { kind, teams: [], all: true }
      if (named.kind === 'teams') return { kind, teams: named.teams, all: false }
      if (named.kind === 'unknown') return named.command
      const [only, ...others] = teams
      // where there is one team, it is meant
      if (named.kind === 'none')
        return only !== undefined && others.length === 0
          ? { kind, teams: [only], all: false }
          : { kind: 'incomplete', verb }
    }
  }
  return undefined
}

type Named =
  | { readonly kind: 'none' | 'all' | 'prose' }
  | { readonly kind: 'teams'; readonly teams: readonly string[] }
  | { readonly kind: 'unknown'; readonly command: ChatCommand }

/** With more words that are no team's name it is no list of teams. */
const mostUnknown = 2
/** Every word that could begin another command. */
const everyVerb = new Set([...Object.values(controlVerbs).flat(), ...tellVerbs, ...askVerbs])

/** Whom a list of names means. All or nothing: with a name that is unknown, nothing is done for the others either. */
function teamsIn(text: string, teams: readonly string[]): Named {
  const tokens = text
    .toLowerCase()
    .split(/[\s,;]+/u)
    .map((token) => token.replace(/^['"`(]+|['"`)]+$/gu, '').replace(/'s$/u, ''))
    .filter((token) => token !== '')
  const known = new Set(teams)
  const isNoise = (token: string) => !known.has(token) && (fillers.has(token) || joiners.has(token))
  const named = [...new Set(tokens.filter((token) => !isNoise(token)))]
  if (named.length === 0) return { kind: 'none' }
  if (named.length === 1 && everybody.has(named[0] as string) && !known.has(named[0] as string))
    return { kind: 'all' }
  const unknown = named.filter((token) => !known.has(token))
  const [given] = unknown
  if (given === undefined) return { kind: 'teams', teams: named }
  const isMisspelt = nearestName(given, teams) !== undefined
  const isProse = unknown.some(
    (token) => !looksLikeId.test(token) || noTeams.has(token) || everyVerb.has(token),
  )
  // "run the tests" is about something else than a team
  const hasArticle = new RegExp(String.raw`\bthe ${escapeId(given)}\b`, 'u').test(tokens.join(' '))
  if (isProse || unknown.length > mostUnknown || (hasArticle && !isMisspelt)) return { kind: 'prose' }
  return { kind: 'unknown', command: unknownTeam(given, teams) }
}

const escapeId = (token: string) => token.replace(/[^a-z0-9-]/gu, '.')

function unknownTeam(given: string, teams: readonly string[]): ChatCommand {
  return { kind: 'unknown-team', given: given.slice(0, 64), nearest: closestName(given, teams) ?? null }
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
  if (!Array.isArray(addressed.teams)) return addressed.teams as ChatCommand
  const words = addressed.rest.replace(/^[\s,:;–—-]+/u, '').trim()
  const message = isTold ? words.replace(/^to\s+(?=\S)/iu, '') : words
  if (message === '') return { kind: 'incomplete', verb: verb.toLowerCase() }
  const named = addressed.teams as readonly string[]
  // "tell docs to pause" is no mission
  const control = isTold && !message.includes('\n') ? asControl(message, named) : undefined
  return control ?? { kind: isTold ? 'tell' : 'ask', teams: named, text: message }
}

function asControl(message: string, teams: readonly string[]): ChatCommand | undefined {
  const { words } = plain(message)
  const kinds = Object.entries(controlVerbs) as [ControlKind, readonly string[]][]
  const [kind] = kinds.find(([, verbs]) => verbs.includes(words)) ?? []
  return kind === undefined ? undefined : { kind, teams, all: false }
}

/** The teams that a text begins with, and what comes behind them; undefined when it begins with something else. */
function addresseesOf(
  text: string,
  teams: readonly string[],
): { readonly teams: readonly string[] | ChatCommand; readonly rest: string } | undefined {
  const named: string[] = []
  let rest = text
  for (;;) {
    const [whole, , joiner = '', word = ''] =
      /^(\s*(?:,\s*)?(and\s+|&\s*|\+\s*)?(?:the\s+)?(?:team\s+)?)([\p{L}\p{N}*-]+)/iu
        .exec(rest)
        ?.map((part) => part) ?? []
    if (whole === undefined) break
    const token = word.toLowerCase()
    const isJoined = named.length === 0 || joiner !== '' || /^\s*,/u.test(rest)
    if (!isJoined) break
    if (named.length === 0 && everybody.has(token) && !teams.includes(token))
      return { teams, rest: rest.slice(whole.length) }
    if (!teams.includes(token)) {
      if (named.length > 0) break
      const nearest = nearestName(token, teams)
      const isName = looksLikeId.test(token) && !noTeams.has(token)
      if (!isName || (nearest === undefined && !/^\S+\s+\S/u.test(rest.trim()))) return undefined
      return { teams: unknownTeam(token, teams), rest: '' }
    }
    named.push(token)
    rest = rest.slice(whole.length).replace(/^\s*team\b/iu, '')
  }
  return named.length === 0 ? undefined : { teams: [...new Set(named)], rest }
}
