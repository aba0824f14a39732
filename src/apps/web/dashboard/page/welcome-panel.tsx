import type { VNode } from 'preact'

const command = 'fed run "Document the architecture of this repository"'

/** What a federation without teams has to say: how to begin. */
export function welcomePanel(): VNode {
  return (
    <main class="team welcome" key="welcome" aria-label="How to begin">
      <h1>No teams yet</h1>
      <p class="muted">One command makes a team, gives it its mission and starts its agent:</p>
      <div class="command">
        <code id="begin">{command}</code>
        <button type="button" onClick={() => void navigator.clipboard.writeText(command)}>
          Copy
        </button>
      </div>
      <p class="muted">What it does is shown here as it happens.</p>
    </main>
  )
}
