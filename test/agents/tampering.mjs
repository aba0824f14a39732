// Commits in a coding team's worktree, and tries by git and by files to change what is not its own: settings, hooks,
// other branches, other teams' work. Notes what it was told, commits that, and reports.
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { done, walk } from './step-by-step.mjs'

const { FED_ROOT: root } = process.env
const common = path.join(root, '.git')
const other = path.join(root, '.fed', 'worktrees', 'web')

function answer(attempt) {
  try {
    return attempt() ?? 'done'
  } catch (error) {
    return error.code
  }
}

const git = (...args) => spawnSync('git', args, { encoding: 'utf8' }).status

walk({
  preparing: () => done('fed', 'report', 'plan-ready', '--body', 'change src/app.ts'),
  implementing() {
    writeFileSync('src/app.ts', 'export const answer = 43\n')
    const notes = {
      config: answer(() => appendFileSync(path.join(common, 'config'), '[core]\n\tpager = touch ran\n')),
      setting: git('config', 'alias.status', '!touch ran'),
      hook: answer(() => {
        mkdirSync(path.join(common, 'hooks'), { recursive: true })
        writeFileSync(path.join(common, 'hooks', 'post-checkout'), '#!/bin/sh\ntouch /tmp/ran\n', {
          mode: 0o755,
        })
      }),
      main: git('update-ref', 'refs/heads/main', 'HEAD'),
      branch: git('update-ref', 'refs/heads/fed/web', 'HEAD'),
      deleted: git('tag', '--delete', 'v1'),
      rescue: git('update-ref', 'refs/fed/rescue/web/1', 'HEAD'),
      pruned: git('worktree', 'prune', '--expire=now'),
      otherWork: answer(() => writeFileSync(path.join(other, 'mine.txt'), '')),
      otherFiles: answer(() => existsSync(other)),
      otherNotes: answer(() => readdirSync(path.join(common, 'worktrees')).join()),
      around: answer(() => appendFileSync(`/proc/${process.ppid}/root${root}/.git/config`, '# mine\n')),
      objects: answer(() =>
        readdirSync('/run/fed/objects')
          .map((name) => answer(() => writeFileSync(`/run/fed/objects/${name}/mine`, '')))
          .join(),
      ),
      pointer: answer(() => writeFileSync('.git', 'gitdir: /tmp\n')),
      source: answer(() => writeFileSync(path.join(root, 'src', 'app.ts'), '')),
    }
    writeFileSync('notes.json', JSON.stringify(notes))
    done('git', 'add', '--all')
    done('git', 'commit', '--quiet', '--message', 'Another answer')
    done('git', 'switch', '--quiet', '--create', 'aside')
    done('git', 'commit', '--quiet', '--allow-empty', '--message', 'Aside')
    const { status, stderr } = spawnSync('fed', ['report', 'changes-committed'], { encoding: 'utf8' })
    if (status !== 5 || !stderr.includes("'git switch fed/api' leads back")) throw new Error(stderr)
    done('git', 'switch', '--quiet', 'fed/api')
    done('fed', 'report', 'changes-committed')
  },
})
