// Where benchmarks happen: new folders below the temporary folder, removed only when all rows are measured,
// because a file system creates files many times slower where many were removed within the last minute.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))
export const programs = fileURLToPath(new URL('programs', import.meta.url))
export const fed = path.join(repository, 'dist', 'fed.js')

/** Makes the place of a whole run; what is started from here finds it. */
export function openPlace() {
  const place = mkdtempSync(path.join(os.tmpdir(), 'fed-bench-'))
  process.once('exit', () => rmSync(place, { recursive: true, force: true }))
  process.env.FED_BENCH_PLACE = place
  // what a person trusts, and the key of seals, are nobody's here
  for (const kind of ['CONFIG', 'STATE'])
    process.env[`XDG_${kind}_HOME`] = path.join(place, kind.toLowerCase())
}

/** A new folder. */
export function newFolder(name) {
  if (process.env.FED_BENCH_PLACE === undefined) openPlace()
  return mkdtempSync(path.join(process.env.FED_BENCH_PLACE, `${name}-`))
}

/** The library as its users get it. */
export function library() {
  return import(path.join(repository, 'dist', 'library', 'index.js'))
}

/** What survives: `process` waits for no disk, `power` is the default. */
export function surviving(durability) {
  process.env.FED_DURABILITY = durability
}

/** Runs the built command. */
export function runFed(cwd, ...args) {
  execFileSync(process.execPath, [fed, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, FED_TELEMETRY_ENABLED: 'false' },
  })
}

/** A new git repository with one source file. */
export function newRepository() {
  const root = newFolder('repository')
  execFileSync('git', ['init', '--quiet', '--template='], { cwd: root })
  mkdirSync(path.join(root, 'src'))
  writeFileSync(path.join(root, 'src', 'app.ts'), 'export const answer = 42\n')
  return root
}

/** A new federation with one deliverable team for each name. */
export async function newFederation(...teams) {
  const root = newRepository()
  runFed(root, 'init')
  const { openFederation } = await library()
  const federation = await openFederation(root)
  for (const domain of teams) await federation.onboard({ domain, archetype: 'deliverable' })
  return federation
}

/** A team's inbox as a folder. */
export function inboxOf(federation, team) {
  return federation.mailbox(team).inbox
}

/** What the rows send: a report of ordinary length from `meta`. */
export function draftOf(number, to = 'docs') {
  return {
    from: 'meta',
    to,
    type: 'report',
    subject: `Progress of part ${number}`,
    body: `Part ${number} is read: ${'it holds what the plan says it holds. '.repeat(4)}`,
  }
}
