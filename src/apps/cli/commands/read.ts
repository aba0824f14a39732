import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print } from '../output.ts'
import { openScope } from '../scope.ts'
import { signalText } from '../signal-text.ts'

export function registerRead(program: Command): void {
  declare(
    program,
    'read <address> <signal>',
    'Show a signal of an inbox and acknowledge it',
    'fed read meta 3f2a',
  ).action(async (named: string, reference: string, options: CommonOptions) => {
    const { federation } = await openScope(options)
    const address = federation.addressOf(named)
    const { dispose } = await import('../../../federation/mail.ts')
    const mailbox = federation.mailbox(address)
    const signal = mailbox.find(reference)
    const disposition = await dispose(federation, address, signal)
    print(options, signal, signalText)
    // only when it was shown: a reader that is killed before finds it unread
    if (disposition === 'mail') mailbox.acknowledgeFiles([signal.file])
    if (typeof disposition === 'object') note(options, disposition.waiting)
  })
}
