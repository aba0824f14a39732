import { backButton } from './back-button.tsx'
import type { VNode } from 'preact'
import { mailPanel } from './mail-panel.tsx'
import { META, model } from './page-model.ts'

/** The coordinator's mail, in the place of a team. */
export function metaPanel(): VNode {
  return (
    <main class="team meta" key="meta" aria-label="Inbox of meta">
      <header class="head">
        {backButton(() => (model.isListShown = true))}
        <h1>meta</h1>
        <span class="archetype">coordinator</span>
        <div class="mission muted">
          What teams ask waits for an answer. What they report is only to be known; a monitoring cycle
          acknowledges it as well.
        </div>
      </header>
      <section class="panel inbox">
        <div class="content" tabindex={0}>
          {mailPanel(META)}
        </div>
      </section>
    </main>
  )
}
