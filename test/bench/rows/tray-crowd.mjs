import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setInterval } from 'node:timers/promises'
import { inWords, quantile } from '../measure.mjs'
import { fed, newFederation, newFolder, programs, runFed, surviving } from '../places.mjs'

/** How long agents of many teams wait for an answer while another team's checks run, and while none do. */
export async function measure({ teams: count = 50, seconds = 8 }) {
  surviving('process')
  const names = Array.from({ length: count }, (_, index) => `docs-${index}`)
  const federation = await newFederation(...names)
  const { root } = federation
  const place = newFolder('place')
  const over = path.join(place, 'over')
  const check = path.join(place, 'check.mjs')
  writeFileSync(
    check,
    `import { existsSync, watch, writeFileSync } from 'node:fs'
const isOver = () => existsSync(${JSON.stringify(over)})
const over = new Promise((end) => watch(${JSON.stringify(place)}, () => isOver() && end()))
writeFileSync(${JSON.stringify(path.join(place, 'begun'))}, '')
if (!isOver()) await over
process.exit()`,
  )
  const config = path.join(root, 'federate.config.json')
  const settings = JSON.parse(readFileSync(config, 'utf8'))
  writeFileSync(
    config,
    JSON.stringify({ ...settings, checks: [{ name: 'long', run: `node ${check}`, timeout: '10m' }] }),
  )
  execFileSync('git', ['add', '.'], { cwd: root })
  const me = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
  execFileSync('git', [...me, 'commit', '--quiet', '--message', 'Begin'], { cwd: root })
  runFed(root, 'onboard', 'api', '--archetype', 'coding', '--mission', 'Change the answer')
  runFed(root, 'report', 'plan-ready', '--team', 'api', '--body', 'Change it')
  const worktree = path.join(root, '.fed', 'worktrees', 'api')
  writeFileSync(path.join(worktree, 'src', 'app.ts'), 'export const answer = 43\n')
  execFileSync('git', [...me, 'commit', '--quiet', '--all', '--message', 'Change'], { cwd: worktree })
  runFed(root, 'report', 'changes-committed', '--team', 'api')
  runFed(root, 'trust', '--yes')
  await federation.sendMany(
    names.map((to) => ({ from: 'meta', to, type: 'directive', subject: 'Document the source' })),
  )

  const go = path.join(place, 'go')
  const agent = `sh -c 'while [ $FED_TEAM = api ] && ! [ -e ${go} ]; do sleep 0.1; done; if [ $FED_TEAM = api ]; then fed report tests-passed; fi; sleep 600'`
  const launcher = spawn(
    process.execPath,
    [fed, 'launch', '--all', '--confinement', 'off', '--agent', agent],
    {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, FED_TELEMETRY_ENABLED: 'false' },
    },
  )
  const until = async (isSo) => {
    for await (const _ of setInterval(50)) {
      if (isSo()) return
      if (launcher.exitCode !== null) throw new Error(`the launcher exited ${launcher.exitCode}`)
    }
  }
  try {
    const trayOf = (name) => path.join(root, '.fed', 'teams', name, '.fed', 'tray')
    const trays = []
    for (const name of names) {
      await until(() => existsSync(trayOf(name)) && readdirSync(trayOf(name)).length > 0)
      trays.push(path.join(trayOf(name), readdirSync(trayOf(name))[0]))
    }
    const wait = () =>
      JSON.parse(
        execFileSync(process.execPath, [path.join(programs, 'ask-trays.mjs'), String(seconds), ...trays]),
      )
    wait()
    const without = quantile(wait(), 0.99)
    writeFileSync(go, '')
    await until(() => existsSync(path.join(place, 'begun')))
    const beside = quantile(wait(), 0.99)
    writeFileSync(over, '')
    return [
      {
        path: `the slowest of 100 answers to ${count} trays, beside a long check`,
        rival: `no check runs ${inWords(without)}`,
        sense: 'at most',
        unit: 'ms more',
        floor: 50,
        reach: 10,
        ours: inWords(beside),
        value: beside - without,
        low: beside - without,
        high: beside - without,
      },
    ]
  } finally {
    if (launcher.exitCode === null) {
      launcher.kill('SIGTERM')
      await new Promise((resolve) => launcher.once('exit', resolve))
    }
  }
}
