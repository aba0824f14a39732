import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { git } from '../../src/platform/git/git.ts'
import { fedDone, newFederation } from './fed.ts'

/** A federation whose team `docs` only reads, works in a worktree of its own, and has a mission. */
export async function newReaderInWorktree(): Promise<string> {
  const root = await newFederation()
  // the notes of scripted agents are no change
  writeFileSync(path.join(root, '.gitignore'), 'starts.jsonl\n')
  git(root, 'add', '.gitignore')
  git(root, 'commit', '--quiet', '--message', 'Ignore notes')
  await fedDone(root, [
    ...['onboard', 'docs', '--archetype', 'deliverable', '--placement', 'worktree'],
    ...['--mission', 'Document the source'],
  ])
  return root
}

/** Its worktree. */
export function worktreeOf(root: string): string {
  return path.join(root, '.fed', 'worktrees', 'docs')
}
