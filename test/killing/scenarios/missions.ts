import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Federation } from '../../../src/federation/federation.ts'
import { git, gitOrNothing } from '../../../src/platform/git/git.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import { fed } from '../counted-process.ts'
import type { Scenario } from '../scenario.ts'
import { federationOf } from './prepared.ts'
import { agentsAreKnown, failing, open } from './sessions.ts'
import { isIn } from './steps.ts'

/** The next mission of a team with a branch: what the last one left there is kept, and the branch begins anew. */
export const beginAnew: Scenario = {
  name: 'launch --reset in a worktree',
  varies: true,
  async prepare(root) {
    await federationOf(root)
    const api = await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
    await beginMission(api, 'Change the answer')
    const { workspace } = api.actor
    writeFileSync(path.join(workspace, 'src', 'app.ts'), 'export const answer = 43\n')
    git(workspace, 'commit', '--quiet', '--all', '--message', 'Work')
    writeFileSync(path.join(workspace, 'src', 'app.ts'), 'export const answer = 44\n')
    writeFileSync(path.join(workspace, 'notes.txt'), 'never added\n')
    await api.tell({ type: 'alert', subject: 'information-missing', body: 'It is not there' })
  },
  act: (root) => fed(root, 'launch', ...open, '--team', 'api', '--reset', '--agent', failing),
  ends: 1,
  again: [1],
  *end(now) {
    yield* isIn(now, 'api', 'failed')
    yield* agentsAreKnown(now, 'api')
    const { root } = now
    const kept = git(root, 'for-each-ref', '--format=%(refname)', 'refs/fed/rescue/api').split('\n')
    const holds = (file: string, text: string) =>
      kept.some((ref) => gitOrNothing(root, 'show', `${ref}:${file}`) === text)
    if (!holds('src/app.ts', 'export const answer = 44')) yield 'what was uncommitted is lost'
    if (!holds('notes.txt', 'never added')) yield 'what was never added is lost'
    const commits = git(root, 'log', '--format=%s', '--glob=refs/fed/rescue/api/*')
    if (!commits.split('\n').includes('Work')) yield 'the commit is lost'
    if (git(root, 'rev-parse', 'fed/api') !== git(root, 'rev-parse', 'main'))
      yield 'the branch did not begin anew'
  },
}
