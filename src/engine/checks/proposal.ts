import { existsSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import type { ConfigInput } from '../../protocol/config-schema.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'

/** Checks that fed would configure where nobody configured any. */
export type Proposal = Pick<ConfigInput, 'checks' | 'setup'>

/** Largest manifest that is read, in bytes; most have a few thousand. */
const largestBytes = 4_194_304

interface Found {
  /** First part of the check's name (`<name>-test`); the only check is called `test` instead. */
  readonly name: string
  readonly run: string
  readonly setup?: ConfigInput['setup']
}

/** The codebase; its files are named by their paths from its root. */
interface Codebase {
  has(file: string): boolean
  /** Text of a file; empty where it cannot be read. */
  text(file: string): string
}

/** What `npm init` writes where a test script would be. */
const placeholder = /no test specified/

/** One function for each kind of manifest, which returns undefined where that suggests no check. */
const finders: readonly ((at: Codebase) => Found | undefined)[] = [
  (at) => {
    const test = scriptsOf(at.text('package.json')).test
    if (typeof test !== 'string' || test.trim() === '' || placeholder.test(test)) return undefined
    return { name: 'node', ...nodeWay(at) }
  },
  (at) => (at.has('Cargo.toml') ? { name: 'cargo', run: 'cargo test' } : undefined),
  (at) => (at.has('go.mod') ? { name: 'go', run: 'go test ./...' } : undefined),
  (at) => {
    const isMeant = ['pyproject.toml', 'setup.cfg', 'tox.ini'].some((file) =>
      at.text(file).includes('pytest'),
    )
    if (!isMeant && !at.has('pytest.ini')) return undefined
    const runner = at.has('uv.lock')
      ? 'uv run pytest'
      : at.has('poetry.lock')
        ? 'poetry run pytest'
        : undefined
    return { name: 'python', run: runner ?? 'python3 -m pytest' }
  },
  (at) => (at.has('Gemfile') && at.has('Rakefile') ? { name: 'ruby', run: 'bundle exec rake' } : undefined),
  (at) =>
    at.has('pom.xml')
      ? { name: 'maven', run: `${at.has('mvnw') ? './mvnw' : 'mvn'} --batch-mode test` }
      : undefined,
  (at) =>
    at.has('build.gradle') || at.has('build.gradle.kts')
      ? // its daemon would be a process left behind
        { name: 'gradle', run: `${at.has('gradlew') ? './gradlew' : 'gradle'} --no-daemon test` }
      : undefined,
  (at) =>
    scriptsOf(at.text('composer.json')).test === undefined
      ? undefined
      : {
          name: 'php',
          run: 'composer test',
          setup: { run: 'composer install --no-interaction', keep: ['vendor'] },
        },
]

/** `make test`; asked only where no other manifest suggests a check, because it mostly runs those. */
function byMake(at: Codebase): Found | undefined {
  const makefile = ['GNUmakefile', 'makefile', 'Makefile'].find((file) => at.has(file))
  return makefile !== undefined && /^test\s*:(?!=)/m.test(at.text(makefile))
    ? { name: 'make', run: 'make test' }
    : undefined
}

function nodeWay(at: Codebase): Pick<Found, 'run' | 'setup'> {
  if (at.has('pnpm-lock.yaml')) return { run: 'pnpm test', setup: { run: 'pnpm install --frozen-lockfile' } }
  if (at.has('yarn.lock')) {
    const isClassic = at.text('yarn.lock').includes('# yarn lockfile v1')
    return {
      run: 'yarn test',
      setup: { run: `yarn install ${isClassic ? '--frozen-lockfile' : '--immutable'}` },
    }
  }
  if (at.has('bun.lock') || at.has('bun.lockb'))
    return { run: 'bun run test', setup: { run: 'bun install --frozen-lockfile' } }
  const isLocked = at.has('package-lock.json') || at.has('npm-shrinkwrap.json')
  return { run: 'npm test', ...(isLocked && { setup: { run: 'npm ci' } }) }
}

function scriptsOf(manifest: string): Readonly<Record<string, unknown>> {
  // not there, or not JSON: then it tells nothing
  return (
    unless([SyntaxError, TypeError], () => {
      const { scripts } = JSON.parse(manifest) as { scripts?: unknown }
      return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {}
    }) ?? {}
  )
}

/**
 * Checks that a codebase's manifests suggest; undefined where they suggest none. One setup serves all: where
 * two would be needed, none is proposed.
 */
export function proposeChecks(root: string): Proposal | undefined {
  const at: Codebase = {
    has: (file) => existsSync(path.join(root, file)),
    text(file) {
      const outside = readOutside(path.join(root, file), { largestBytes, followLinks: true, anyBytes: true })
      return outside.kind === 'text' ? outside.text : ''
    },
  }
  const found = finders.flatMap((find) => find(at) ?? [])
  const all = found.length > 0 ? found : [byMake(at) ?? []].flat()
  if (all.length === 0) return undefined
  const setups = all.flatMap(({ setup }) => setup ?? [])
  return {
    checks: all.map(({ name, run }) => ({ name: all.length === 1 ? 'test' : `${name}-test`, run })),
    ...(setups.length === 1 && { setup: setups[0] }),
  }
}

/** A proposal as it would be written in the configuration, on one line. */
export function proposalText(proposal: Proposal): string {
  return JSON.stringify(proposal).slice(1, -1)
}
