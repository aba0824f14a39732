import { h, type Shown } from '../../dashboard/page/dom.ts'
import type { Session } from './inspected-sessions.ts'
import { moveTo, viewer } from './viewer.ts'

/** Leads to the moment after any message. */
export function stepBar(session: Session): Shown {
  const { cursor } = viewer
  const last = session.messages.length - 1
  const here = Math.min(cursor ?? last, last)
  return h(
    'footer',
    { class: `timeline${cursor === undefined ? '' : ' past'}`, key: 'steps' },
    h(
      'div',
      { class: 'bar' },
      h(
        'button',
        {
          type: 'button',
          id: 'live',
          class: cursor !== undefined ? '' : `live${viewer.isConnected ? '' : ' lost'}`,
          onclick: () => moveTo(session, last),
        },
        cursor !== undefined ? 'Back to live' : viewer.isConnected ? 'Live' : 'Not live',
      ),
      h(
        'button',
        { type: 'button', 'aria-label': 'The message before', onclick: () => moveTo(session, here - 1) },
        '◂',
      ),
      h(
        'button',
        { type: 'button', 'aria-label': 'The message after', onclick: () => moveTo(session, here + 1) },
        '▸',
      ),
      h('input', {
        type: 'range',
        id: 'scrub',
        'aria-label': 'Message',
        min: '0',
        max: String(last),
        value: String(here),
        oninput: (event: { target: HTMLInputElement }) => moveTo(session, Number(event.target.value)),
      }),
      h('span', { class: 'moment' }, `${here + 1} of ${last + 1}`),
    ),
  )
}
