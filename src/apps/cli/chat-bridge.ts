import path from 'node:path'
import { Bridge } from '../chat/bridge.ts'
import { ChatLedger } from '../chat/chat-ledger.ts'
import { chatSettings, type ChannelKind, type ChatSettings } from '../chat/chat-settings.ts'
import { openChannel, openConversation, patienceMs } from '../chat/open-channel.ts'
import { sayUnreached } from '../chat/unreached.ts'
import { Lease, workerOf } from '../chat/channel-lease.ts'
import { RefusedError, TimedOutError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { isRunning } from '../../platform/process/process-identity.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { makeFolders } from '../../platform/storage/without-links.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { endProcess, goOnInBackground } from './background.ts'
import type { CommonOptions } from './declare-command.ts'
import { INTERRUPTED, interruption } from './interruption.ts'
import { note, print } from './output.ts'

/** How often a channel is looked at, in milliseconds: each look by an agent host costs a turn of a model. */
const intervals = { local: 2000, host: 30_000, server: 10_000 }
/** Time that a bridge has to begin, and to end, in milliseconds. */
const changeMs = 20_000

export interface RunOptions extends CommonOptions {
  readonly channel?: ChannelKind
  readonly agent?: string
  readonly once?: boolean
  readonly interval?: number
  readonly timeout?: number
}

/** Works for the channel until it is interrupted, or once. */
export async function runBridge(
  federation: Federation,
  settings: ChatSettings,
  options: RunOptions,
): Promise<void> {
  const signal = interruption()
  noteUnreached(settings, options)
  const lease = await Lease.await(new ChatLedger(federation.root, settings.key))
  const { name } = settings
  const allowedSenders = () => presentSettings(federation, settings, options).allowedSenders
  const { channel, host } = openChannel(federation, settings, {
    patienceMs: options.timeout ?? patienceMs,
    log: (line) => note(options, `  ${line}`),
  })
  const conversation = openConversation(federation, settings, host, lease)
  const bridge = new Bridge({ federation, channel, name, allowedSenders, lease, conversation })
  const end = () => {
    bridge.end()
    return Promise.all([channel.close(), host.end()])
  }
  signal.addEventListener('abort', () => void end())
  try {
    if (options.once) {
      await once(bridge, options)
      if (signal.aborted) process.exitCode = INTERRUPTED
      return
    }
    note(options, `listening for @${name} in ${channel.words}`)
    await bridge.run(options.interval ?? intervals[settings.kind], signal, (trouble) =>
      note(
        options,
        trouble === undefined ? 'the channel answers again' : `the channel fails, I go on trying: ${trouble}`,
      ),
    )
    process.exitCode = INTERRUPTED
  } finally {
    await end()
    lease.release()
  }
}

/**
 * What the configuration says now: who may command may change while a bridge works.
 * @throws {RefusedError} when it names another channel, or calls the federation something else.
 */
function presentSettings(
  { root }: Federation,
  { key, name }: ChatSettings,
  { channel: kind, agent }: RunOptions,
): ChatSettings {
  const present = chatSettings({ root, config: loadConfig(root) }, { kind, agent })
  if (present.key === key && present.name === name) return present
  throw new RefusedError('the configuration names another chat now; start the bridge again')
}

async function once(bridge: Bridge, options: RunOptions): Promise<void> {
  const waiting = await bridge.once()
  print(options, { waiting }, () =>
    waiting === 0
      ? ''
      : `${waiting} messages wait: so many are taken up slowly; give the command again in a minute`,
  )
}

/** Says so where the channel of the configuration is not the one that is worked for, and why. */
export function noteUnreached({ unreached }: Pick<ChatSettings, 'unreached'>, options: CommonOptions): void {
  if (unreached !== undefined) note(options, sayUnreached(unreached))
}

/** Says whether a bridge works, and what waits. */
export function showBridge(federation: Federation, settings: ChatSettings, options: CommonOptions): void {
  const ledger = new ChatLedger(federation.root, settings.key).read()
  const worker = workerOf(ledger)
  const status = {
    running: worker?.kind === 'bridge',
    pid: worker?.pid ?? null,
    since: worker?.since ?? null,
    name: settings.name,
    channel: settings.kind,
    unreached: settings.unreached ?? null,
    waiting: ledger?.claims.length ?? 0,
    unsaid: (ledger?.posts.length ?? 0) + (ledger?.summary.waiting === undefined ? 0 : 1),
    trouble: ledger?.trouble ?? null,
    log: logFile(federation),
  }
  print(options, status, ({ running, pid, since, waiting, unsaid, trouble }) =>
    [
      running ? `a bridge works as process ${pid} since ${since}, as @${settings.name}` : 'no bridge works',
      `channel: ${settings.kind}; ${waiting} messages wait, ${unsaid} answers are still to be said`,
      ...(settings.unreached === undefined ? [] : [sayUnreached(settings.unreached)]),
      ...(trouble === null ? [] : [`it fails since ${trouble.at}: ${trouble.message}`]),
    ].join('\n'),
  )
}

/**
 * Ends the bridge that works for the channel; what it was in the middle of, the next one carries on.
 * @throws {TimedOutError} when it does not end.
 */
export async function stopBridge(
  federation: Federation,
  channel: string,
  options: CommonOptions,
): Promise<void> {
  const worker = workerOf(new ChatLedger(federation.root, channel).read())
  if (worker?.kind !== 'bridge') return print(options, { stopped: null }, () => 'no bridge works')
  await endProcess(worker.pid, () => !isRunning(worker), changeMs)
  print(options, { stopped: worker.pid }, () => `the bridge that was process ${worker.pid} has ended`)
}

/**
 * Goes on in the background.
 * @throws {RefusedError} when a bridge works already; {FedError} when the new one ended at once.
 */
export async function detachBridge(
  federation: Federation,
  settings: ChatSettings,
  options: CommonOptions,
): Promise<void> {
  const ledger = new ChatLedger(federation.root, settings.key)
  const present = workerOf(ledger.read())
  if (present?.kind === 'bridge')
    throw new RefusedError(
      `a bridge works for this channel already, as process ${present.pid}; 'fed chat --stop' ends it`,
    )
  makeFolders(federationLayout(federation.root).chat)
  const log = logFile(federation)
  const isAtWork = (pid: number | undefined) => workerOf(ledger.read())?.pid === pid
  const began = await goOnInBackground({ what: 'bridge', log, hasBegun: isAtWork, longestMs: changeMs })
  if (!isAtWork(began)) throw new TimedOutError(`the bridge did not begin; ${log} says more`)
  noteUnreached(settings, options)
  print(options, { pid: began, log }, ({ pid }) => `a bridge works as process ${pid}; its log is ${log}`)
}

function logFile({ root }: Federation): string {
  return path.join(federationLayout(root).chat, 'bridge.log')
}
