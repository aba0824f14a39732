import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print } from '../output.ts'
import { perform } from '../perform.ts'
import { signalText } from '../signal-text.ts'

const requests = () => import('../../../agents/requests/mail-requests.ts')

export function registerRead(program: Command): void {
  declare(
    program,
    'read <address> <signal>',
    'Show a signal of an inbox and acknowledge it',
    'fed read meta 3f2a',
  ).action(async (named: string, reference: string, options: CommonOptions) => {
    const who = { as: named }
    const found = await perform(
      options,
      'read',
      async () => (await requests()).read,
      { signal: reference },
      who,
    )
    print(options, found.signal, signalText)
    // only when it was shown: a reader that is killed before finds it unread
    const shown = { signal: found.signal.file }
    if (found.isMail) await perform(options, 'ack', async () => (await requests()).acknowledge, shown, who)
    if (found.note !== undefined) note(options, found.note)
  })
}
