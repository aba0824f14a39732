// What the scripted agents have in common: they note that they were started, and work through `fed` on the PATH.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
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

const tray = process.env.FED_TRAY
const answers = path.join(path.dirname(path.dirname(tray)), 'answers', path.basename(tray))

/** Asks as the agent's `fed` does, without a process for it. */
async function ask(verb, args) {
  const id = randomUUID()
  const file = path.join(tray, `${id}.json`)
  writeFileSync(`${file}.tmp`, JSON.stringify({ format: 'fed-request-1', id, verb, args }))
  renameSync(`${file}.tmp`, file)
  const answer = path.join(answers, `${id}.json`)
  while (!existsSync(answer)) await new Promise((resolve) => setTimeout(resolve, 5))
  const { value, error } = JSON.parse(readFileSync(answer, 'utf8'))
  if (error !== undefined) throw new Error(`${verb}: ${error.message}`)
  return value
}

const byTray = {
  state: async () => (await ask('status', {})).state,
  learn: (content) => ask('learn', { content, category: 'pattern' }),
  report: (subject, body = '') => ask('report', { subject, body }),
}

const steps = {
  preparing: ({ report }) => report('mission-planned', 'read src/app.ts'),
  async scanning({ learn, report }) {
    await learn('the answer is a constant')
    return report('files-read')
  },
  distilling: ({ report }) => report('patterns-identified', 'there is one constant'),
  aggregating({ report }) {
    writeFileSync(path.join(workspace, 'deliverable.md'), document)
    return report('document-written')
  },
}

/** Walks a deliverable team from wherever it stands: to a state, or to the end of its machine. */
export async function walk(last = 'complete', by = byTray) {
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
