// Changes the answer as its mission and the review ask: at first wrongly, until the tests say so.
import { readFileSync, writeFileSync } from 'node:fs'
import { done, fed, walk } from './step-by-step.mjs'

const check = `import { readFileSync } from 'node:fs'
const wanted = process.argv.slice(2)
const text = readFileSync('src/app.ts', 'utf8')
const missing = wanted.filter((word) => !text.includes(word))
for (const word of missing) console.error(word + ' is missing')
process.exitCode = missing.length
`

/** What the mission and everything that was added to it ask for. */
const wanted = ({ mission, instructions }) =>
  [mission, ...instructions].map(({ body, subject }) => (body || subject).split(' ').at(-1))

walk({
  preparing: () => done('fed', 'report', 'plan-ready', '--body', 'change src/app.ts, prove it by check.mjs'),
  implementing(status) {
    const [first, ...others] = wanted(status)
    const history = JSON.parse(done('fed', 'history', process.env.FED_TEAM, '--json'))
    const isSecondTry = history.some(
      ({ event, outcome }) => event === 'report.tests-failed' && outcome === 'accepted',
    )
    const answer = isSecondTry ? first : 'wrong'
    writeFileSync('check.mjs', check)
    writeFileSync('src/app.ts', `export const answer = '${[answer, ...others].join(' ')}'\n`)
    done('git', 'add', '--all')
    done('git', 'commit', '--quiet', '--message', `Answer ${answer}`)
    done('fed', 'report', 'changes-committed')
  },
  testing(status) {
    const words = wanted(status).map((word) => `"${word}"`)
    const { status: exitCode, stderr } = fed(
      'report',
      'tests-passed',
      '--quiet',
      '--run',
      `node check.mjs ${words.join(' ')}`,
    )
    if (exitCode === 0) {
      done('fed', 'report', 'pr-opened', '--body', 'https://code.example/shop/pull/1')
      return
    }
    const [, log] = /its output is in (\S+)\)/.exec(stderr)
    done('fed', 'report', 'tests-failed', '--body', readFileSync(log, 'utf8'))
  },
})
