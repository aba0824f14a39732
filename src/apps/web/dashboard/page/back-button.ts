import { update } from './model-changes.ts'
import { h, type Shown } from './dom.ts'

/** On narrow pages, from one team to the list of all. */
export function backButton(showList: () => void): Shown {
  return h(
    'button',
    { class: 'back', type: 'button', 'aria-label': 'All teams', onclick: () => update(showList) },
    '‹',
  )
}
