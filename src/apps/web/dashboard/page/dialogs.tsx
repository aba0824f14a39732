import type { VNode } from 'preact'
import { META, model, type Dialog } from './page-model.ts'

import { carryOut, openDialog } from './server-events.ts'

const keys: readonly (readonly [string, string])[] = [
  ['j k', 'next, previous team'],
  ['/', 'filter teams'],
  ['[ ]', 'the event before, after'],
  ['l', 'live: back to now'],
  ['1 2 3 4', 'history, mailbox, findings, document or changes'],
  ['e', 'what is shown with all the room'],
  ['c', 'the whole chart'],
  ['p', 'pause or resume'],
  ['s', 'send a signal'],
  ['m', 'inbox of meta'],
  ['f', 'fit the timeline'],
  ['d', 'dark or light'],
  ['?', 'these keys'],
]

/** What stands above the page until it is closed. */
export function dialogPanel(dialog: Dialog): VNode {
  return (
    <dialog
      class={dialog.kind === 'chart' ? 'machine' : dialog.kind}
      key={keyOf(dialog)}
      aria-label={titleOf(dialog)}
      onClose={() => openDialog(undefined)}
      onPointerDown={closeOutside}
    >
      <header>
        <h2>{titleOf(dialog)}</h2>
        <button type="button" class="close" aria-label="Close" onClick={() => openDialog(undefined)}>
          ×
        </button>
      </header>
      {contentOf(dialog)}
      <div class="notices" role="status">
        {noticePanel()}
      </div>
    </dialog>
  )
}

/** What was done, or why not. */
export function noticePanel(): VNode | null {
  const { notice } = model
  return notice === undefined ? null : (
    <p class={`notice${notice.isBad ? ' bad' : ''}`} dir="auto">
      {notice.text}
    </p>
  )
}

function keyOf({ kind, address, signal }: Dialog): string {
  return `${kind} ${address} ${signal?.file ?? ''}`
}

/** What is being written, until it is sent: closing a dialog takes nothing away. */
const drafts = new Map<string, Record<string, string>>()

function draftOf(dialog: Dialog): Record<string, string> {
  const key = keyOf(dialog)
  const draft = drafts.get(key) ?? { type: 'directive', subject: '', body: '' }
  drafts.set(key, draft)
  return draft
}

function titleOf({ kind, address, signal }: Dialog): string {
  return {
    send: `Send to ${address}`,
    reply: `Answer ${signal?.from ?? ''}`,
    chart: `Machine of ${address}`,
    help: 'Keys',
  }[kind]
}

function contentOf(dialog: Dialog): VNode {
  switch (dialog.kind) {
    case 'help':
      return (
        <dl>
          {keys.map(([key, what]) => (
            <div>
              <dt>
                {key.split(' ').map((one) => (
                  <kbd>{one}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      )
    case 'chart': {
      const chart = model.charts.get(model.rows.get(dialog.address)?.archetype ?? '')
      return (
        <div class="drawing whole" dangerouslySetInnerHTML={{ __html: chart?.full ?? '' }} tabindex={0} />
      )
    }
    default:
      return form(dialog)
  }
}

/** Pressed on the page behind it; a selection that only ends there closes nothing. */
function closeOutside(event: PointerEvent): void {
  if (event.target instanceof HTMLDialogElement) openDialog(undefined)
}

function form(dialog: Dialog): VNode {
  const { kind, address, signal } = dialog
  const draft = draftOf(dialog)
  const keep = ({ target }: Event) => {
    const { name, value } = target as HTMLInputElement
    draft[name] = value
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const isDone =
      kind === 'reply'
        ? await carryOut(META, 'reply', { signal: signal?.file ?? '', body: draft.body })
        : await carryOut(address, 'send', draft)
    if (!isDone) return
    drafts.delete(keyOf(dialog))
    openDialog(undefined)
  }
  return (
    <form onSubmit={(event: SubmitEvent) => void submit(event)} onInput={keep}>
      {kind === 'reply' ? (
        <blockquote dir="auto">
          <b>{signal?.subject ?? ''}</b>
          {signal?.body ? `\n${signal.body}` : ''}
        </blockquote>
      ) : (
        [
          <fieldset>
            {['directive', 'question', 'report', 'alert'].map((type) => (
              <label>
                <input type="radio" name="type" value={type} checked={type === draft.type} />
                {type}
              </label>
            ))}
          </fieldset>,
          <label class="field">
            Subject
            <input
              name="subject"
              value={draft.subject}
              required
              dir="auto"
              maxlength={200}
              autocomplete="off"
              autofocus
            />
          </label>,
        ]
      )}
      <label class="field">
        {kind === 'reply' ? 'Answer' : 'Body'}
        <textarea
          name="body"
          rows={6}
          dir="auto"
          value={draft.body}
          autofocus={kind === 'reply'}
          onKeyDown={submitByKey}
        />
      </label>
      <footer>
        <span class="muted">
          from meta
          {kind === 'send' ? '; a directive moves the machine or is refused' : '; this acknowledges it'}
        </span>
        <button type="submit" class="primary">
          {kind === 'reply' ? 'Answer' : 'Send'}
        </button>
      </footer>
    </form>
  )
}

function submitByKey(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
    (event.target as HTMLTextAreaElement).form?.requestSubmit()
}
