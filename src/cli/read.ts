import type { Command } from 'commander'
import { declare, type CommonOptions } from './command.ts'
import { print } from './output.ts'
import { openScope } from './scope.ts'
import { signalText } from './signal-text.ts'

export function registerRead(program: Command): void {
  declare(
    program,
    'read <address> <signal>',
    'Show a signal of an inbox and acknowledge it',
    'fed read meta 3f2a',
  ).action(async (address: string, reference: string, options: CommonOptions) => {
    const { federation } = await openScope(options)
    const { acknowledgeMail } = await import('../teams/mail.ts')
    const signal = federation.mailbox(address).find(reference)
    print(options, signal, signalText)
    await acknowledgeMail(federation, address, signal)
  })
}
