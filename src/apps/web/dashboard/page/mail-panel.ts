import type { ShownSignal } from '../shown.ts'
import { h, type Shown } from './dom.ts'
import { META, model } from './page-model.ts'
import { mailShown, shownMoment } from './moment.ts'
import { carryOut, openDialog } from './store.ts'
import { ago, clock, counted, exact } from './figures-in-words.ts'

/** What lies in a mailbox: what waits first, then the rest, the newest first. */
export function mailPanel(address: string): Shown {
  const moment = shownMoment()
  const mail = mailShown(address)
  const waiting = mail.signals.filter((signal) => waits(signal, moment))
  const seen = mail.signals.filter((signal) => !waits(signal, moment))
  const isMeta = address === META
  const urgency = (signal: ShownSignal) =>
    isMeta ? ['alert', 'question', 'directive', 'report'].indexOf(signal.type) : 0
  return h(
    'div',
    { class: 'mail' },
    waiting.length === 0
      ? h('p', { class: 'empty' }, isMeta ? 'Nothing waits for an answer' : 'Nothing waits')
      : h(
          'ol',
          { class: 'signals' },
          waiting
            .toSorted((a, b) => urgency(a) - urgency(b) || a.at - b.at)
            .map((signal) => row(address, signal, true)),
        ),
    mail.quarantined.length === 0
      ? null
      : h(
          'ol',
          { class: 'signals quarantine', key: 'quarantine' },
          mail.quarantined.map(({ file, reason }) =>
            h(
              'li',
              { class: 'signal', key: file },
              h('span', { class: 'type alert' }, 'set aside'),
              h('span', { class: 'subject' }, file),
              h('p', { class: 'reason' }, reason),
            ),
          ),
        ),
    seen.length === 0 ? null : h('h3', { key: 'seen' }, 'Acknowledged'),
    h(
      'ol',
      { class: 'signals', key: 'earlier' },
      seen.toReversed().map((signal) => row(address, signal, false)),
    ),
    mail.left > 0
      ? h(
          'p',
          { class: 'empty' },
          `${counted(mail.left, 'older signal')}: `,
          h('code', {}, `fed inbox ${address} --all`),
        )
      : null,
  )
}

/** Whether a signal had no acknowledgment at a moment. */
export function waits({ acknowledged }: ShownSignal, moment: number): boolean {
  return acknowledged === null || acknowledged > moment
}

function row(address: string, signal: ShownSignal, isWaiting: boolean): Shown {
  const { file, from, type, subject, body, at } = signal
  const isMine = address === META && isWaiting && model.moment === undefined
  const isOpen = isWaiting ? body.length < 600 : body.length < 140 && !body.trim().includes('\n')
  return h(
    'li',
    { class: `signal${isWaiting ? ' waiting' : ''}`, key: `${file}${isWaiting}` },
    h('span', { class: `type ${type}` }, type),
    h('span', { class: 'subject', dir: 'auto' }, subject),
    h('span', { class: 'from' }, from === address ? 'from itself' : `from ${from}`),
    h('time', { title: `${exact(at)} ${file}` }, isWaiting ? ago(shownMoment() - at) : clock(at)),
    body.trim() === ''
      ? null
      : isOpen
        ? h('p', { class: 'body', dir: 'auto' }, body)
        : h(
            'details',
            {},
            h('summary', { dir: 'auto' }, firstLine(body)),
            h('p', { class: 'body', dir: 'auto' }, body),
          ),
    isMine
      ? h(
          'span',
          { class: 'actions' },
          from === META
            ? null
            : h(
                'button',
                {
                  type: 'button',
                  class: 'primary',
                  onclick: () => openDialog({ kind: 'reply', address: META, signal }),
                },
                'Answer…',
              ),
          h(
            'button',
            { type: 'button', onclick: () => void carryOut(META, 'acknowledge', { signal: file }) },
            'Acknowledge',
          ),
        )
      : null,
  )
}

function firstLine(body: string): string {
  const line = body.trim().split('\n')[0] ?? ''
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}
