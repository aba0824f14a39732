import { isDeepStrictEqual } from 'node:util'
import { isListed } from '../../federation/chat-author.ts'
import { now } from '../../protocol/time.ts'
import { burst, clockTime, isYoung } from './pace.ts'
import type { ChatMessage, Reading } from './channel.ts'
import { commandOf } from './language/understand.ts'
import type { Claim, LedgerCommand, LedgerDraft } from './chat-ledger.ts'
import { saidTo } from './mention.ts'
import { isOwn } from './own-posts.ts'
import { postOf } from './post-text.ts'

/** Who is spoken to, and by whom. */
export interface Audience {
  /** `federationName`. */
  readonly name: string
  /** Who may command; undefined when everybody may. */
  readonly allowedSenders: readonly string[] | undefined
  /** Ids of the registered teams. */
  readonly teams: readonly string[]
  /** Whether an agent answers what code does not understand. */
  readonly hasAgent: boolean
}

/** Most messages that wait to be carried out; further ones stay in the channel until there is room. */
const mostClaims = 100
/** Longer messages are no commands, in bytes. */
const longestMessage = 32_768
/** Time after which a sender gets the same notice again at the earliest, in milliseconds. */
const noticeMs = 3_600_000
/** How many handled messages are remembered by their ids: a channel may list the latest ones again. */
const mostHandled = 1000
/**
 * How long a handled message is remembered at least, in milliseconds. While `mostHandled` of them are younger
 * than this, further messages wait in the channel.
 */
const rememberMs = 600_000
/** Most notices within `noticeMs`, to all senders together. */
const mostNotices = 100

/**
 * Takes up the messages to the federation: each once, whatever the channel repeats, and a command that its
 * sender repeats while it waits as one. Other messages leave no trace: the place moves on behind them.
 */
export function takeUp(before: LedgerDraft, reading: Reading, audience: Audience): LedgerDraft {
  const ledger = { ...before }
  const known = new Set([...before.claims, ...before.handled].map(({ id }) => id))
  const young = before.handled.filter(({ done }) => isYoung(done, rememberMs)).length
  const remembered = () => young + ledger.handled.length - before.handled.length
  let isFull = false
  for (const { message, place } of reading.heard) {
    isFull = ledger.claims.length >= mostClaims || remembered() >= mostHandled
    if (isFull) break
    const said = saidTo(audience.name, message.text)
    if (said !== undefined && !known.has(message.id) && !isOwn(message, before.said)) {
      known.add(message.id)
      takeUpOne(ledger, message, said, audience)
    }
    ledger.place = place
  }
  if (!isFull) ledger.place = reading.place
  const isSame =
    ledger.place === before.place &&
    ledger.claims === before.claims &&
    ledger.handled === before.handled &&
    ledger.posts === before.posts
  if (isSame) return before
  return { ...ledger, handled: ledger.handled.slice(-Math.max(mostHandled, remembered())) }
}

function takeUpOne(ledger: LedgerDraft, message: ChatMessage, said: string, audience: Audience): void {
  const { id, sender, thread } = message
  if (audience.allowedSenders !== undefined && !isListed(sender, audience.allowedSenders)) {
    const text = `${sender} may not command here; chatConfig.allowedSenders of federate.config.json says who may.`
    return tellOnce(ledger, `not-allowed ${sender}`, message, text)
  }
  const command: LedgerCommand =
    Buffer.byteLength(message.text) > longestMessage ? { kind: 'too-long' } : commandOf(said, audience.teams)
  const same = sameWaiting(ledger.claims, sender, command)
  if (same !== undefined) {
    ledger.claims = ledger.claims.map((claim) =>
      claim === same ? { ...claim, times: claim.times + 1 } : claim,
    )
    ledger.handled = [...ledger.handled, { id, done: clockTime(), answered: null }]
    return
  }
  const claim: Claim = { id, thread, sender, at: message.at, claimed: now(), command, times: 1, begun: false }
  ledger.claims = [...ledger.claims, claim]
  if (command.kind === 'free' && audience.hasAgent) {
    const text = `Heard you, ${sender}; the answer comes here.`
    ledger.posts = [...ledger.posts, postOf(ledger.id, `heard/${id}`, thread, text)]
  }
  if (ledger.claims.filter((one) => one.sender === sender).length > burst) {
    const text = `One after the other, ${sender}: I take up ${burst} in a minute, in order, and forget none.`
    tellOnce(ledger, `flood ${sender}`, message, text)
  }
}

function tellOnce(ledger: LedgerDraft, key: string, { id, thread }: ChatMessage, text: string): void {
  const young = Object.entries(ledger.notices).filter(([, at]) => isYoung(at, noticeMs))
  const notices = Object.fromEntries(young)
  if (!Object.hasOwn(notices, key) && young.length < mostNotices) {
    notices[key] = clockTime()
    ledger.posts = [...ledger.posts, postOf(ledger.id, `notice/${id}`, thread, text)]
  }
  ledger.notices = notices
}

const changesNothing = new Set<LedgerCommand['kind']>([
  'status',
  'why',
  'cost',
  'needs',
  'inbox',
  'help',
  'thanks',
  'unknown-team',
  'incomplete',
])

/** The waiting claim of the same sender and command; undefined where one after it may change something. */
function sameWaiting(claims: readonly Claim[], sender: string, command: LedgerCommand): Claim | undefined {
  const same = claims.findLastIndex(
    (claim) => claim.sender === sender && !claim.begun && isDeepStrictEqual(claim.command, command),
  )
  if (same < 0) return undefined
  return claims.slice(same + 1).every((claim) => changesNothing.has(claim.command.kind))
    ? claims[same]
    : undefined
}
