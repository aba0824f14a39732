// What the scripted agents have in common: they note that they were started, and work through `fed` on the PATH.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const workspace = process.env.FED_WORKSPACE
const environment = Object.entries(process.env).filter(([name]) => name.startsWith('FED_'))

appendFileSync(
  path.join(workspace, 'starts.jsonl'),
  `${JSON.stringify({
    pid: process.pid,
    cwd: process.cwd(),
    args: process.argv.slice(2),
    env: Object.fromEntries(environment),
    prompt: readFileSync(process.env.FED_PROMPT_FILE, 'utf8'),
  })}\n`,
)

/** How often an agent was started in this workspace, this time included. */
export const starts = readFileSync(path.join(workspace, 'starts.jsonl'), 'utf8').trim().split('\n').length

function fed(...args) {
  const { status, stdout, stderr } = spawnSync('fed', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`fed ${args.join(' ')} exited ${status}: ${stderr}`)
  return stdout
}

const document = `# The answer

This repository exports one number. The number is forty-two.

## The source

It stands in \`src/app.ts\`:

\`\`\`ts
export const answer = 42
\`\`\`

## Next steps

1. Write a test for it.
`

const steps = {
  preparing: () => fed('report', 'mission-planned', '--body', 'read src/app.ts'),
  scanning() {
    fed('learn', '--category', 'pattern', 'the answer is a constant')
    fed('report', 'files-read')
  },
  distilling: () => fed('report', 'patterns-identified', '--body', 'there is one constant'),
  aggregating() {
    writeFileSync(path.join(workspace, 'deliverable.md'), document)
    fed('report', 'document-written')
  },
}

/** Walks a deliverable team from wherever it stands: to a state, or to the end of its machine. */
export function walk(last = 'complete') {
  const { state: first } = JSON.parse(fed('status', process.env.FED_TEAM, '--json'))
  const states = Object.keys(steps)
  if (!states.includes(first)) return
  for (const state of states.slice(states.indexOf(first))) {
    if (state === last) return
    console.log(`working on ${state}`)
    steps[state]()
  }
}
