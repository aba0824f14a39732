// Measures the paths that the README speaks of, each against what bounds it or what one would use instead, and
// prints a table of ratios. Each row is a process of its own; within it, ours and the rival take turns, so that
// the ratio holds on a machine whose speed drifts.
//
//   npm run build                                 the rows use the library and the commands as they are built
//   npm run bench:rivals                          once: what the rows are measured against
//   node test/bench/run.mjs                       all rows
//   node test/bench/run.mjs send poll             some rows, by the names of their files in rows/
//   node test/bench/run.mjs --json                one JSON document instead of the table
//   node test/bench/run.mjs send --set rounds=3   other sizes, as the row's measure() names them
//   TMPDIR=/elsewhere node test/bench/run.mjs     on another file system
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { flushCost } from './flush-cost.mjs'
import { fed, openPlace } from './places.mjs'
import { Skipped } from './rivals.mjs'
import { tableOf, verdictOn } from './table.mjs'

const order = [
  ...['send', 'send-durable', 'send-many', 'poll', 'history', 'read', 'wake-up', 'burst'],
  ...[
    'registry',
    'stall',
    'step',
    'exchange',
    'monitor',
    'many-teams',
    'telemetry',
    'commands',
    'tray',
    'tray-crowd',
    'survey',
    'goal',
    'dashboard',
    'link',
    'private-git',
  ],
]
// Node 20 reads these certificates at each start, which is nothing that fed or a rival does
delete process.env.NODE_EXTRA_CA_CERTS

/** A row that hangs is wrong and must not keep the others from being measured. */
const longestMs = 900_000
const rows = fileURLToPath(new URL('rows', import.meta.url))

/** Measures one row in this process and tells the outcomes to whoever started it. */
async function measureHere(name, settings) {
  const { measure } = await import(path.join(rows, `${name}.mjs`))
  try {
    return await measure(settings)
  } catch (error) {
    if (error instanceof Skipped) return [{ path: name, skipped: error.message }]
    throw error
  }
}

async function measureApart(name, settings) {
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--here', name, ...set], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, FED_TELEMETRY_ENABLED: 'false' },
  })
  let outcomes
  child.on('message', (message) => (outcomes = message))
  const late = setTimeout(() => child.kill('SIGKILL'), longestMs)
  const [code, by] = await once(child, 'exit')
  clearTimeout(late)
  return (
    outcomes ?? [
      { path: name, ours: '', rival: `failed with ${by ?? `exit code ${code}`}`, unit: '', isWrong: true },
    ]
  )
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    set: { type: 'string', multiple: true, default: [] },
    here: { type: 'string' },
  },
})
const settings = Object.fromEntries(
  values.set.map((pair) => {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? ['', pair, '']
    // a path stays what it is
    return [name, Number.isNaN(Number(value)) ? value : Number(value)]
  }),
)

if (values.here !== undefined) {
  process.send(await measureHere(values.here, settings), () => process.exit(0))
} else {
  const known = readdirSync(rows).map((file) => path.basename(file, '.mjs'))
  const wrong = positionals.filter((name) => !known.includes(name))
  if (wrong.length > 0 || !existsSync(fed)) {
    const problem =
      wrong.length > 0
        ? `no row ${wrong.join(', ')}; there are ${known.join(', ')}`
        : 'run npm run build first'
    process.stderr.write(`${problem}\n`)
    process.exit(2)
  }
  const chosen = order.filter((name) => positionals.length === 0 || positionals.includes(name))
  openPlace()
  const outcomes = []
  for (const name of chosen) {
    process.stderr.write(`${name} …\n`)
    outcomes.push(...(await measureApart(name, settings)))
  }
  const machine = `Node ${process.version}, ${os.availableParallelism()} cores (${os.cpus()[0]?.model ?? os.arch()}), ${os.platform()} ${os.release()}, files in ${os.tmpdir()}: ${await flushCost()}`
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ machine, outcomes: outcomes.map((one) => ({ ...one, verdict: one.skipped === undefined ? verdictOn(one) : 'skipped' })) }, null, 2)}\n`
      : `${tableOf(outcomes)}\n\n${machine}\n`,
  )
  process.exitCode = outcomes.some((one) => one.isWrong) ? 1 : 0
}
