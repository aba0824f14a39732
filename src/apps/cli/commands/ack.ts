import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { oneLine } from '../plain-text.ts'
import { perform } from '../perform.ts'

const acknowledge = async () => (await import('../../../agents/requests/mail-requests.ts')).acknowledge

export function registerAck(program: Command): void {
  declare(program, 'ack <address> <signal>', 'Acknowledge a signal of an inbox', 'fed ack docs 3f2a').action(
    async (named: string, reference: string, options: CommonOptions) => {
      const signal = await perform(options, 'ack', acknowledge, { signal: reference }, { as: named })
      print(options, signal, ({ file }) => `acknowledged ${oneLine(file)}`)
    },
  )
}
