import { h, type Shown } from './dom.ts'
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
export function dialogPanel(dialog: Dialog): Shown {
  return h(
    'dialog',
    {
      class: dialog.kind === 'chart' ? 'machine' : dialog.kind,
      key: keyOf(dialog),
      'aria-label': titleOf(dialog),
      onclose: () => openDialog(undefined),
      onpointerdown: closeOutside,
    },
    h(
      'header',
      {},
      h('h2', {}, titleOf(dialog)),
      h(
        'button',
        { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => openDialog(undefined) },
        '×',
      ),
    ),
    contentOf(dialog),
    h('div', { class: 'notices', role: 'status' }, noticePanel()),
  )
}

/** What was done, or why not. */
export function noticePanel(): Shown | null {
  const { notice } = model
  return notice === undefined
    ? null
    : h('p', { class: `notice${notice.isBad ? ' bad' : ''}`, dir: 'auto' }, notice.text)
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

function contentOf(dialog: Dialog): Shown {
  switch (dialog.kind) {
    case 'help':
      return h(
        'dl',
        {},
        keys.map(([key, what]) =>
          h(
            'div',
            {},
            h(
              'dt',
              {},
              key.split(' ').map((one) => h('kbd', {}, one)),
            ),
            h('dd', {}, what),
          ),
        ),
      )
    case 'chart': {
      const chart = model.charts.get(model.rows.get(dialog.address)?.archetype ?? '')
      return h('div', { class: 'drawing whole', html: chart?.full ?? '', tabindex: '0' })
    }
    default:
      return form(dialog)
  }
}

/** Pressed on the page behind it; a selection that only ends there closes nothing. */
function closeOutside(event: PointerEvent): void {
  if (event.target instanceof HTMLDialogElement) openDialog(undefined)
}

function form(dialog: Dialog): Shown {
  const { kind, address, signal } = dialog
  const draft = draftOf(dialog)
  const keep = ({ target }: { target: HTMLInputElement }) => (draft[target.name] = target.value)
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
  return h(
    'form',
    { onsubmit: (event: SubmitEvent) => void submit(event), oninput: keep },
    kind === 'reply'
      ? h(
          'blockquote',
          { dir: 'auto' },
          h('b', {}, signal?.subject ?? ''),
          signal?.body ? `\n${signal.body}` : '',
        )
      : [
          h(
            'fieldset',
            {},
            ['directive', 'question', 'report', 'alert'].map((type) =>
              h(
                'label',
                {},
                h('input', { type: 'radio', name: 'type', value: type, checked: type === draft.type }),
                type,
              ),
            ),
          ),
          h(
            'label',
            { class: 'field' },
            'Subject',
            h('input', {
              name: 'subject',
              value: draft.subject,
              required: true,
              dir: 'auto',
              maxlength: '200',
              autocomplete: 'off',
              autofocus: true,
            }),
          ),
        ],
    h(
      'label',
      { class: 'field' },
      kind === 'reply' ? 'Answer' : 'Body',
      h('textarea', {
        name: 'body',
        rows: '6',
        dir: 'auto',
        value: draft.body,
        autofocus: kind === 'reply',
        onkeydown: submitByKey,
      }),
    ),
    h(
      'footer',
      {},
      h(
        'span',
        { class: 'muted' },
        `from meta${kind === 'send' ? '; a directive moves the machine or is refused' : '; this acknowledges it'}`,
      ),
      h('button', { type: 'submit', class: 'primary' }, kind === 'reply' ? 'Answer' : 'Send'),
    ),
  )
}

function submitByKey(event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
    (event.target as HTMLTextAreaElement).form?.requestSubmit()
}
