import { existsSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import type { ConfigInput } from '../../protocol/config-schema.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'

/** What fed would configure where nobody did. */
export type Proposal = Pick<ConfigInput, 'checks' | 'setup'>

/** A manifest is some thousand bytes. */
const largestBytes = 4_194_304

interface Found {
  /** Of the check, where it is not the only one. */
  readonly name: string
  readonly run: string
  readonly setup?: ConfigInput['setup']
}

/** Folders are seen from the codebase's root. */
interface Codebase {
  has(file: string): boolean
  /** Empty where there is none that can be read. */
  text(file: string): string
}

/** What npm writes where nobody wrote a test. */
const placeholder = /no test specified/

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

/** Where others tell nothing: it mostly calls them. */
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
 * Checks that a codebase's manifests suggest; undefined where they suggest none. One setup serves all: where two
 * would be needed, none is proposed.
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

/** As it would stand in the configuration, in one line. */
export function proposalText(proposal: Proposal): string {
  return JSON.stringify(proposal).slice(1, -1)
}
