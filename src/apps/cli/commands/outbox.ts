import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { openToRead } from '../scope.ts'
import { signalTable } from '../signal-text.ts'

export function registerOutbox(program: Command): void {
  declare(program, 'outbox [address]', 'List what a team or meta sent', 'fed outbox docs').action(
    async (address: string | undefined, options: CommonOptions) => {
      const { federation, actor } = await openToRead(options, address)
      const signals = federation.mailbox(actor).sent()
      print(options, signals, () =>
        signals.length === 0 ? `${actor} sent nothing yet` : signalTable(signals),
      )
    },
  )
}
