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
  input: z.strictObject({
    all: told(z._default(z.boolean(), false), 'the acknowledged ones too'),
  }),
  isReadOnly: true,
  carryOut: async ({ federation, address }, { all }) => {
    const { assertLivesHere } = await import('../../federation/elsewhere.ts')
    assertLivesHere(federation.root, address)
    const mailbox = federation.mailbox(address)
    const { isUnrecorded } = await import('../../federation/unrecorded.ts')
    return (all ? mailbox.all() : mailbox.unacknowledged()).map((filed) => {
      const { body, protocol: _protocol, ...signal } = filed
      const mark = isUnrecorded(federation, mailbox, filed) ? { isUnrecorded: true } : {}
      return { ...signal, ...mark, characters: body.length }
    })
  },
})

export const read = defineRequest({
  name: 'read',
  description: 'Read one signal of your inbox whole. This acknowledges it.',
  isIdempotent: true,
  input: z.strictObject({ signal: reference }),
  carryOut: async ({ federation, address }, { signal: named }) => {
    const { dispose } = await import('../../federation/mail.ts')
    const mailbox = federation.mailbox(address)
    const signal = mailbox.find(named)
    const { isUnrecorded, unrecordedWords } = await import('../../federation/unrecorded.ts')
    const mark = isUnrecorded(federation, mailbox, signal) ? unrecordedWords : undefined
    const disposition = await dispose(federation, address, signal)
    return {
      signal,
      ...noteOf(mark, typeof disposition === 'object' ? disposition.waiting : undefined),
      /** Only when it was shown: a reader that is killed before finds it unread. */
      isMail: disposition === 'mail',
    }
  },
})

/** What is told besides a signal, as one note. */
function noteOf(...notes: readonly (string | undefined)[]): { readonly note?: string } {
  const note = notes.filter((one) => one !== undefined).join('; ')
  return note === '' ? {} : { note }
}

export const acknowledge = defineRequest({
  name: 'ack',
  tool: 'acknowledge',
  description: 'Acknowledge a signal of your inbox that needs no answer.',
  isIdempotent: true,
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
    type: told(z.enum(signalTypes), 'what kind of signal it is'),
    subject: told(z.string(), 'a short summary'),
    body: told(z._default(z.string(), ''), 'all that is to be said, in Markdown'),
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
    type: told(z._default(z.enum(signalTypes), 'report'), 'the kind of the answer'),
    subject: z.optional(told(z.string(), "a short summary; without one 'Re: ' and the signal's")),
  }),
  carryOut: async ({ federation, address }, { signal, ...said }) => {
    const { reply } = await import('../../federation/reply-to-signal.ts')
    return reply(federation, address, signal, said)
  },
})
