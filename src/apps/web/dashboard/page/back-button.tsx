import { update } from './model-changes.ts'
import type { VNode } from 'preact'

/** On narrow pages, from one team to the list of all. */
export function backButton(showList: () => void): VNode {
  return (
    <button class="back" type="button" aria-label="All teams" onClick={() => update(showList)}>
      ‹
    </button>
  )
}
