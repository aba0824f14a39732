// What the scripted agents have in common: they note that they were started, and work through `fed` on the PATH.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { document } from './answer-document.mjs'

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

const byCommand = {
  state: () => JSON.parse(fed('status', process.env.FED_TEAM, '--json')).state,
  learn: (finding) => fed('learn', '--category', 'pattern', finding),
  report: (subject, ...body) => fed('report', subject, ...(body.length === 0 ? [] : ['--body', ...body])),
}

/** In this process, which takes a fraction of the time. */
async function byLibrary() {
  const { openFederation } = await import(new URL('../../dist/library/index.js', import.meta.url))
  const federation = await openFederation(process.env.FED_ROOT)
  const id = process.env.FED_TEAM
  return {
    state: async () => (await (await federation.team(id)).status()).state,
    // as any program may write it
    learn: (content) =>
      appendFileSync(
        path.join(workspace, '.fed', 'learnings.jsonl'),
        `${JSON.stringify({ timestamp: new Date().toISOString(), domain: id, category: 'pattern', content, tags: [], confidence: 'medium' })}\n`,
      ),
    async report(subject, body = '') {
      await federation.send({ from: id, to: id, type: 'report', subject, body })
      const { handled } = await (await federation.team(id)).step()
      const refused = handled.find(({ outcome }) => outcome !== 'accepted')
      if (refused !== undefined) throw new Error(`${subject}: ${JSON.stringify(refused)}`)
    },
  }
}

const steps = {
  preparing: ({ report }) => report('mission-planned', 'read src/app.ts'),
  scanning({ learn, report }) {
    learn('the answer is a constant')
    return report('files-read')
  },
  distilling: ({ report }) => report('patterns-identified', 'there is one constant'),
  aggregating({ report }) {
    writeFileSync(path.join(workspace, 'deliverable.md'), document)
    return report('document-written')
  },
}

/** Walks a deliverable team from wherever it stands: to a state, or to the end of its machine. */
export async function walk(last = 'complete', way = undefined) {
  const by = way ?? (await byLibrary())
  const first = await by.state()
  const states = Object.keys(steps)
  if (!states.includes(first)) return
  for (const state of states.slice(states.indexOf(first))) {
    if (state === last) return
    console.log(`working on ${state}`)
    await steps[state](by)
  }
}

/** The same as an agent does it that has a shell. */
export const walkByCommands = (last) => walk(last, byCommand)
