import type { Command } from 'commander'
import type { FiledSignal } from '../../signals/mailbox.ts'
import type { HistoryEntry } from '../../teams/team.ts'
import { declare, type CommonOptions } from '../command.ts'
import { print, table } from '../output.ts'
import { openTeamToRead } from '../scope.ts'

type Shown = HistoryEntry & {
  /** When the team's agent was told of it: null when no session of its was. */
  readonly told: string | null
  /** What proved the work where it was accepted, in words; null where nothing had to. */
  readonly proof: string | null
}

/** Mail moves no machine; it is part of the history once it was put before the agent. */
interface ToldMail {
  readonly at: string
  readonly signal: FiledSignal
}

export function registerHistory(program: Command): void {
  declare(program, 'history [team]', 'List what a team handled, in order', 'fed history docs')
    .addHelpText(
      'after',
      '\nAn entry of the document is a handled signal, with the time at which it was put before the agent; the' +
        "\ntext tells of mail, too, which 'fed inbox --all' has.",
    )
    .action(async (id: string | undefined, options: CommonOptions) => {
      const { team } = await openTeamToRead(options, id)
      const [{ toldTimes }, { proofOfEntry }] = await Promise.all([
        import('../../sessions/told.ts'),
        import('../../actors/proof.ts'),
      ])
      const told = toldTimes(team.actor.workspace)
      const entries: Shown[] = team.history().map((entry) => ({
        ...entry,
        told: told.get(entry.signal) ?? null,
        proof: proofOfEntry(entry) ?? null,
      }))
      print(options, entries, () => {
        const handled = new Set(entries.map(({ signal }) => signal))
        const mail = told.size === 0 ? [] : team.mailbox.all()
        const toldMail = mail.flatMap((signal): ToldMail[] => {
          const at = told.get(signal.id)
          return at === undefined || handled.has(signal.id) ? [] : [{ at, signal }]
        })
        return entries.length + toldMail.length === 0 ? 'nothing was handled yet' : textOf(entries, toldMail)
      })
    })
}

function textOf(entries: readonly Shown[], mail: readonly ToldMail[]): string {
  const rows = entries.map(row)
  for (const one of mail) {
    // what was handled keeps its order, whatever the clock did
    const later = rows.findIndex(([at = '']) => at > one.at)
    rows.splice(later < 0 ? rows.length : later, 0, mailRow(one))
  }
  return table(rows)
}

function row({ at, event, outcome, from, to, refusal, proof, told }: Shown): string[] {
  const more = refusal?.message ?? proof ?? (told === null ? '' : `put before the agent at ${told}`)
  return [at, event, outcome, from === to ? from : `${from} → ${to}`, more]
}

function mailRow({ at, signal: { type, from, subject } }: ToldMail): string[] {
  return [at, type, 'mail', `from ${from}`, `put before the agent: ${subject}`]
}
