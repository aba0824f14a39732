import { h, type Shown } from './dom.ts'

const command = 'fed run "Document the architecture of this repository"'

/** What a federation without teams has to say: how to begin. */
export function welcomePanel(): Shown {
  return h(
    'main',
    { class: 'team welcome', key: 'welcome', 'aria-label': 'How to begin' },
    h('h1', {}, 'No teams yet'),
    h('p', { class: 'muted' }, 'One command makes a team, gives it its mission and starts its agent:'),
    h(
      'div',
      { class: 'command' },
      h('code', { id: 'begin' }, command),
      h('button', { type: 'button', onclick: () => void navigator.clipboard.writeText(command) }, 'Copy'),
    ),
    h('p', { class: 'muted' }, 'What it does is shown here as it happens.'),
  )
}
