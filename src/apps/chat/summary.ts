import { unless } from '../../errors/unless.ts'
import { toldMove } from '../../engine/step/outgoing-signals.ts'
import { RefusedError } from '../../errors/fed-error.ts'
import { ChannelError } from '../../errors/session-errors.ts'
import type { CycleReport } from '../../monitor/cycle-report.ts'
import { clockTime } from './pace.ts'
import type { Channel, Post } from './channel.ts'
import type { ChatLedger, Told } from './chat-ledger.ts'
import { spoken } from './post-text.ts'
import { sayQueued, waitingSummary } from './speaking.ts'
import { brief, clipped, headline, needsOf } from './team-lines.ts'
import { Lease } from './channel-lease.ts'

/** A summary's text, and what it tells. */
interface Summary {
  readonly text: string
  readonly told: Told
}

/**
 * What a monitoring cycle found, for people: first what needs them, then what changed since the last summary; one
 * line when nothing did.
 * @param before what the last one told, undefined when there was none.
 */
function summaryOf(root: string, name: string, report: CycleReport, before: Told | undefined): Summary {
  const needs = needsOf(root, report.findings, report.mail)
  const states = report.teams.map(({ team, state, status }): [string, string] => [
    team,
    `${state ?? 'unreadable'}${status === 'archived' ? ', archived' : ''}`,
  ])
  const told = { teams: Object.fromEntries(states), needs: needs.map(({ key }) => key) }
  const changes = [...changesBetween(before, told), ...reportsIn(report)]
  const solved = before?.needs.filter((key) => !told.needs.includes(key)).length ?? 0
  const isNew = before === undefined || told.needs.some((key) => !before.needs.includes(key))
  const head = headline(name, states.length, needs.length)
  if (!isNew && changes.length === 0 && solved === 0) return { text: `${head}; nothing new`, told }
  const lines = [head, ...clipped(needs.map(({ line }) => line)), ...clipped(changes)]
  return { text: lines.join('\n'), told }
}

function changesBetween(before: Told | undefined, { teams }: Told): string[] {
  const gone = Object.keys(before?.teams ?? {}).filter((team) => !Object.hasOwn(teams, team))
  const moved = Object.entries(teams).flatMap(([team, state]) => {
    const earlier = before?.teams[team]
    if (earlier === state) return []
    return [`· ${team} ${earlier === undefined ? state : `${earlier} → ${state}`}`]
  })
  return [...moved, ...gone.map((team) => `· ${team} is no longer registered`)]
}

/** What teams reported in their own words; that they moved is told already. */
function reportsIn({ mail }: CycleReport): string[] {
  return mail
    .filter((signal) => signal.type === 'report' && toldMove(signal) === undefined)
    .map(({ from, subject }) => `· ${from} reports: ${brief(subject, 120)}`)
}

/**
 * Commits the summary of a cycle, so that whoever works for the channel posts it, once. One that nobody could post
 * yet gives way to it.
 * @returns the one that gave way.
 */
export function queueSummary(
  ledger: ChatLedger,
  root: string,
  name: string,
  report: CycleReport,
): Post | undefined {
  let replaced: Post | undefined
  ledger.update((before) => {
    const { number, told, waiting } = before.summary
    replaced = undefined
    // what waits was perhaps never read: what changed is told from the one before it
    const summary = summaryOf(root, name, report, told)
    if (waiting !== undefined && waiting.text === spoken(summary.text)) return before
    replaced = waitingSummary(before)
    const next = { text: spoken(summary.text), told: summary.told }
    return {
      ...before,
      summary: { number: number + 1, ...(told === undefined ? {} : { told }), waiting: next },
    }
  })
  return replaced
}

/**
 * Posts what waits for a channel, unless a bridge works for it and does so itself.
 * @returns false when it waits still, because another process works for the channel.
 * @throws {ChannelError} when the channel does not answer; it stays committed.
 */
export async function postQueued(ledger: ChatLedger, channel: Channel): Promise<boolean> {
  const lease = unless(RefusedError, () => Lease.take(ledger, 'summary'))
  if (lease === undefined) return false
  try {
    do {
      const unsaid = await sayQueued(lease, channel)
      if (unsaid !== undefined) throw unsaid.error
    } while (!lease.release(({ summary, posts }) => summary.waiting === undefined && posts.length === 0))
    return true
  } catch (error) {
    if (error instanceof ChannelError) noteTrouble(lease, error)
    lease.release()
    if (error instanceof ChannelError || !(error instanceof RefusedError)) throw error
    return false
  }
}

/** So that whoever asks later knows that the channel is not reached, and why. */
function noteTrouble(lease: Lease, { message }: ChannelError): void {
  const trouble = { at: clockTime(), message: brief(message) }
  lease.update((ledger) =>
    ledger.trouble?.message === trouble.message
      ? ledger
      : { ...ledger, trouble: { ...trouble, isUnheard: ledger.trouble?.isUnheard } },
  )
}
