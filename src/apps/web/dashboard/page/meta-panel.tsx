import { backButton } from './back-button.tsx'
import type { VNode } from 'preact'
import { mailPanel } from './mail-panel.tsx'
import { META, model } from './page-model.ts'

/** What agents used up, by team. */
function costsPanel(): VNode | null {
  const [head = [], ...rows] = model.costs
  if (rows.length < 2) return null
  return (
    <section class="panel costs" aria-label="What agents used up">
      <header>
        <h2>Used</h2>
        <span class="muted">as far as the agents tell it</span>
      </header>
      <div class="content" tabindex={0}>
        <table>
          <thead>
            <tr>
              {head.map((cell) => (
                <th scope="col">{cell}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells) => (
              <tr key={cells[0]}>
                {cells.map((cell) => (
                  <td>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

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
      {costsPanel()}
    </main>
  )
}
