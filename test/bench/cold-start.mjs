// What a person waits for before a command does anything: whole processes, run in turn with bare node, so that
// the ratio holds when the machine's speed drifts.
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const fed = fileURLToPath(new URL('../../dist/fed.js', import.meta.url))
const rounds = Number(process.argv[2] ?? 25)
const repository = mkdtempSync(path.join(os.tmpdir(), 'fed-bench-'))

function run(...args) {
  const begun = process.hrtime.bigint()
  execFileSync(process.execPath, args, { cwd: repository, stdio: 'ignore' })
  return Number(process.hrtime.bigint() - begun) / 1e6
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

execFileSync('git', ['init', '--quiet'], { cwd: repository })
run(fed, 'init')
run(fed, 'onboard', 'docs', '--archetype', 'deliverable')

const candidates = {
  'fed --help': [fed, '--help'],
  'fed send': [fed, 'send', 'docs', '--type', 'directive', '--subject', 'A mission'],
  'fed inbox': [fed, 'inbox', 'meta'],
  'fed status': [fed, 'status', 'docs'],
}
const bare = ['-e', '0']
run(...bare)
for (const [name, args] of Object.entries(candidates)) {
  run(...args)
  const pairs = Array.from({ length: rounds }, () => ({ bare: run(...bare), fed: run(...args) }))
  const ratio = median(pairs.map((pair) => pair.fed / pair.bare))
  console.log(
    `${name.padEnd(12)} ${median(pairs.map((pair) => pair.fed)).toFixed(0)} ms, node -e 0 ${median(pairs.map((pair) => pair.bare)).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  )
}
