import type { Command } from 'commander'
import type { HistoryEntry } from '../../teams/team.ts'
import { declare, type CommonOptions } from '../command.ts'
import { print, table } from '../output.ts'
import { openTeam } from '../scope.ts'

export function registerHistory(program: Command): void {
  declare(program, 'history [team]', 'List what a team handled, in order', 'fed history docs').action(
    async (id: string | undefined, options: CommonOptions) => {
      const { team } = await openTeam(options, id)
      print(options, team.history(), (entries) =>
        entries.length === 0 ? 'nothing was handled yet' : table(entries.map(row)),
      )
    },
  )
}

function row({ at, event, outcome, from, to, refusal }: HistoryEntry): string[] {
  return [at, event, outcome, from === to ? from : `${from} → ${to}`, refusal?.message ?? '']
}
