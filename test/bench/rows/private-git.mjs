import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { bundle } from '../bundle.mjs'
import { inWords, median } from '../measure.mjs'
import { newFolder, newRepository } from '../places.mjs'
import { Skipped } from '../rivals.mjs'

/**
 * What a session of a coding team within walls costs more to start than one without: its repository is made ready, of
 * which no object is copied, whatever the history holds.
 */
export async function measure({ rounds = 15, megabytes = 1000 }) {
  const root = newRepository()
  await fill(root, megabytes)
  const workTree = path.join(newFolder('worktrees'), 'api')
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  git('worktree', 'add', '--quiet', '-b', 'fed/api', workTree, 'main')
  const size = Number(/size-pack: (\d+)/.exec(git('count-objects', '-v'))[1]) / 1000
  const args = [await bundle('private-git'), root, workTree, String(rounds)]
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' })
  const { why, first, next, nothingNew, outside, inside } = JSON.parse(printed)
  if (why !== undefined) throw new Skipped(why)
  const row = (words, times) => ({
    path: `within walls, ${words} of a repository of ${size.toFixed(0)} MB`,
    ours: inWords(median(times)),
    rival: `one git ${inWords(median(outside))}, within walls ${inWords(median(inside))}`,
    value: median(times),
    unit: 'ms',
    sense: 'at most',
    floor: 50,
    reach: 30,
  })
  return [
    row('the first session', first),
    row('the next session', next),
    row('a report without commits', nothingNew),
  ]
}

/** A history of files that nothing makes smaller, a megabyte each. */
async function fill(root, megabytes) {
  const settings = ['-c', 'core.compression=0', '-c', 'fastimport.unpackLimit=0']
  const child = spawn('git', [...settings, 'fast-import', '--quiet'], {
    cwd: root,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  for (let at = 1; at <= megabytes; at += 1) {
    const head = `commit refs/heads/main\ncommitter A <a@example.org> ${at} +0000\ndata 1\n.\nM 100644 inline file${at % 20}\ndata 1000000\n`
    for (const part of [head, randomBytes(1_000_000), '\n'])
      if (!child.stdin.write(part)) await once(child.stdin, 'drain')
  }
  child.stdin.end()
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`git fast-import exited ${code}`)
}
