import * as z from 'zod/mini'
import { signalTypes } from '../../protocol/signal.ts'
import { acknowledgeMail, dispose } from '../../federation/mail.ts'
import { reply } from '../../federation/reply-to-signal.ts'
import { say } from '../../federation/send-checked.ts'
import { defineTool, told, type AgentTool } from './agent-tool.ts'

const reference = told(
  z.string(),
  "the signal's file name, its id, or at least 4 characters of its beginning",
)

/** Mailboxes: what others wrote to the caller, and what it writes to them. */
export const mailTools: readonly AgentTool[] = [
  defineTool({
    name: 'inbox',
    description: 'List the signals that wait in your inbox; with all, the acknowledged ones too.',
    input: z.strictObject({ all: z._default(z.boolean(), false) }),
    isReadOnly: true,
    call: async ({ federation, address }, { all }) => {
      const mailbox = federation.mailbox(address)
      const signals = all ? mailbox.all() : mailbox.unacknowledged()
      return signals.map(({ body, protocol: _protocol, ...signal }) => ({
        ...signal,
        characters: body.length,
      }))
    },
  }),
  defineTool({
    name: 'read',
    description: 'Read one signal of your inbox whole. This acknowledges it.',
    input: z.strictObject({ signal: reference }),
    call: async ({ federation, address }, { signal: named }) => {
      const mailbox = federation.mailbox(address)
      const signal = mailbox.find(named)
      const disposition = await dispose(federation, address, signal)
      if (disposition === 'mail') mailbox.acknowledgeFiles([signal.file])
      return typeof disposition === 'object' ? { ...signal, note: disposition.waiting } : signal
    },
  }),
  defineTool({
    name: 'acknowledge',
    description: 'Acknowledge a signal of your inbox that needs no answer.',
    input: z.strictObject({ signal: reference }),
    call: async ({ federation, address }, { signal }) => {
      const { file } = federation.mailbox(address).find(signal)
      await acknowledgeMail(federation, address, federation.mailbox(address).find(file))
      return { acknowledged: file }
    },
  }),
  defineTool({
    name: 'send',
    description:
      'Send a signal to another team or to meta: a question to request information, a report to share findings, an alert when something blocks you, a directive to assign work. Your own milestones go through report.',
    input: z.strictObject({
      to: told(z.string(), "a team's id, or meta"),
      type: z.enum(signalTypes),
      subject: told(z.string(), 'a short summary'),
      body: z._default(z.string(), ''),
      asMission: told(
        z._default(z.boolean(), false),
        'send a directive although it is almost a control word',
      ),
    }),
    call: async ({ federation, address }, { asMission, ...signal }) => {
      const { to, file, id } = await say(federation, { from: address, ...signal }, { asMission })
      return { to, file, id }
    },
  }),
  defineTool({
    name: 'reply',
    description: 'Answer a signal of your inbox. This acknowledges it.',
    input: z.strictObject({
      signal: reference,
      body: told(z.string(), 'the answer'),
      type: z._default(z.enum(signalTypes), 'report'),
      subject: z.optional(told(z.string(), "a short summary; without one 'Re: ' and the signal's")),
    }),
    call: async ({ federation, address }, { signal, ...answer }) => {
      const { to, file, id } = await reply(federation, address, signal, answer)
      return { to, file, id }
    },
  }),
]
