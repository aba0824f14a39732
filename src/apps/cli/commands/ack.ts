import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { oneLine } from '../plain-text.ts'
import { openScope } from '../scope.ts'

export function registerAck(program: Command): void {
  declare(program, 'ack <address> <signal>', 'Acknowledge a signal of an inbox', 'fed ack docs 3f2a').action(
    async (named: string, reference: string, options: CommonOptions) => {
      const { federation } = await openScope(options)
      const address = federation.addressOf(named)
      const { acknowledgeMail } = await import('../../../federation/mail.ts')
      const signal = federation.mailbox(address).find(reference)
      await acknowledgeMail(federation, address, signal)
      print(
        options,
        federation.mailbox(address).find(signal.file),
        ({ file }) => `acknowledged ${oneLine(file)}`,
      )
    },
  )
}
