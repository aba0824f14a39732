// Proves that an agent is given its archetype's profile and the model that was chosen, and that the record says
// what its command line could not be told. It fails when either is lost on the way.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Assignment } from '../../../src/agents/drivers/driver.ts'
import { presetOf, type Preset } from '../../../src/agents/drivers/presets.ts'
import { valuesFor } from '../../../src/agents/drivers/template.ts'
import { toolsServer } from '../../../src/agents/drivers/tools-server.ts'
import type { AgentProfile } from '../../../src/index.ts'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFederation,
  pathWith,
  startsOf,
  workspaceOf,
} from '../../support/fed.ts'
import { someOf } from '../../support/thorough.ts'
import { hasWalls } from '../../support/walls.ts'

let root: string
const workspace = () => workspaceOf(root, 'docs')
const launch = ['launch', '--team', 'docs', '--agent']

const writer = {
  role: 'Writer and researcher',
  temperature: 0.3,
  tools: [
    { name: 'view', readOnly: true },
    { name: 'grep', readOnly: true },
    { name: 'glob', readOnly: true },
    { name: 'bash', readOnly: true },
  ],
  responsibilities: [
    'gather information from the codebase',
    'analyze findings',
    'write the deliverable',
    'format and structure content',
  ],
}

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it' })
})

const recorded = (name = '1-1.json') =>
  JSON.parse(readFileSync(path.join(workspace(), '.fed', 'sessions', name), 'utf8')) as {
    profile?: unknown
    command: string[]
  }
const given = () => {
  const [start] = startsOf(workspace())
  return {
    profile: JSON.parse(start?.env.FED_AGENT_PROFILE ?? 'null') as AgentProfile,
    env: start?.env ?? {},
  }
}

test('a deliverable team’s agent gets the profile of the specification, with its own model', async () => {
  await fedDone(root, [...launch, agent('good')])
  expect(given().profile).toEqual({ ...writer, model: null })
  expect(given().env).not.toHaveProperty('FED_MODEL')
  expect(recorded().profile).toEqual({ ...writer, model: null, untold: ['temperature', 'tools'] })
})

test.each([
  ['the option', ['--model', 'vendor/one-4.5'], {}, 'vendor/one-4.5'],
  ['the environment', [], { FED_MODEL: 'two' }, 'two'],
  ['the option before the environment', ['--model', 'one'], { FED_MODEL: 'two' }, 'one'],
])('a model is chosen by %s', async (_, args, env, model) => {
  await fedDone(root, [...launch, agent('good'), ...args], { env })
  expect(given()).toMatchObject({ profile: { model }, env: { FED_MODEL: model } })
  expect(recorded().profile).toMatchObject({ model, untold: ['model', 'temperature', 'tools'] })
})

describe('a known agent is told what its command line takes', () => {
  const asked = (name: string, ...args: string[]) => {
    const program = `printf '%s\\n' "$@" > "$FED_WORKSPACE/arguments"; printf %s "$GOOSE_TEMPERATURE" > "$FED_WORKSPACE/temperature"; exec ${agent('good')}`
    return fedDone(root, [...launch, name, ...args], { env: { PATH: pathWith({ [name]: program }) } })
  }
  const argumentsGiven = () => readFileSync(path.join(workspace(), 'arguments'), 'utf8').trimEnd().split('\n')

  test.each(someOf(['claude', 'copilot', 'codex', 'gemini', 'opencode', 'cursor', 'goose'], 3))(
    '%s',
    async (name) => {
      await asked(name, '--model', 'some-model')
      expect(argumentsGiven().slice(-2)).toEqual(['--model', 'some-model'])
      const isGoose = name === 'goose'
      // within walls it has all tools that its program has
      const hasAll = hasWalls || isGoose || name === 'cursor'
      const untold = [...(isGoose ? [] : ['temperature']), ...(hasAll ? ['tools'] : [])]
      expect(recorded().profile).toMatchObject({ untold })
      expect(readFileSync(path.join(workspace(), 'temperature'), 'utf8')).toBe(isGoose ? '0.3' : '')
    },
  )

  test('goose how to start the tools, wherever they lie', async () => {
    const assignment = { team: 'docs', root: "/it's a place", workspace: '/w', tray: '/w/tray' } as Assignment
    const { command, args, env } = toolsServer(assignment)
    const line = valuesFor(presetOf('goose') as Preset, assignment, '')['mcp.line']
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
    expect(words.trimEnd().split('\n')).toEqual([
      ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
      command,
      ...args,
    ])
  })

  test('and keeps its own model where none was chosen', async () => {
    await asked('gemini')
    expect(argumentsGiven()).not.toContain('--model')
  })
})

test.each(someOf(['--dangerous', '', 'a b', 'x'.repeat(201)], 1))(
  '%j is no model, and nothing is begun',
  async (model) => {
    for (const args of [
      ['launch', '--team', 'docs'],
      ['run', 'Explain more', '--team', 'other'],
      ['prompt', 'docs'],
    ]) {
      const { code, stderr } = await fed(root, [...args, `--model=${model}`])
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^fed: --model: '[^\n]*' cannot be the name of a model[^\n]*\n$/),
      ])
    }
    expect((await fed(root, ['status', 'other'])).code).toBe(4)
  },
)

test('the prompt as JSON shows the profile and what the agent cannot be told', async () => {
  expect(await fedJson(root, ['prompt', 'docs', '--agent', 'goose', '--model', 'one'])).toMatchObject({
    agent: 'goose',
    profile: { ...writer, model: 'one' },
    untold: ['tools'],
  })
  for (const [archetype, role] of [
    ['coding', 'Software engineer'],
    ['consultant', 'Domain expert'],
  ] as const) {
    await fedDone(root, ['onboard', archetype, '--archetype', archetype, '--mission', 'Do it'])
    expect(await fedJson(root, ['prompt', archetype])).toMatchObject({
      profile: { role, temperature: expect.any(Number) },
    })
  }
})
