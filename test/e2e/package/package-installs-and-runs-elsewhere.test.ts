// Proves that the packed package, installed into an empty prefix, runs a mission in a repository of somebody
// else: no file that only the checkout has, no dependency that only development has.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const checkout = path.resolve(import.meta.dirname, '../../..')
const scratch = mkdtempSync(path.join(os.tmpdir(), 'fed-package-'))
const prefix = path.join(scratch, 'prefix')
const repository = path.join(scratch, 'repository')
const env = { ...process.env, FED_TEAM: '', FED_ROOT: undefined, PATH: `${prefix}/bin:${process.env.PATH}` }

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, {
    cwd: repository,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

beforeAll(() => {
  mkdirSync(path.join(repository, 'src'), { recursive: true })
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], {
    cwd: checkout,
    encoding: 'utf8',
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  const tarball = path.join(scratch, filename)
  execFileSync('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    tarball,
  ])
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

it('installs both commands', () => {
  expect(run('fed', '--version').trim()).toBe(
    JSON.parse(readFileSync(path.join(checkout, 'package.json'), 'utf8')).version,
  )
  expect(existsSync(path.join(prefix, 'bin', 'fed-agent'))).toBe(true)
})

it('sees a mission through in another repository and leaves its tracked files alone', () => {
  writeFileSync(
    path.join(repository, 'src', 'greet.py'),
    'def greet(name):\n    """Says hello."""\n    return f"Hello {name}"\n',
  )
  writeFileSync(path.join(repository, 'README.md'), '# Greeter\n\nGreets people by name.\n')
  run('git', 'init', '--quiet')
  run('git', 'add', '--all')
  run('git', '-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'First')
  const result = JSON.parse(run('fed', 'run', 'Document the architecture of this repository', '--json'))
  expect(result).toMatchObject({
    team: 'docs',
    state: 'complete',
    figures: { codeExamples: expect.any(Number) },
  })
  expect(readFileSync(result.deliverable, 'utf8')).toContain('greet')
  expect(run('git', 'status', '--porcelain', '--untracked-files=no')).toBe('')
})

it('draws a machine, which needs the parts that are not bundled', () => {
  expect(run('fed', 'diagram', 'deliverable', '--format', 'svg')).toContain('</svg>')
})

it('is a library whose packages are installed with it', () => {
  const library = path.join(prefix, 'lib', 'node_modules', 'fed', 'dist', 'library')
  const chunks = readdirSync(path.join(library, 'chunks')).map((name) => path.join('chunks', name))
  const imports = ['index.js', ...chunks].map((file) => `await import('${path.join(library, file)}')`)
  expect(run('node', '--input-type=module', '-e', imports.join('\n'))).toBe('')
})
