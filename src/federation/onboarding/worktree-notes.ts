import { existsSync } from 'node:fs'
import path from 'node:path'
import { git } from '../../platform/git/git.ts'
import { submodulesOf, uncommittedIn } from '../../platform/git/work-tree-status.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'

/** What a person may expect in a new worktree and not find, a line each. */
export function worktreeNotes(root: string, workspace: string): string[] {
  // fed made its configuration itself, and no team works on it
  const uncommitted = uncommittedIn(root, [path.basename(federationLayout(root).config)]).length
  const start = git(workspace, 'rev-parse', '--short', 'HEAD')
  const submodules = existsSync(path.join(workspace, '.gitmodules'))
    ? submodulesOf(git(workspace, 'ls-files', '--stage', '-z')).filter(
        (name) => !existsSync(path.join(workspace, name, '.git')),
      ).length
    : 0
  return [
    ...(uncommitted === 0
      ? []
      : [
          `it begins at commit ${start}: ${uncommitted === 1 ? 'the uncommitted change' : `the ${uncommitted} uncommitted changes`} of ${root} ${uncommitted === 1 ? 'is' : 'are'} not in it`,
        ]),
    ...(submodules === 0
      ? []
      : [`its submodules are empty: 'git -C ${workspace} submodule update --init --recursive' fills them`]),
  ]
}
