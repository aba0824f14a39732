// Runs the whole suite several times in a row, three unless told otherwise (`npm run test:busy 10`), while two other
// processes keep the machine busy, and ends at the first run in which something failed. Interrupted, it goes on where
// it was: in the same run, with its seed, at the files that had not passed. Of other files, or with another Node, it
// begins anew.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const cache = path.join(root, 'node_modules', '.cache', 'fed-test-busy')
/** `{ tested, done, seed }`: of what, how many runs passed, and the seed of the one that is under way. */
const stateFile = path.join(cache, 'state.json')
/** The files that passed in a run, one a line; a run that was given up and goes on adds to none but its own. */
const passedFile = ({ seed }) => path.join(cache, `passed-${seed}.txt`)

function say(text) {
  process.stderr.write(`test:busy: ${text}\n`)
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, maxBuffer: 1 << 30 })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** A digest of what is tested: this Node, and every file as it is, committed or not. */
function digest() {
  const hash = createHash('sha256').update(process.version).update(git('rev-parse', 'HEAD'))
  hash.update(git('diff', '--binary', 'HEAD'))
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z').toString().split('\0')
  for (const file of untracked.slice(0, -1)) hash.update(file).update(readFileSync(path.join(root, file)))
  return hash.digest('hex')
}

function newRun(tested, done) {
  const state = { tested, done, seed: Date.now() % 1_000_000_000 }
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  writeFileSync(`${stateFile}.new`, JSON.stringify(state))
  // whole or not at all
  renameSync(`${stateFile}.new`, stateFile)
  return state
}

/** Where the runs of these very files stand; they begin when there is none. */
function present(tested) {
  const known = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : undefined
  return known?.tested === tested ? known : newRun(tested, 0)
}

/** Turns until its parent is gone, however that ends. */
const busy = 'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e7; i += 1);'

/** Runs the files that have not passed yet; returns the exit code. */
function runSuite(state, passed) {
  const reporters = ['default', '.config/tally-reporter.ts', '.config/passed-reporter.ts']
  return spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--config', '.config/vitest.config.ts'],
      ...reporters.map((reporter) => `--reporter=${reporter}`),
      ...passed.map((file) => `--exclude=${file}`),
      '--passWithNoTests',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, FED_SEED: String(state.seed), FED_TEST_PASSED: passedFile(state) },
    },
  )
}

const times = Number(process.argv[2] ?? 3)
if (!Number.isSafeInteger(times) || times < 1) {
  say(`'${process.argv[2]}' is no number of runs; give one such as 10: npm run test:busy 10`)
  process.exit(2)
}

const tested = digest()
let state = present(tested)
const others = [1, 2].map(() => spawn(process.execPath, ['-e', busy], { stdio: 'ignore' }))
try {
  while (state.done < times) {
    const list = passedFile(state)
    const passed = existsSync(list) ? readFileSync(list, 'utf8').split('\n').slice(0, -1) : []
    const before = passed.length === 0 ? '' : `, where ${passed.length} files have passed`
    say(`run ${state.done + 1} of ${times}, FED_SEED=${state.seed}${before}`)
    const { status, signal } = runSuite(state, passed)
    if (signal !== null || status === 130) {
      say('interrupted; the same command goes on')
      process.exitCode = 130
      break
    }
    if (status !== 0) {
      say(
        `run ${state.done + 1} of ${times} failed; FED_SEED=${state.seed} npm test takes the same samples again`,
      )
      newRun(tested, 0)
      process.exitCode = 1
      break
    }
    state = newRun(tested, state.done + 1)
  }
} finally {
  for (const other of others) other.kill()
}
if (state.done >= times) {
  say(`${state.done} runs in a row passed`)
  rmSync(cache, { recursive: true })
}
