// Proves that where no checks are configured fed names those that the manifests suggest, and writes none without a
// yes. It fails when a placeholder passes for tests, when a proposal is no valid configuration, or when one is written
// that nobody asked for.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { proposeChecks } from '../../../src/engine/checks/proposal.ts'
import { configSchema } from '../../../src/protocol/config-schema.ts'
import { configure } from '../../support/checks.ts'
import { codingTeam } from '../../support/coding-team.ts'
import { builtFed, fed, fedDone, newFolder, newRepository } from '../../support/fed.ts'
import { writeFiles } from '../../support/repository.ts'
import { hasTerminals, keys, openTerminal } from '../../support/terminal.ts'

const node = (script: string) => JSON.stringify({ scripts: { test: script } })
const npm = { 'package.json': node('vitest run'), 'package-lock.json': '{}' }

describe('from the manifests', () => {
  test.each([
    [npm, ['test: npm test'], 'npm ci'],
    [{ 'package.json': node('jest') }, ['test: npm test'], undefined],
    [
      { 'package.json': node('jest'), 'pnpm-lock.yaml': '' },
      ['test: pnpm test'],
      'pnpm install --frozen-lockfile',
    ],
    [
      { 'package.json': node('jest'), 'yarn.lock': '# yarn lockfile v1\n' },
      ['test: yarn test'],
      'yarn install --frozen-lockfile',
    ],
    [
      { 'package.json': node('jest'), 'yarn.lock': '__metadata:\n' },
      ['test: yarn test'],
      'yarn install --immutable',
    ],
    [
      { 'package.json': node('bun test'), 'bun.lock': '' },
      ['test: bun run test'],
      'bun install --frozen-lockfile',
    ],
    [{ 'Cargo.toml': '[package]' }, ['test: cargo test'], undefined],
    [{ 'go.mod': 'module x' }, ['test: go test ./...'], undefined],
    [{ 'pyproject.toml': '[tool.pytest.ini_options]' }, ['test: python3 -m pytest'], undefined],
    [{ 'pyproject.toml': 'dev = ["pytest"]', 'uv.lock': '' }, ['test: uv run pytest'], undefined],
    [{ Gemfile: '', Rakefile: '' }, ['test: bundle exec rake'], undefined],
    [{ 'pom.xml': '', mvnw: '' }, ['test: ./mvnw --batch-mode test'], undefined],
    [{ 'build.gradle.kts': '', gradlew: '' }, ['test: ./gradlew --no-daemon test'], undefined],
    [{ 'composer.json': node('phpunit') }, ['test: composer test'], 'composer install --no-interaction'],
    [{ Makefile: 'all: test\ntest: all\n\tcheck\n' }, ['test: make test'], undefined],
    [
      { ...npm, 'Cargo.toml': '', Makefile: 'test:\n' },
      ['node-test: npm test', 'cargo-test: cargo test'],
      'npm ci',
    ],
  ])('%j', (files, checks, setup) => {
    const root = newFolder('manifests')
    writeFiles(root, files as Record<string, string>)
    const proposal = proposeChecks(root)
    expect(proposal?.checks?.map(({ name, run }) => `${name}: ${run}`)).toEqual(checks)
    expect(proposal?.setup?.run).toBe(setup)
    expect(configSchema.safeParse(proposal).success).toBe(true)
  })

  test.each([
    [{}],
    [{ 'package.json': node('echo "Error: no test specified" && exit 1') }],
    [{ 'package.json': '{"scripts": null}' }],
    [{ 'package.json': '{' }],
    [{ 'package.json': '[]' }],
    [{ 'package.json': 'null' }],
    [{ Makefile: 'test := 1\nall:\n' }],
    [{ 'pyproject.toml': '[project]' }],
  ])('none: %j', (files) => {
    const root = newFolder('manifests')
    writeFiles(root, files as Record<string, string>)
    expect(proposeChecks(root)).toBeUndefined()
  })
})

const written = (root: string) =>
  JSON.parse(readFileSync(path.join(root, 'federate.config.json'), 'utf8')) as Record<string, unknown>

test('fed init says what could be configured, writes none of it, and is silent where there is something', async () => {
  const root = newRepository()
  writeFiles(root, npm)
  for (const args of [['init'], ['init', '--yes']])
    expect((await fed(root, args)).stderr).toBe(
      'no checks prove the work of coding teams; federate.config.json could say "checks":[{"name":"test","run":"npm test"}],"setup":{"run":"npm ci"}\n',
    )
  expect(Object.keys(written(root))).toEqual(['$schema', 'description'])
  configure(root, { checks: [{ name: 'unit', run: 'npm test' }] })
  expect((await fed(root, ['init'])).stderr).toBe('')
})

describe.runIf(hasTerminals)('at a terminal', () => {
  test.each([
    [
      'a yes writes it',
      keys.down + keys.enter,
      { checks: [{ name: 'test', run: 'npm test' }], setup: { run: 'npm ci' } },
    ],
    ['without one nothing is written', keys.enter, {}],
  ])('%s', async (_, typed, settings) => {
    const root = newRepository()
    writeFiles(root, npm)
    const given = [
      '--description',
      'x',
      '--federation-name',
      'x',
      '--agent',
      'fed-agent',
      '--telemetry',
      'off',
    ]
    const terminal = openTerminal(root, [process.execPath, builtFed, 'init', ...given])
    await terminal.see('npm ci, then npm test?')
    terminal.type(typed)
    await terminal.see(`federation set up in ${root}`)
    expect(await terminal.exitCode).toBe(0)
    const { checks, setup } = written(root)
    expect({ ...(checks !== undefined && { checks }), ...(setup !== undefined && { setup }) }).toEqual(
      settings,
    )
  })
})

test('fed doctor notes it where a team’s work is proved by any command, and is content once checks are configured', async () => {
  const { root } = await codingTeam()
  const said = async () => (await fed(root, ['doctor'])).stdout.replace(/\s+/g, ' ')
  expect(await said()).toContain(
    'no checks are configured: any command that their agents choose proves the work of api',
  )
  writeFiles(root, npm)
  expect(await said()).toContain('federate.config.json could say "checks":[{"name":"test","run":"npm test"}]')
  configure(root, { checks: [{ name: 'unit', run: 'npm test' }] })
  expect(await said()).not.toContain('no checks are configured')
  const { findings } = JSON.parse(await fedDone(root, ['doctor', '--json'])) as {
    findings: { message: string }[]
  }
  expect(findings.map(({ message }) => message)).toContain('checks: unit')
})
