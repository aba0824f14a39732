import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { fed, run } from './counted-process.ts'

/** Older than the time after which a lock is nobody's. */
const oldMs = 11 * 60_000

/** Everything in git's folder that a killed git may have left there is from now on that old. */
export function age(root: string): void {
  const then = new Date(Date.now() - oldMs)
  const folder = path.join(root, '.git')
  if (!existsSync(folder)) return
  const notes = path.join(folder, 'worktrees')
  const entries = existsSync(notes) ? readdirSync(notes) : []
  const begun = entries.flatMap((name) =>
    ['', 'gitdir', 'commondir', 'HEAD'].map((part) => path.join(notes, name, part)),
  )
  for (const file of [...locks(folder), ...begun]) if (existsSync(file)) utimesSync(file, then, then)
}

function locks(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.lock') || name === 'packed-refs.new')
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
}

/**
 * What still stands in git's way when everything was given again, and the doctor has put away what no command met:
 * asked of git as it is, without anything that helps it.
 */
export async function blocked(root: string): Promise<string[]> {
  const folder = path.join(root, '.git')
  if (!existsSync(folder)) return []
  if (locks(folder).length > 0) await run(fed(root, 'doctor', '--fix'))
  return [
    ...locks(folder).map((file) => `${path.relative(root, file)} is left`),
    ...tries.flatMap((args) => {
      const { status, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
      return status === 0 ? [] : [`git ${args.join(' ')}: ${stderr.trim()}`]
    }),
  ]
}

/** Each takes other locks. */
const tries = [
  ['worktree', 'list'],
  ['status', '--porcelain'],
  ['pack-refs', '--all'],
  ['config', 'fed.trial', 'true'],
  ['update-index', '--refresh', '-q'],
]
