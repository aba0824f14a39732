import { closestName } from '../../../protocol/nearest-name.ts'
import type { ChatCommand } from './chat-command.ts'
import { amongReasons } from './clauses.ts'
import { everyVerb } from './lexicon.ts'
import { orderIn, ordersIn, unclearOrder, withoutPoliteness } from './orders.ts'
import { questionIn } from './questions.ts'
import { longestCommand, toldOf } from './tell-or-ask.ts'
import { quotedLines } from '../mention.ts'
import { hasQuestion, isQuestion, tokensOf, type Token } from './tokens.ts'

const helpWords =
  /^(?:help|help me|commands|usage|what can (?:you|i) (?:do|say|ask)(?: for me| you| you to do| you for)?|what do you (?:do|understand|know)|how do you work|how does this work|(?:who|what) are you|are you (?:there|here|alive|up)|you there|man|about|hi|hello|hey|ping|hallo|good morning|what commands (?:are there|do you know)|how can you help)?$/u
/** What is said to be kind, and asks for nothing. */
const kindWords =
  /^(?:(?:ok|okay|great|cool|perfect|nice|wow|super|yes|and|awesome|thanks|thank you)[\s,.!]*)*(?:(?:many |no )?(?:thanks|thank you|thx|ty|cheers|danke)(?: (?:a lot|so much|very much|again|all|everyone|you))*|that is (?:great|good|perfect|awesome|all)|that's (?:great|good|perfect|awesome|all)|well done|(?:good|great|nice) (?:job|work)(?:[\s,]+(?:all|everyone|team))?|got it|ok|okay|great|cool|perfect|nice|super|awesome)[\s.!]*$/u

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
  return saidWhole(text, teams) ?? amongReasons(text, teams, (clause) => saidWhole(clause, teams))
}

/** What a message, or a clause of one, says in all its words. */
function saidWhole(text: string, teams: readonly string[]): ChatCommand | undefined {
  if (kindWords.test(text.toLowerCase()) || /^[\p{Extended_Pictographic}\p{M}\u200D\s]+$/u.test(text))
    return { kind: 'thanks' }
  const tokens = tokensOf(text.replace(/^\s*[/!]\s*(?=\p{L})/u, ''), new Set(teams))
  const plain = withoutPoliteness(tokens, teams)
  if (helpWords.test(wordsOf(plain)) || helpWords.test(wordsOf(tokens))) return { kind: 'help' }
  const isAsked = isQuestion(text)
  // "pause docs?" asks whether, whatever follows; "can you pause docs?" asks for it
  const isOrder =
    !hasQuestion(text) ||
    /(?:can|could|would|will|do) (?:you|some(?:one|body)|any(?:one|body))\b/iu.test(text)
  return (
    toldOf(text.replace(/^\s*[/!]\s*(?=\p{L})/u, ''), teams) ??
    (isOrder ? (ordersIn(tokens, teams) ?? ordersOnLines(text, teams)) : undefined) ??
    questionIn(tokens, teams, isAsked) ??
    questionIn(plain, teams, isAsked)
  )
}

/** Orders of which each has a line of its own, and no full stop. */
function ordersOnLines(text: string, teams: readonly string[]): ChatCommand | undefined {
  if (!text.includes('\n')) return undefined
  return ordersIn(tokensOf(text.replace(quotedLines, '').replace(/\s*\n\s*/gu, ' . '), new Set(teams)), teams)
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ word }) => word)
    .filter((word) => !/^[,.:]$/u.test(word))
    .join(' ')
}

/** What code made out of a message that it did not understand whole. */
export interface Guess {
  /** Commands that were perhaps meant, as they are given. */
  readonly meant: readonly string[]
  /** Whether it says what is not to be done. */
  readonly isNegated: boolean
}

/** What a message that is no command may have meant: nothing of it is done. */
export function guessAt(said: string, teams: readonly string[]): Guess {
  if (said.length > longestCommand) return { meant: [], isNegated: false }
  const tokens = tokensOf(said, new Set(teams))
  const plain = withoutPoliteness(tokens, teams)
  const isNegated = plain.some(({ word }) => /^(?:not|never)$/u.test(word))
  const unclear = unclearOrder(plain, teams)
  if (unclear.length > 0) return { meant: unclear, isNegated }
  const within = beginningOf(plain, teams)
  if (within !== undefined) return { meant: [within], isNegated }
  const misspelt = isNegated ? undefined : misspeltIn(plain, teams)
  return { meant: misspelt === undefined ? [] : [misspelt], isNegated }
}

/** The longest part of a message that is an order. */
function beginningOf(tokens: readonly Token[], teams: readonly string[]): string | undefined {
  for (let length = tokens.length; length >= 2; length -= 1)
    for (let at = 0; at + length <= tokens.length; at += 1) {
      const part = tokens.slice(at, at + length)
      if (!everyVerb.has(part[0]?.word ?? '')) continue
      const order = orderIn(part, teams)
      if (order !== undefined && 'whom' in order) return spoken(part)
    }
  return undefined
}

function spoken(tokens: readonly Token[]): string {
  return tokens
    .map(({ word }) => word)
    .join(' ')
    .replaceAll(' ,', ',')
    .replace(/[\s,.:]+$/u, '')
}

/** The command that a misspelt first word was probably to begin. */
function misspeltIn(tokens: readonly Token[], teams: readonly string[]): string | undefined {
  const [first, ...rest] = tokens
  const verb = closestName(first?.word ?? '', [...everyVerb, 'status', 'inbox', 'help'])
  if (verb === undefined || verb === first?.word) return undefined
  const meant = [verb, ...rest.map(({ word }) => word)].join(' ').replaceAll(' ,', ',')
  const command = commandOf(meant, teams)
  const isCommand = 'whom' in command || (rest.length === 0 && ['inbox', 'help'].includes(command.kind))
  return isCommand ? meant : undefined
}
