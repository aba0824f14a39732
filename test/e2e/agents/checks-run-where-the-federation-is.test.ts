// Proves that checks and their setup run in the federation's own folder of the checkout, where its manifests are, also
// where that is not the top of the repository. It fails when another package's tests count for this one.
import path from 'node:path'
import { expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import { commitFiles, configure, nodeCommand } from '../../support/checks.ts'
import { commitFile } from '../../support/coding-team.ts'
import { fed, fedDone, newRepository } from '../../support/fed.ts'

const looking = nodeCommand(`import { existsSync } from 'node:fs'
  if (!existsSync('here.txt')) process.exit(3)
  if (!existsSync('node_modules/made')) process.exit(4)`)

const making = nodeCommand(`import { mkdirSync } from 'node:fs'
  mkdirSync('node_modules/made', { recursive: true })`)

test('checks run in the folder of the federation', async () => {
  const top = newRepository()
  commitFiles(top, {
    'packages/shop/federate.config.json': '{}',
    'packages/shop/here.txt': 'here\n',
    '.gitignore': 'node_modules\n',
  })
  const root = path.join(top, 'packages', 'shop')
  await fedDone(root, ['init'])
  configure(root, { checks: [{ name: 'unit', run: looking }], setup: { run: making } })
  const team = await new Federation(root).onboard({ domain: 'api', archetype: 'coding' })
  const { workspace } = team.actor
  await beginMission(team, 'Change the answer')
  await team.tell({ type: 'report', subject: 'plan-ready', body: 'Change it' })
  commitFile(workspace, 'new.ts', 'new\n')
  await team.tell({ type: 'report', subject: 'changes-committed' })
  await fedDone(root, ['report', 'tests-passed', '--team', 'api'])

  git(workspace, 'rm', '--quiet', '-r', 'packages')
  git(workspace, 'commit', '--quiet', '--message', 'Move it away')
  const { code, stderr } = await fed(root, ['report', 'tests-passed', '--team', 'api'])
  expect([code, stderr]).toEqual([5, expect.stringContaining('does not have the folder of the federation')])
})
