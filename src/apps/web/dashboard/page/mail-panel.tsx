import { counted } from '../../../../errors/printable.ts'
import type { ShownSignal } from '../shown.ts'
import type { VNode } from 'preact'
import { META, model } from './page-model.ts'
import { mailShown, shownMoment } from './moment.ts'
import { carryOut, openDialog } from './server-events.ts'
import { ago, clock, exact } from './figures-in-words.ts'

/** How a signal stands in a list: it wants somebody, it is new, or it was seen. */
type Standing = 'waiting' | 'news' | 'seen'

/** What lies in a mailbox: what waits first, then what is only to be known, then the rest, the newest first. */
export function mailPanel(address: string): VNode {
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
  return (
    <div class="mail">
      {waiting.length === 0 ? (
        <p class="empty">{isMeta ? 'Nothing waits for an answer' : 'Nothing waits'}</p>
      ) : (
        <ol class="signals">
          {rows(
            waiting.toSorted((a, b) => urgency(a) - urgency(b) || a.at - b.at),
            'waiting',
          )}
        </ol>
      )}
      {alerts.length > 1 && (
        <p class="all" key="alerts">
          {acknowledgeAll(alerts, 'alert')}
        </p>
      )}
      {mail.quarantined.length !== 0 && (
        <ol class="signals quarantine" key="quarantine">
          {mail.quarantined.map(({ file, reason }) => (
            <li class="signal" key={file}>
              <span class="type alert">set aside</span>
              <span class="subject">{file}</span>
              <p class="reason">{reason}</p>
            </li>
          ))}
        </ol>
      )}
      {news.length !== 0 && [
        <h3 key="news">
          {counted(news.length, 'new report')}
          {acknowledgeAll(news, 'report')}
        </h3>,
        <ol class="signals" key="reports">
          {rows(news.toReversed(), 'news')}
        </ol>,
      ]}
      {seen.length !== 0 && <h3 key="seen">Acknowledged</h3>}
      <ol class="signals" key="earlier">
        {rows(seen.toReversed(), 'seen')}
      </ol>
      {mail.left > 0 && (
        <p class="empty">
          {counted(mail.left, 'older signal')}: <code>fed inbox {address} --all</code>
        </p>
      )}
    </div>
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
function acknowledgeAll(signals: readonly ShownSignal[], what: string): VNode | null {
  if (model.moment !== undefined) return null
  return (
    <button
      type="button"
      disabled={!model.isConnected}
      title={`Acknowledges ${counted(signals.length, what)}`}
      onClick={() => acknowledge(...signals)}
    >
      {what === 'alert' ? 'Acknowledge all alerts' : 'Acknowledge all'}
    </button>
  )
}

function acknowledge(...signals: readonly ShownSignal[]): void {
  void carryOut(META, 'acknowledge', { signals: signals.map(({ file }) => file) })
}

function row(address: string, signal: ShownSignal, standing: Standing): VNode {
  const { file, from, type, subject, move, at } = signal
  return (
    <li class={`signal ${standing}${move === null ? '' : ' move'}`} key={`${file}${standing}`}>
      <span class={`type ${type}`}>{move === null ? type : 'moved'}</span>
      <span class="subject" dir="auto">
        {move === null ? subject : [`${from}: ${move.from} → `, <b>{move.to}</b>]}
      </span>
      {move === null && <span class="from">{from === address ? 'from itself' : `from ${from}`}</span>}
      <time title={`${exact(at)} ${file}`}>{standing === 'seen' ? clock(at) : ago(shownMoment() - at)}</time>
      {move === null && bodyOf(signal, standing)}
      {address === META && model.moment === undefined && actionsOf(signal, standing)}
    </li>
  )
}

function bodyOf({ body }: ShownSignal, standing: Standing): VNode | null {
  if (body.trim() === '') return null
  const isOpen = standing === 'waiting' ? body.length < 600 : body.length < 140 && !body.trim().includes('\n')
  const text = (
    <p class="body" dir="auto">
      {body}
    </p>
  )
  return isOpen ? (
    text
  ) : (
    <details>
      <summary dir="auto">{firstLine(body)}</summary>
      {text}
    </details>
  )
}

/** What can be done with a signal of `meta`; that a team moved asks for nothing. */
function actionsOf(signal: ShownSignal, standing: Standing): VNode | null {
  if (standing === 'seen' || signal.move !== null) return null
  return (
    <span class="actions">
      {signal.from !== META && (
        <button
          type="button"
          class={standing === 'waiting' ? 'primary' : ''}
          onClick={() => openDialog({ kind: 'reply', address: META, signal })}
        >
          Answer…
        </button>
      )}
      <button type="button" onClick={() => acknowledge(signal)}>
        Acknowledge
      </button>
    </span>
  )
}

function firstLine(body: string): string {
  const line = body.trim().split('\n')[0] ?? ''
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}
