import { type Command, Option } from 'commander'
import type { SignalType } from '../../../protocol/signal.ts'
import { asMissionHelp, signalTypes } from '../choices.ts'
import { META } from '../../../protocol/team-id.ts'
import { isControlWord } from '../../../federation/control-word.ts'
import { say } from '../../../federation/send-checked.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print } from '../output.ts'
import { openScope } from '../scope.ts'
import { textInput } from '../text-input.ts'

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
      const { federation, actor } = await openScope(options, options.from)
      const to = federation.addressOf(named)
      const body = await textInput('body', options.body, options.bodyFile)
      const { type, subject, asMission } = options
      const signal = await say(federation, { from: actor, to, type, subject, body }, { asMission })
      print(options, signal, ({ file }) => `sent to ${to} as ${file}`)
      // whoever says such a word looks for what came of it
      if (type === 'directive' && to !== META && isControlWord(subject))
        note(options, `${to} takes it when it is stepped: by its agent's work, a launch, or 'fed monitor'`)
    })
}
