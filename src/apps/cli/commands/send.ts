import { type Command, Option } from 'commander'
import type { SignalType } from '../../../protocol/signal.ts'
import { asMissionHelp, signalTypes } from '../choices.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print } from '../output.ts'
import { perform } from '../perform.ts'
import { textInput } from '../text-input.ts'

const send = async () => (await import('../../../agents/requests/mail-requests.ts')).send

interface SendOptions extends CommonOptions {
  type: SignalType
  subject: string
  body?: string
  bodyFile?: string
  from?: string
  asMission?: boolean
}

export function registerSend(program: Command): void {
  declare(
    program,
    'send <to>',
    'Send a signal to a team or to meta',
    'fed send docs --type directive --subject "Cover the storage too"',
  )
    .addOption(new Option('--type <type>', 'what kind of signal').choices(signalTypes).makeOptionMandatory())
    .requiredOption('--subject <text>', 'a short summary')
    .option('--body <text>', 'the whole message')
    .option('--body-file <file>', "the same from a file, or '-' for the standard input")
    .option('--from <address>', 'the sender (default: the acting team, else meta)')
    .option('--as-mission', asMissionHelp)
    .action(async (named: string, options: SendOptions) => {
      const body = await textInput('body', options.body, options.bodyFile)
      const { type, subject, asMission } = options
      const said = { to: named, type, subject, body, asMission }
      const { signal, isControl } = await perform(options, 'send', send, said, { as: options.from })
      print(options, signal, ({ to, file }) => `sent to ${to} as ${file}`)
      // whoever says such a word looks for what came of it
      if (isControl)
        note(
          options,
          `${signal.to} takes it when it is stepped: by its agent's work, a launch, or 'fed monitor'`,
        )
    })
}
