import type { ShownSignal } from '../shown.ts'
import { h, type Shown } from './dom.ts'
import { META, model } from './page-model.ts'
import { mailShown, shownMoment } from './moment.ts'
import { carryOut, openDialog } from './server-events.ts'
import { ago, clock, counted, exact } from './figures-in-words.ts'

/** How a signal stands in a list: it wants somebody, it is new, or it was seen. */
type Standing = 'waiting' | 'news' | 'seen'

/** What lies in a mailbox: what waits first, then what is only to be known, then the rest, the newest first. */
export function mailPanel(address: string): Shown {
  const moment = shownMoment()
  const mail = mailShown(address)
  const unread = mail.signals.filter((signal) => waits(signal, moment))
  const seen = mail.signals.filter((signal) => !waits(signal, moment))
  const isMeta = address === META
  const waiting = isMeta ? unread.filter(isAsking) : unread
  const news = isMeta ? unread.filter((signal) => !isAsking(signal)) : []
  const alerts = waiting.filter(({ type }) => isMeta && type === 'alert')
  const rows = (signals: readonly ShownSignal[], standing: Standing) =>
    signals.map((signal) => row(address, signal, standing))
  return h(
    'div',
    { class: 'mail' },
    waiting.length === 0
      ? h('p', { class: 'empty' }, isMeta ? 'Nothing waits for an answer' : 'Nothing waits')
      : h(
          'ol',
          { class: 'signals' },
          rows(
            waiting.toSorted((a, b) => urgency(a) - urgency(b) || a.at - b.at),
            'waiting',
          ),
        ),
    alerts.length > 1 ? h('p', { class: 'all', key: 'alerts' }, acknowledgeAll(alerts, 'alert')) : null,
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
    news.length === 0
      ? null
      : [
          h('h3', { key: 'news' }, counted(news.length, 'new report'), acknowledgeAll(news, 'report')),
          h('ol', { class: 'signals', key: 'reports' }, rows(news.toReversed(), 'news')),
        ],
    seen.length === 0 ? null : h('h3', { key: 'seen' }, 'Acknowledged'),
    h('ol', { class: 'signals', key: 'earlier' }, rows(seen.toReversed(), 'seen')),
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

/** Whether somebody waits for whoever reads a signal; a report only tells. */
export function isAsking({ type }: ShownSignal): boolean {
  return type !== 'report'
}

/** A team's own mail stays in the order in which it came. */
function urgency({ to, type }: ShownSignal): number {
  return to === META ? ['alert', 'question', 'directive'].indexOf(type) : 0
}

/** Those that are seen now, and none that comes meanwhile. */
function acknowledgeAll(signals: readonly ShownSignal[], what: string): Shown | null {
  if (model.moment !== undefined) return null
  return h(
    'button',
    {
      type: 'button',
      disabled: !model.isConnected,
      title: `Acknowledges ${counted(signals.length, what)}`,
      onclick: () => acknowledge(...signals),
    },
    what === 'alert' ? 'Acknowledge all alerts' : 'Acknowledge all',
  )
}

function acknowledge(...signals: readonly ShownSignal[]): void {
  void carryOut(META, 'acknowledge', { signals: signals.map(({ file }) => file) })
}

function row(address: string, signal: ShownSignal, standing: Standing): Shown {
  const { file, from, type, subject, move, at } = signal
  return h(
    'li',
    { class: `signal ${standing}${move === null ? '' : ' move'}`, key: `${file}${standing}` },
    h('span', { class: `type ${type}` }, move === null ? type : 'moved'),
    h(
      'span',
      { class: 'subject', dir: 'auto' },
      move === null ? subject : [`${from}: ${move.from} → `, h('b', {}, move.to)],
    ),
    move === null ? h('span', { class: 'from' }, from === address ? 'from itself' : `from ${from}`) : null,
    h('time', { title: `${exact(at)} ${file}` }, standing === 'seen' ? clock(at) : ago(shownMoment() - at)),
    move === null ? bodyOf(signal, standing) : null,
    address === META && model.moment === undefined ? actionsOf(signal, standing) : null,
  )
}

function bodyOf({ body }: ShownSignal, standing: Standing): Shown | null {
  if (body.trim() === '') return null
  const isOpen = standing === 'waiting' ? body.length < 600 : body.length < 140 && !body.trim().includes('\n')
  const text = h('p', { class: 'body', dir: 'auto' }, body)
  return isOpen ? text : h('details', {}, h('summary', { dir: 'auto' }, firstLine(body)), text)
}

/** What can be done with a signal of `meta`; that a team moved asks for nothing. */
function actionsOf(signal: ShownSignal, standing: Standing): Shown | null {
  if (standing === 'seen' || signal.move !== null) return null
  return h(
    'span',
    { class: 'actions' },
    signal.from === META
      ? null
      : h(
          'button',
          {
            type: 'button',
            class: standing === 'waiting' ? 'primary' : '',
            onclick: () => openDialog({ kind: 'reply', address: META, signal }),
          },
          'Answer…',
        ),
    h('button', { type: 'button', onclick: () => acknowledge(signal) }, 'Acknowledge'),
  )
}

function firstLine(body: string): string {
  const line = body.trim().split('\n')[0] ?? ''
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}
