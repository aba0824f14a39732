import type { Command } from 'commander'
import { FedError } from '../errors.ts'
import type { Federation } from '../federation.ts'
import type { CycleReport } from '../monitor/cycle.ts'
import { declare, type CommonOptions } from './command.ts'
import { parseDuration } from './duration.ts'
import { note, table } from './output.ts'
import { openScope } from './scope.ts'

interface MonitorOptions extends CommonOptions {
  watch?: boolean
  interval: number
}

export function registerMonitor(program: Command): void {
  declare(
    program,
    'monitor',
    'Run a monitoring cycle: step every team and show where it stands',
    'fed monitor --watch --interval 30s',
  )
    .option('--watch', 'go on until interrupted')
    .option('--interval <duration>', 'time between cycles', parseDuration, 10_000)
    .action(async (options: MonitorOptions) => {
      const { federation } = await openScope(options)
      const [{ INTERRUPTED, interruption }, { setTimeout: sleep }] = await Promise.all([
        import('./interruption.ts'),
        import('node:timers/promises'),
      ])
      const signal = options.watch ? interruption() : undefined
      for (;;) {
        const report = await cycle(federation, options)
        if (report !== undefined) {
          process.stdout.write(
            `${options.json ? JSON.stringify(report, null, options.watch ? 0 : 2) : describe(report)}\n`,
          )
        }
        if (signal === undefined) {
          if (report?.teams.some(({ error }) => error !== undefined)) process.exitCode = 1
          return
        }
        try {
          await sleep(options.interval, undefined, { signal })
        } catch (error) {
          if (!signal.aborted) throw error
          process.exitCode = INTERRUPTED
          return
        }
      }
    })
}

/** One cycle; while watching, one that fails (a registry that is being edited, say) does not end the watch. */
async function cycle(federation: Federation, options: MonitorOptions): Promise<CycleReport | undefined> {
  try {
    return await federation.monitor()
  } catch (error) {
    if (!options.watch || !(error instanceof FedError)) throw error
    note({}, `this cycle failed: ${error.message}`)
    return undefined
  }
}

function describe({ at, teams, inbox }: CycleReport): string {
  const head = `${at}  ${teams.length === 1 ? '1 team' : `${teams.length} teams`}, ${inbox} unread for meta`
  if (teams.length === 0) return head
  const rows = teams.map((team) => [
    team.team,
    team.archetype,
    team.status ?? '',
    team.state ?? 'unreadable',
    team.error ?? `${team.handled} handled, ${team.waiting} waiting`,
  ])
  return `${head}\n${table(rows).replace(/^/gm, '  ')}`
}
