import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { openToRead } from '../scope.ts'
import { signalTable } from '../signal-text.ts'

export function registerInbox(program: Command): void {
  declare(
    program,
    'inbox [address]',
    'List unacknowledged signals of a team or of meta',
    'fed inbox docs --all',
  )
    .option('--all', 'acknowledged ones too')
    .action(async (address: string | undefined, options: CommonOptions & { all?: boolean }) => {
      const { federation, actor } = await openToRead(options, address)
      const mailbox = federation.mailbox(actor)
      const { isUnrecorded } = await import('../../../federation/unrecorded.ts')
      const signals = (options.all ? mailbox.all() : mailbox.unacknowledged()).map((signal) =>
        isUnrecorded(federation, mailbox, signal) ? { ...signal, isUnrecorded: true } : signal,
      )
      print(options, signals, () =>
        signals.length === 0 ? `nothing waits for ${actor}` : signalTable(signals),
      )
    })
}
