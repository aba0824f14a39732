import type { Command } from 'commander'
import { FedError } from '../../../errors/fed-error.ts'
import type { Federation } from '../../../federation/federation.ts'
import type { CycleReport } from '../../../monitor/cycle-report.ts'
import { monitor } from '../../chat/monitored.ts'
import { beInspected } from '../../../engine/inspection/is-inspected.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { parseDuration } from '../parse-duration.ts'
import { note, writeOut } from '../output.ts'
import { openScope } from '../scope.ts'
import { withTelemetry } from '../with-telemetry.ts'

interface MonitorOptions extends CommonOptions {
  readonly inspect?: boolean
  readonly watch?: boolean
  readonly interval: number
}

export function registerMonitor(program: Command): void {
  declare(
    program,
    'monitor',
    'Run a monitoring cycle: step every team, read the mail of meta, and say what is not healthy',
    'fed monitor --watch --interval 30s',
  )
    .option('--watch', 'go on until interrupted; what arrives in an inbox wakes it before its time')
    .option('--interval <duration>', 'longest time between cycles', parseDuration, 10_000)
    .option('--inspect', 'append what happens to .fed/inspection/wire.jsonl (FED_INSPECT=1)')
    .addHelpText(
      'after',
      '\nReports to meta are acknowledged; alerts and questions wait for an answer.' +
        '\nExit code 1 when something is not healthy.',
    )
    .action(async (options: MonitorOptions) => {
      if (options.inspect) beInspected()
      const { federation } = await openScope(options)
      await withTelemetry(federation, options, () =>
        options.watch ? watch(federation, options) : once(federation, options),
      )
    })
}

async function once(federation: Federation, options: MonitorOptions): Promise<void> {
  const report = await monitor(federation)
  await show(report, options)
  if (!report.healthy) process.exitCode = 1
  const trouble = await tellChat(federation, report)
  if (trouble !== undefined) note(options, trouble)
}

/**
 * Posts the cycle's summary where there is a chat (spec §6); a chat that fails fails no cycle.
 * @returns what is to be said where it could not be posted.
 */
async function tellChat(
  federation: Federation,
  { chat }: CycleReport,
  signal?: AbortSignal,
): Promise<string | undefined> {
  // the report itself says why there is nothing to post
  if (federation.config.chatConfig === undefined || chat !== undefined) return undefined
  const { postSummary, whyUnheard } = await import('../../chat/after-cycle.ts')
  const trouble = await postSummary(federation, signal)
  if (trouble === undefined) {
    const unheard = whyUnheard(federation)
    return (
      unheard &&
      `what people say in the channel of chatConfig is not read: ${unheard}; 'fed chat --once' tries again`
    )
  }
  return `the channel of chatConfig is not reached: ${trouble}; the summary waits, and 'fed chat log' shows it`
}

function isTerminal(): boolean {
  return process.stdout.isTTY && process.env.TERM !== 'dumb'
}

/** Colours only for a person who did not ask for none. */
function isColoured(): boolean {
  return isTerminal() && !process.env.NO_COLOR
}

async function show(report: CycleReport, { json, quiet = false }: MonitorOptions): Promise<void> {
  if (json) return writeOut(`${JSON.stringify(report, null, 2)}\n`)
  const { linesOf } = await import('../monitor-text.ts')
  // a stream is made only where its kind matters
  const lines = linesOf(report, { isColoured: isColoured(), quiet })
  writeOut(`${lines.join('\n')}\n`)
}

/** Cycles until it is interrupted: a live view at a terminal, plain lines elsewhere. */
async function watch(federation: Federation, options: MonitorOptions): Promise<void> {
  const [{ INTERRUPTED, interruption }, { WakeUp }, { viewOf }] = await Promise.all([
    import('../interruption.ts'),
    import('../../../monitor/wake-up.ts'),
    import('../monitor-view.ts'),
  ])
  const signal = interruption()
  const view = viewOf({
    json: options.json === true,
    quiet: options.quiet === true,
    isLive: isTerminal(),
    isColoured: isColoured(),
  })
  const wakeUp = new WakeUp()
  const besideView = { ...options, quiet: options.quiet || isTerminal() }
  let posting: Promise<void> | undefined
  let told: string | undefined
  try {
    do {
      const report = await cycle(federation, (error) => {
        if (!view.fail(error.message)) note({}, `this cycle failed: ${error.message}`)
      })
      if (report === undefined) continue
      view.show(report)
      // an agent host takes its time, and the next cycle does not wait for it
      posting ??= tellChat(federation, report, signal)
        .then((trouble) => {
          // once, not with every cycle
          if (trouble !== undefined && trouble !== told) note(besideView, trouble)
          told = trouble
          return undefined
        })
        .finally(() => (posting = undefined))
      const addresses = ['meta', ...report.teams.map(({ team }) => team)]
      wakeUp.watch(addresses.flatMap((address) => federation.mailboxOf(address)?.inbox ?? []))
    } while (await wakeUp.next(options.interval, signal))
  } finally {
    wakeUp.end()
    view.end()
  }
  process.exitCode = INTERRUPTED
}

/** One that fails (a registry that is being edited, say) does not end the watch. */
async function cycle(
  federation: Federation,
  onFailure: (error: FedError) => void,
): Promise<CycleReport | undefined> {
  try {
    return await monitor(federation)
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    onFailure(error)
    return undefined
  }
}
