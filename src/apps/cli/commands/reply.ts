import { type Command, Option } from 'commander'
import type { SignalType } from '../../../protocol/signal.ts'
import { signalTypes } from '../choices.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print } from '../output.ts'
import { perform } from '../perform.ts'
import { textInput } from '../text-input.ts'

const reply = async () => (await import('../../../agents/requests/mail-requests.ts')).answer

interface ReplyOptions extends CommonOptions {
  type: SignalType
  subject?: string
  body?: string
  bodyFile?: string
}

export function registerReply(program: Command): void {
  declare(
    program,
    'reply <address> <signal>',
    'Answer a signal of an inbox; this acknowledges it',
    'fed reply meta 3f2a --body "Yes, both"',
  )
    .addOption(new Option('--type <type>', 'what kind of signal').choices(signalTypes).default('report'))
    .option('--subject <text>', "a short summary (default: 'Re: ' and the signal's)")
    .option('--body <text>', 'the answer')
    .option('--body-file <file>', "the same from a file, or '-' for the standard input")
    .action(async (named: string, reference: string, options: ReplyOptions) => {
      const body = (await textInput('body', options.body, options.bodyFile)) ?? ''
      const { type, subject } = options
      const said = { signal: reference, type, subject, body }
      const answer = await perform(options, 'reply', reply, said, { as: named })
      print(options, answer, ({ to, file }) => `sent to ${to} as ${file}`)
    })
}
