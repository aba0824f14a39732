import { FedError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import type { CycleReport } from '../../monitor/cycle-report.ts'
import { firstAbort } from '../../agents/sessions/first-abort.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import type { Post } from './channel.ts'
import { ChatLedger } from './chat-ledger.ts'
import { LocalChannel } from './local-channel.ts'
import { channelOf, summaryName } from './chat-settings.ts'
import { waitingSummary } from './speaking.ts'
import { postQueued, queueSummary } from './summary.ts'
import { sayUnreached } from './unreached.ts'

/**
 * After a monitoring cycle with `chatConfig` (spec §6): commits its summary, and posts it where that takes no time.
 * What an agent host posts takes a turn of its model, and is left to the bridge, or to `postSummary`.
 * @returns the report, with the reason where there is no summary: the cycle itself is done.
 */
export async function noteCycle(federation: Federation, report: CycleReport): Promise<CycleReport> {
  const { root } = federation
  try {
    const { kind, key, unreached } = channelOf(federation)
    const ledger = new ChatLedger(root, key)
    const local = new LocalChannel(root, summaryName(federation))
    const replaced = queueSummary(ledger, root, summaryName(federation), report)
    if (replaced !== undefined && kind !== 'local') await keep(replaced, local)
    if (kind === 'local') await postQueued(ledger, local)
    return unreached === undefined ? report : { ...report, chat: sayUnreached(unreached) }
  } catch (error) {
    if (!(error instanceof FedError) && !isSystemError(error)) throw error
    return { ...report, chat: `no summary for the chat: ${(error as Error).message}` }
  }
}

/** Nothing that a cycle told is lost because a chat product cannot be reached: the local channel has it. */
async function keep(summary: Post, local: LocalChannel): Promise<void> {
  await local.post(summary)
}

/** Longest that an agent host may take while somebody waits for a cycle to end, all its tries together, in milliseconds. */
const patienceMs = 60_000

/**
 * Posts the summary that a cycle committed, unless a bridge works for the channel and does so.
 * @returns why it could not; it stays committed.
 */
export async function postSummary(federation: Federation, signal?: AbortSignal): Promise<string | undefined> {
  const { kind, key } = channelOf(federation)
  const ledger = new ChatLedger(federation.root, key)
  if (kind === 'local' || ledger.read()?.summary.waiting === undefined) return undefined
  const { openChannel } = await import('./open-channel.ts')
  const { agentCommand: agent } = federation.config
  const name = summaryName(federation)
  const settings = { kind, key, unreached: undefined, name, allowedSenders: undefined, agent }
  const { channel } = openChannel(federation, settings, { patienceMs, log: () => undefined })
  const { aborted, end } = firstAbort([AbortSignal.timeout(patienceMs), signal])
  void aborted.then(() => channel.close())
  try {
    await postQueued(ledger, channel)
    return undefined
  } catch (error) {
    if (!(error instanceof FedError) && !isSystemError(error)) throw error
    const waiting = waitingSummary(ledger.read())
    if (waiting !== undefined) await keep(waiting, new LocalChannel(federation.root, name))
    return (error as Error).message
  } finally {
    end()
    await channel.close()
  }
}

/** Why nobody hears what people say in the channel, as the last look at it found; undefined where somebody does. */
export function whyUnheard(federation: Federation): string | undefined {
  const trouble = new ChatLedger(federation.root, channelOf(federation).key).read()?.trouble
  return trouble?.isUnheard ? `${trouble.message} (since ${trouble.at})` : undefined
}
