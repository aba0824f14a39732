// Records a file of each present format, as the built commands write it: `npm run build && node test/formats/record.mjs`.
// What was recorded once stays as it is; a release that gives a format its next version adds `v<version>` beside it.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const product = path.join(here, '..', '..')
const place = mkdtempSync(path.join(os.tmpdir(), 'fed-formats-'))
const root = path.join(place, 'shop')
const caught = path.join(place, 'caught')
mkdirSync(path.join(root, 'src'), { recursive: true })
mkdirSync(caught)

const collector = createServer((request, response) => request.resume().on('end', () => response.end()))
await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve))
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:FED_|OTEL_)/.test(name))),
  XDG_CACHE_HOME: path.join(place, 'cache'),
  XDG_CONFIG_HOME: path.join(place, 'config'),
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
}

const git = (cwd, ...args) => execFileSync('git', args, { cwd, stdio: 'ignore' })
const start = (...args) =>
  spawn(process.execPath, [path.join(product, 'dist', 'fed.js'), ...args], {
    cwd: root,
    env,
    stdio: 'ignore',
  })
/** Beside the collector, which must answer meanwhile. */
const fed = (...args) => new Promise((resolve) => start(...args).once('exit', resolve))
const configure = (settings) =>
  writeFileSync(
    path.join(root, 'federate.config.json'),
    JSON.stringify({ federationName: 'shop', ...settings }),
  )
const own = (team, ...names) => path.join(root, '.fed', team, '.fed', ...names)

/** The mission of a coding team up to its tests. */
async function readyToTest(team) {
  await fed('onboard', team, '--archetype', 'coding', '--mission', 'Change the answer')
  await fed('report', 'plan-ready', '--team', team, '--body', 'Change src/app.ts')
  writeFileSync(path.join(root, '.fed', 'worktrees', team, 'src', 'app.ts'), 'export const answer = 43\n')
  git(
    path.join(root, '.fed', 'worktrees', team),
    'commit',
    '--quiet',
    '--all',
    '--message',
    'Change the answer',
  )
  await fed('report', 'changes-committed', '--team', team)
}

git(place, 'init', '--quiet', '--initial-branch=main', root)
git(root, 'config', 'user.name', 'Ann')
git(root, 'config', 'user.email', 'ann@example.org')
writeFileSync(path.join(root, 'src', 'app.ts'), 'export const answer = 42\n')
git(root, 'add', '.')
git(root, 'commit', '--quiet', '--message', 'Begin')

// a claim is held while the hook is told
writeFileSync(
  path.join(root, 'hook.ts'),
  `import { cpSync } from 'node:fs'
export default {
  onInit() {},
  onSignal: ({ workspace }) => cpSync(workspace + '/.fed/hook-calls', '${caught}', { recursive: true }),
  onTransition() {
    throw new Error('no such channel')
  },
}
`,
)
configure({ importHook: 'hook.ts' })
await fed('trust')
await fed('init')
// an agent that sees what lies there while it runs, and does nothing else
writeFileSync(
  path.join(place, 'looker.mjs'),
  `import { cpSync } from 'node:fs'
const fed = process.env.FED_WORKSPACE + '/.fed/'
cpSync(fed + 'codebase/1-1/before.json', '${caught}/before.json')
cpSync(fed + 'awaited-end.json', '${caught}/awaited-end.json')
`,
)
const looker = ['--max-sessions', '1', '--agent', `${process.execPath} ${path.join(place, 'looker.mjs')}`]
await fed('run', 'Look', '--team', 'looker', '--confinement', 'off', ...looker)
// mail that is put before the agent
await fed('onboard', 'docs')
await fed('send', 'docs', '--type', 'report', '--subject', 'Release on Friday')
await fed('run', 'Explain src/app.ts', '--team', 'docs')

configure({})
await readyToTest('api')
await fed('report', 'tests-passed', '--team', 'api', '--run', 'true')
await readyToTest('web')
// the checkout is the folder in which a check runs
configure({ checks: [{ name: 'test', run: `cp ../owner.json ${caught}/owner.json` }] })
await fed('trust')
await fed('report', 'tests-passed', '--team', 'web')

await fed('chat', 'say', '@shop status', '--as', 'ann')
await fed('chat', '--once')
await fed('monitor')

const dashboard = start('dashboard')
while (!existsSync(path.join(root, '.fed', 'dashboard', 'address.json')) && dashboard.exitCode === null)
  await sleep(50)
dashboard.kill()

const docs = (...names) => own('teams/docs', ...names)
const sessions = (name) => path.join(docs('sessions'), name)
const checks = path.join(root, '.fed', 'checks', 'web')
const inFed = (...names) => path.join(root, '.fed', ...names)
record('lifecycle', docs('lifecycle.json'))
record('team', docs('team.json'))
record('session', sessions('1-1.json'))
record('session-end', sessions('1-1.end.json'))
record('session-report', sessions('1-1.reports.jsonl'))
record('log-times', sessions('1-1.times'))
record('test-run', own('worktrees/api', 'test-runs.jsonl'))
record('check', path.join(checks, readdirSync(checks)[0], 'test.1.json'))
record('federation', inFed('federation.json'))
record('hook-initialized', inFed('hook-initialized.json'))
record('boot', inFed('boot.json'))
record('hook-fault', inFed('hook-faults.jsonl'))
record('chat', inFed('chat', 'local.json'))
record('chat-message', inFed('chat', 'messages.jsonl'))
record('telemetry', inFed('telemetry.json'))
record('dashboard', inFed('dashboard', 'address.json'))
record('codebase', path.join(caught, 'before.json'))
record('awaited-end', path.join(caught, 'awaited-end.json'))
record('checkout', path.join(caught, 'owner.json'))
record('trust', path.join(place, 'config', 'fed', 'trust.json'))
record(
  'claim',
  path.join(
    caught,
    readdirSync(caught).find((name) => /^\d+\.\d+$/.test(name)),
  ),
)
await fed('offboard', 'docs')
record('offboarding', inFed('archive', 'docs.json'))

collector.close()
rmSync(place, { recursive: true })

/** Keeps a file of a format, with paths that are nobody's, unless it was kept before. */
function record(name, file) {
  const text = readFileSync(file, 'utf8')
    .replaceAll(root, '/home/ann/shop')
    .replaceAll(path.resolve(product), '/usr/lib/node_modules/fed')
    .replaceAll(process.execPath, '/usr/bin/node')
    .replaceAll(place, '/home/ann')
  const [, found, version] = /\bfed-([a-z-]+)-(\d+)\b/.exec(text) ?? []
  if (found !== name) throw new Error(`${file} does not begin as fed-${name}`)
  const ending = /\.jsonl?$/.exec(file)?.[0] ?? '.txt'
  const kept = path.join(here, name, `v${version}${ending}`)
  if (existsSync(kept)) return
  mkdirSync(path.dirname(kept), { recursive: true })
  writeFileSync(kept, text)
  console.log(path.relative(product, kept))
}
