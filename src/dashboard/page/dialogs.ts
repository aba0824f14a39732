import { h, type Shown } from './dom.ts'
import { META, model, type Dialog } from './model.ts'
import { carryOut, openDialog } from './store.ts'

const keys: readonly (readonly [string, string])[] = [
  ['j k', 'next, previous team'],
  ['/', 'filter teams'],
  ['[ ]', 'the event before, after'],
  ['l', 'live: back to now'],
  ['1 2 3 4', 'history, mailbox, findings, document'],
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
      key: `${dialog.kind} ${dialog.address} ${dialog.signal?.file ?? ''}`,
      'aria-label': titleOf(dialog),
      onclose: () => openDialog(undefined),
      onclick: closeOutside,
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
  )
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

/** Clicked on the page behind it. */
function closeOutside(event: MouseEvent): void {
  if (event.target instanceof HTMLDialogElement) openDialog(undefined)
}

function form({ kind, address, signal }: Dialog): Shown {
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const given = new FormData(event.target as HTMLFormElement)
    const text = (name: string) => String(given.get(name) ?? '')
    const isDone =
      kind === 'reply'
        ? await carryOut(META, 'reply', { signal: signal?.file ?? '', body: text('body') })
        : await carryOut(address, 'send', {
            type: text('type'),
            subject: text('subject'),
            body: text('body'),
          })
    if (isDone) openDialog(undefined)
  }
  return h(
    'form',
    { onsubmit: (event: SubmitEvent) => void submit(event) },
    kind === 'reply'
      ? h('blockquote', {}, h('b', {}, signal?.subject ?? ''), signal?.body ? `\n${signal.body}` : '')
      : [
          h(
            'fieldset',
            {},
            ['directive', 'question', 'report', 'alert'].map((type) =>
              h(
                'label',
                {},
                h('input', { type: 'radio', name: 'type', value: type, checked: type === 'directive' }),
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
              required: true,
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
      h('textarea', { name: 'body', rows: '6', autofocus: kind === 'reply', onkeydown: submitByKey }),
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
