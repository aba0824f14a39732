import { type Command, Option } from 'commander'
import { RefusedError } from '../errors.ts'
import type { SignalType } from '../protocol/signal.ts'
import { signalTypes } from './choices.ts'
import { declare, type CommonOptions } from './command.ts'
import { print } from './output.ts'
import { openScope } from './scope.ts'
import { textInput } from './text-input.ts'

/** Namespace of the ids of answers. */
const NAMESPACE = '0d9b7c52-6f3e-4a1b-8c27-5e4f9a3b1d60'

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
    .action(async (address: string, reference: string, options: ReplyOptions) => {
      const { federation } = await openScope(options)
      const [{ dispose }, { subjectOf }, { v5: uuidOf }] = await Promise.all([
        import('../teams/mail.ts'),
        import('../teams/mission.ts'),
        import('uuid'),
      ])
      const body = await textInput('body', options.body, options.bodyFile)
      const mailbox = federation.mailbox(address)
      const asked = mailbox.find(reference)
      const disposition = await dispose(federation, address, asked)
      if (typeof disposition === 'object') throw new RefusedError(disposition.waiting)
      const { type, subject = subjectOf(`Re: ${asked.subject}`) } = options
      const answer = await federation.send({
        from: address,
        to: asked.from,
        type,
        subject,
        body,
        // one answer is one signal, also when a command that was killed before it acknowledged is given again
        id: uuidOf(JSON.stringify([asked.id, 'reply', type, subject, body ?? '']), NAMESPACE),
        timestamp: asked.timestamp,
      })
      if (disposition === 'mail') mailbox.acknowledgeFiles([asked.file])
      print(options, answer, ({ to, file }) => `sent to ${to} as ${file}`)
    })
}
