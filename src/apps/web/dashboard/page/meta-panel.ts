import { backButton } from './back-button.ts'
import { h, type Shown } from './dom.ts'
import { mailPanel } from './mail-panel.ts'
import { META, model } from './page-model.ts'

/** The coordinator's mail, in the place of a team. */
export function metaPanel(): Shown {
  return h(
    'main',
    { class: 'team meta', key: 'meta', 'aria-label': 'Inbox of meta' },
    h(
      'header',
      { class: 'head' },
      backButton(() => (model.isListShown = true)),
      h('h1', {}, 'meta'),
      h('span', { class: 'archetype' }, 'coordinator'),
      h(
        'div',
        { class: 'mission muted' },
        'What teams ask waits for an answer. What they report is only to be known; a monitoring cycle acknowledges it as well.',
      ),
    ),
    h('section', { class: 'panel inbox' }, h('div', { class: 'content', tabindex: '0' }, mailPanel(META))),
  )
}
