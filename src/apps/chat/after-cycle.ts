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

/** Writes a summary to the local channel, so that it is not lost when a chat product cannot be reached. */
async function keep(summary: Post, local: LocalChannel): Promise<void> {
  await local.post(summary)
}

/** Longest that posting a summary may take with all its tries, in milliseconds: the cycle ends after it. */
const patienceMs = 60_000

/**
 * Posts the summary that a cycle committed, unless a bridge works for the channel and does so.
 * @returns the error for which it was not posted: it stays committed then.
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

/** Why messages in the channel are not heard, as the last look at it found; undefined where they are. */
export function whyUnheard(federation: Federation): string | undefined {
  const trouble = new ChatLedger(federation.root, channelOf(federation).key).read()?.trouble
  return trouble?.isUnheard ? `${trouble.message} (since ${trouble.at})` : undefined
}
