// A federation to look at: eight teams of a small shop, made by the real commands, each with a clock that is so
// many minutes behind, so that an hour lies between the first signal and the last.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const fed = path.join(repository, 'dist', 'fed.js')
const clock = path.join(repository, 'test/support/preload/shifted-clock.cjs')

/** What the agent at work prints, line after line, until it is ended. */
const agent = `
const lines = ['reading src/storage/disk.ts', 'reading src/storage/versioned-commit.ts', 'a commit is claimed before it is linked: why?',
  'reading test/simulation/simulation.ts', 'finding logged: the predecessor decides, not the number', 'reading src/storage/append-log.ts']
let line = 0
setInterval(() => console.log(lines[line++ % lines.length]), 900)
console.log('mission: Explain how nothing is lost when a process dies')
for (const first of lines) console.log(first)
`

/**
 * @returns its root, the folder to remove afterwards, and what ends the agent that works in it.
 */
export async function demoFederation() {
  const place = mkdtempSync(path.join(os.tmpdir(), 'fed-demo-'))
  const root = path.join(place, 'shop')
  mkdirSync(root)
  const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'Robin')
  git('config', 'user.email', 'robin@example.org')
  for (const room of ['platform/storage', 'records/signals', 'protocol', 'records/registry'])
    cpSync(path.join(repository, 'src', room), path.join(root, 'src', path.basename(room)), {
      recursive: true,
    })
  writeFileSync(path.join(root, 'README.md'), '# Shop\n\nOrders, prices and stock.\n')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')

  /** A command so many minutes ago. Some are refused, and a cycle that finds something unhealthy ends with 1. */
  const ago = (minutes, ...args) => {
    const env = {
      ...process.env,
      FED_TEST_CLOCK: String(-minutes * 60_000),
      NODE_OPTIONS: `--require ${clock}`,
      FED_TELEMETRY_ENABLED: 'false',
      FED_DURABILITY: 'process',
    }
    try {
      return execFileSync(process.execPath, [fed, ...args], {
        cwd: root,
        env,
        encoding: 'utf8',
        stdio: 'pipe',
      })
    } catch (error) {
      if (error.status === 5 || args[0] === 'monitor') return ''
      throw new Error(`fed ${args.join(' ')}: ${error.stderr}`, { cause: error })
    }
  }
  const onboard = (minutes, team, archetype, mission) => {
    ago(minutes, 'onboard', team, '--archetype', archetype)
    ago(minutes - 0.2, 'send', team, '--type', 'directive', '--subject', mission)
    ago(minutes - 0.3, 'monitor', '--quiet')
  }
  const report = (minutes, team, subject, body = '') =>
    ago(minutes, 'report', subject, '--team', team, ...(body === '' ? [] : ['--body', body]))
  const learn = (minutes, team, category, tags, text) =>
    ago(
      minutes,
      'learn',
      text,
      '--team',
      team,
      '--category',
      category,
      '--tags',
      tags,
      '--confidence',
      'high',
    )

  ago(62, 'init', '--federation-name', 'shop', '--description', 'Documentation teams of the shop')
  ago(61, 'run', 'Document the storage', '--team', 'docs', '--quiet')
  onboard(55, 'recovery', 'deliverable', 'Explain how nothing is lost when a process dies')
  onboard(52, 'pricing', 'deliverable', 'Explain how orders are priced')
  onboard(50, 'checkout', 'coding', 'Round prices to the currency, not to two digits')
  onboard(47, 'history', 'consultant', 'Why the storage is as it is')
  onboard(44, 'security', 'deliverable', 'What another site could make a browser do')
  onboard(40, 'glossary', 'deliverable', 'One word for one thing')

  report(51, 'recovery', 'files-read')
  report(50, 'recovery', 'mission-planned', 'src/storage, src/signals')
  report(49, 'pricing', 'mission-planned', 'src/protocol')
  learn(
    45,
    'recovery',
    'pattern',
    'storage,link',
    'Every write is a link: a name appears whole or not at all',
  )
  report(44, 'history', 'domain-mapped', 'src/storage')
  learn(43, 'history', 'convention', 'storage', 'Decisions stand beside the code that they explain')
  report(42, 'history', 'index-built', 'src/storage')
  report(41, 'security', 'mission-planned', 'src/protocol')
  report(40, 'pricing', 'files-read')
  learn(
    39,
    'pricing',
    'gotcha',
    'rounding',
    'Prices are rounded twice, once for each line and once for the sum',
  )
  report(38, 'pricing', 'files-read')
  ago(36, 'pause', 'recovery')
  learn(35, 'security', 'discovery', 'http', 'The page answers whoever knows its port')
  report(34, 'security', 'files-read')
  ago(31, 'resume', 'recovery')
  ago(
    30,
    'alert',
    'source-inaccessible',
    '--team',
    'security',
    '--body',
    'The proxy configuration is not in this repository',
  )
  report(29, 'glossary', 'mission-planned', 'src/registry')
  learn(
    27,
    'recovery',
    'technique',
    'storage,simulation',
    'A simulation leaves each rule out once, and finds a lost commit for each',
  )
  ago(
    24,
    'send',
    'history',
    '--type',
    'question',
    '--subject',
    'Why two flushes',
    '--body',
    'Why does a durable send wait for two flushes?',
    '--from',
    'recovery',
  )
  ago(23.8, 'monitor', '--quiet')
  report(20, 'recovery', 'files-read')
  report(17, 'pricing', 'patterns-identified', 'Rounding belongs to the currency')
  report(14, 'pricing', 'document-written')
  ago(12, 'pause', 'glossary')
  ago(
    9,
    'send',
    'meta',
    '--type',
    'question',
    '--subject',
    'Which currencies',
    '--body',
    'Do prices in yen count, which have no digits behind the point?',
    '--from',
    'pricing',
  )
  ago(
    8,
    'send',
    'recovery',
    '--type',
    'directive',
    '--subject',
    'Cover power cuts too',
    '--body',
    'With and without FED_DURABILITY',
  )
  ago(7.9, 'monitor', '--quiet')
  ago(
    6,
    'send',
    'recovery',
    '--type',
    'report',
    '--subject',
    'Flushes',
    '--body',
    'One for the file and one for its name',
    '--from',
    'history',
  )

  const bin = path.join(place, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'writer'), `#!${process.execPath}\n${agent}`, { mode: 0o755 })
  const launcher = spawn(
    process.execPath,
    [fed, 'launch', '--team', 'recovery', '--agent', 'writer', '--quiet'],
    {
      cwd: root,
      stdio: 'ignore',
      env: {
        ...process.env,
        PATH: `${bin}${path.delimiter}${process.env.PATH}`,
        FED_TELEMETRY_ENABLED: 'false',
      },
    },
  )
  const ended = new Promise((resolve) => launcher.once('exit', resolve))
  const end = async () => {
    launcher.kill('SIGINT')
    await ended
  }
  return { root, place, fed, end }
}
