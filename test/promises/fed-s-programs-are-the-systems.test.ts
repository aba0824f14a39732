// Proves that fed runs no program that lies where an agent writes, and hands no such folder to an agent: programs of
// well-known names lie in the federation's and the teams' own folders, in a worktree and its node_modules, and where
// fed is called, and all of these stand first on the PATH. Fails when one of them runs, or when an agent is given one.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newWalk, ranIn, walk } from '../support/every-git.ts'
import { fed, newFolder, systemPath } from '../support/fed.ts'

const names = ['git', 'git-lfs', 'node', 'bwrap', 'sh', 'fed', 'npm', 'ps', 'true', 'claude']

test('no program runs that lies in a folder that agents write, wherever the PATH names it', async () => {
  const walked = await newWalk()
  const { root, workspace, marks } = walked
  const docs = path.join(root, '.fed', 'teams', 'docs')
  const folders = [
    path.join(root, '.fed', 'bin'),
    path.join(docs, 'bin'),
    path.join(docs, '.fed', 'bin'),
    workspace,
    path.join(workspace, 'node_modules', '.bin'),
    path.join(root, 'node_modules', '.bin'),
    root,
  ]
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true })
    for (const name of names) {
      const mark = path.join(marks, `${name}-in-${path.relative(root, folder).replaceAll('/', '-')}`)
      writeFileSync(path.join(folder, name), `#!/bin/sh\n: > '${mark}'\nexit 1\n`)
      chmodSync(path.join(folder, name), 0o755)
    }
  }
  writeFileSync(path.join(root, '.git', 'info', 'exclude'), `${names.join('\n')}\nbin\nnode_modules\n.fed\n`)
  const PATH = ['', '.', 'node_modules/.bin', ...folders, systemPath].join(path.delimiter)
  const steps = await walk(walked, { env: { PATH } })
  expect(steps.flatMap(({ command, ran }) => ran.map((one) => `${command}: ${one}`))).toEqual([])
  expect(steps.filter(({ code, expected }) => code !== expected)).toEqual([])

  const said = path.join(newFolder('said'), 'path')
  const agent = `/bin/sh -c 'echo "$PATH" > ${said}; exit 3'`
  await fed(root, ['run', 'Document it', '--team', 'docs', '--agent', agent, '--max-sessions', '1'], {
    env: { PATH },
  })
  expect(ranIn(walked)).toEqual([])
  const given = readFileSync(said, 'utf8').trim().split(path.delimiter)
  expect(given.filter((folder) => !path.isAbsolute(folder) || folder.startsWith(root))).toEqual([])
  expect(given.slice(1).join(path.delimiter)).toBe(systemPath)
})
