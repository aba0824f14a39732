// A federation with teams in a folder of its own, to be copied and moved.
import { execFileSync } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { examine } from '../../src/apps/doctor/examine.ts'
import { Federation } from '../../src/federation/federation.ts'
import { git } from '../../src/platform/git/git.ts'
import { newFolder } from './fed.ts'
import { newFederation } from './federation.ts'

/** A federation with a reader `docs` and a coding team `api` whose work is not committed, in a folder of its own. */
export async function withTeams(): Promise<string> {
  const root = path.join(newFolder('place'), 'first')
  renameSync(newFederation(), root)
  // it was set up where the test's template put it, without teams, which names no place
  const federation = new Federation(root)
  await federation.onboard({ domain: 'docs', archetype: 'deliverable' })
  await federation.onboard({ domain: 'api', archetype: 'coding' })
  await send(federation, 'Explain it')
  writeFileSync(path.join(worktreeOf(root), 'draft.ts'), 'export {}\n')
  return root
}

export const send = (federation: Federation, subject: string) =>
  federation.send({ from: 'meta', to: 'docs', type: 'directive', subject, body: 'x' })

export const worktreeOf = (root: string) => path.join(root, '.fed', 'worktrees', 'api')
export const beside = (root: string, name: string) => path.join(path.dirname(root), name)
export const copyAll = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
export const subjectsOf = (root: string) =>
  new Federation(root, { use: 'read' })
    .mailbox('docs')
    .all()
    .map(({ subject }) => subject)
export const errorsIn = async (root: string) =>
  (await examine(root)).filter(({ severity }) => severity === 'error')
export const worktreesOf = (root: string) =>
  git(root, 'worktree', 'list')
    .split('\n')
    .map((line) => line.split(/\s/, 1)[0])
