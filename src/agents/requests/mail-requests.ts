import * as z from 'zod/mini'
import { signalTypes } from '../../protocol/signal.ts'
import { META } from '../../protocol/team-id.ts'
import { isControlWord } from '../../federation/control-word.ts'
import { say } from '../../federation/send-checked.ts'
import { defineRequest, told } from './request.ts'

const reference = told(
  z.string(),
  "the signal's file name, its id, or at least 4 characters of its beginning",
)

/** A listing tells of a signal everything but its body, which may be long. */
export const inbox = defineRequest({
  name: 'inbox',
  description: 'List the signals that wait in your inbox; with all, the acknowledged ones too.',
  input: z.strictObject({ all: z._default(z.boolean(), false) }),
  isReadOnly: true,
  carryOut: async ({ federation, address }, { all }) => {
    const mailbox = federation.mailbox(address)
    const signals = all ? mailbox.all() : mailbox.unacknowledged()
    return signals.map(({ body, protocol: _protocol, ...signal }) => ({ ...signal, characters: body.length }))
  },
})

export const read = defineRequest({
  name: 'read',
  description: 'Read one signal of your inbox whole. This acknowledges it.',
  input: z.strictObject({ signal: reference }),
  carryOut: async ({ federation, address }, { signal: named }) => {
    const { dispose } = await import('../../federation/mail.ts')
    const signal = federation.mailbox(address).find(named)
    const disposition = await dispose(federation, address, signal)
    return {
      signal,
      ...(typeof disposition === 'object' ? { note: disposition.waiting } : {}),
      /** Only when it was shown: a reader that is killed before finds it unread. */
      isMail: disposition === 'mail',
    }
  },
})

export const acknowledge = defineRequest({
  name: 'ack',
  tool: 'acknowledge',
  description: 'Acknowledge a signal of your inbox that needs no answer.',
  input: z.strictObject({ signal: reference }),
  carryOut: async ({ federation, address }, { signal }) => {
    const { acknowledgeMail } = await import('../../federation/mail.ts')
    const mailbox = federation.mailbox(address)
    const { file } = mailbox.find(signal)
    await acknowledgeMail(federation, address, mailbox.find(file))
    return mailbox.find(file)
  },
})

export const send = defineRequest({
  name: 'send',
  description:
    'Send a signal to another team or to meta: a question to request information, a report to share findings, an alert when something blocks you, a directive to assign work. Your own milestones go through report.',
  input: z.strictObject({
    to: told(z.string(), "a team's id, or meta"),
    type: z.enum(signalTypes),
    subject: told(z.string(), 'a short summary'),
    body: z._default(z.string(), ''),
    asMission: told(z._default(z.boolean(), false), 'send a directive although it is almost a control word'),
  }),
  carryOut: async ({ federation, address, once }, { asMission, to: named, ...said }) => {
    const to = federation.addressOf(named)
    const signal = await say(federation, { from: address, to, ...said, ...once }, { asMission })
    /** Whoever says such a word looks for what came of it. */
    const isControl = said.type === 'directive' && to !== META && isControlWord(said.subject)
    return { signal, isControl }
  },
})

export const answer = defineRequest({
  name: 'reply',
  description: 'Answer a signal of your inbox. This acknowledges it.',
  input: z.strictObject({
    signal: reference,
    body: told(z.string(), 'the answer'),
    type: z._default(z.enum(signalTypes), 'report'),
    subject: z.optional(told(z.string(), "a short summary; without one 'Re: ' and the signal's")),
  }),
  carryOut: async ({ federation, address }, { signal, ...said }) => {
    const { reply } = await import('../../federation/reply-to-signal.ts')
    return reply(federation, address, signal, said)
  },
})
