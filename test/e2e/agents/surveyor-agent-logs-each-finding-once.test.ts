// Proves that the embedded agent logs each finding of a mission once, wherever it is killed: it asks the log itself
// what stands there. It fails when a finding is logged twice, or one of an earlier mission counts for this one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  builtFed,
  fedDone,
  fedJson,
  newFederation,
  newFolder,
  systemPath,
  workspaceOf,
} from '../../support/fed.ts'

const program = fileURLToPath(new URL('../../../dist/fed-agent.js', import.meta.url))
const findings = async (root: string) =>
  (await fedJson<{ content: string }[]>(root, ['learnings', 'docs'])).map(({ content }) => content)

/** Runs the agent with a `fed` that does what it is told, and then what the script says. */
async function runAgent(root: string, script = ''): Promise<NodeJS.Signals | null> {
  const bin = newFolder('bin')
  writeFileSync(
    path.join(bin, 'fed'),
    `#!/bin/sh\n'${process.execPath}' '${builtFed}' "$@"\ncode=$?\n${script}\nexit $code\n`,
  )
  chmodSync(path.join(bin, 'fed'), 0o755)
  const env = {
    PATH: `${bin}${path.delimiter}${systemPath}`,
    FED_ROOT: root,
    FED_TEAM: 'docs',
    FED_WORKSPACE: workspaceOf(root, 'docs'),
    FED_TELEMETRY_ENABLED: 'false',
    FED_DURABILITY: 'process',
  }
  const agent = spawn(process.execPath, [program], { cwd: root, env, stdio: 'ignore' })
  const [, signal] = (await once(agent, 'exit')) as [number | null, NodeJS.Signals | null]
  return signal
}

test('killed after a finding was logged, before it knew: the next one logs only what is missing', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  expect(await runAgent(root, '[ "$1" = learn ] && kill -9 $PPID')).toBe('SIGKILL')
  expect(await findings(root)).toHaveLength(1)
  expect(await runAgent(root)).toBe(null)
  const logged = await findings(root)
  expect(logged.length).toBeGreaterThan(1)
  expect(new Set(logged).size).toBe(logged.length)
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ state: 'complete' })
})

test('a finding of an earlier mission is logged again for this one', async () => {
  const root = await newFederation({ docs: 'Document the source' })
  await fedDone(root, ['launch', '--team', 'docs'])
  const before = await findings(root)
  await fedDone(root, ['launch', '--team', 'docs', '--reset'])
  expect(await findings(root)).toEqual([...before, ...before])
})
