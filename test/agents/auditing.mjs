// Does the job of the fixture's `audit` archetype; by its first argument it ends before a state.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import './work.mjs'

function fed(...args) {
  const { status, stdout, stderr } = spawnSync('fed', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`fed ${args.join(' ')} exited ${status}: ${stderr}`)
  return stdout
}

const report = `# Audit of the app

The app exports one number. Nothing in it can fail.

## The code

\`\`\`ts
export const answer = 42
\`\`\`

## Next steps

1. Write a test for it.
`

const steps = {
  scoping: () => fed('report', 'scope-set', '--body', 'src/app.ts'),
  inspecting() {
    for (const risk of ['nothing tests the answer', 'nothing documents the answer'])
      fed('learn', '--category', 'gotcha', risk)
    fed('report', 'risks-logged')
  },
  writing() {
    writeFileSync(path.join(process.env.FED_WORKSPACE, 'deliverable.md'), report)
    fed('report', 'audit-written', '--body', 'verdict: pass, with two remarks')
  },
}

const { state: first } = JSON.parse(fed('status', process.env.FED_TEAM, '--json'))
const states = Object.keys(steps)
for (const state of states.slice(states.indexOf(first))) {
  if (state === process.argv[2]) break
  steps[state]()
}
