import { readdirSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isProblem, type Finding } from '../../src/monitor/diagnosis/finding.ts'
import { Federation } from '../../src/federation/federation.ts'
import { newFederation } from './federation.ts'

/** A federation with a deliverable team `docs` whose life has three versions or more. */
export async function newPatient() {
  const root = newFederation()
  const federation = new Federation(root)
  const { actor } = await federation.onboard({ domain: 'docs', archetype: 'deliverable' })
  for (const subject of ['Explain it', 'Pause', 'Resume']) {
    await federation.send({ from: 'meta', to: 'docs', type: 'directive', subject, body: 'x' })
    await (await federation.team('docs')).step()
  }
  const fed = path.join(root, '.fed')
  const own = path.join(actor.workspace, '.fed')
  return {
    root,
    workspace: actor.workspace,
    registry: path.join(fed, 'team-registry.json'),
    lifecycle: path.join(own, 'lifecycle.json'),
    inbox: path.join(own, 'signals', 'inbox'),
    outbox: path.join(own, 'signals', 'outbox'),
    /** A file of the team's `.fed`. */
    own: (...names: string[]) => path.join(own, ...names),
    fed: (...names: string[]) => path.join(fed, ...names),
  }
}

/** The numbers of a document's versions, ascending. */
export function versionsOf(file: string): number[] {
  return readdirSync(file.replace(/\.json$/, '.d'))
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .toSorted((a, b) => a - b)
}

export function versionOf(file: string, number: number): string {
  return path.join(file.replace(/\.json$/, '.d'), `${number}.json`)
}

/** Writes over a file, whatever its permissions. */
export function overwrite(file: string, text: string): void {
  rmSync(file)
  writeFileSync(file, text)
}

/** What is in a folder and below it: each name with its content, permissions and target. */
export function everythingIn(dir: string): Map<string, string> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      const content = entry.isFile()
        ? `${(statSync(file).mode & 0o777).toString(8)} ${readFileSync(file, 'utf8')}`
        : entry.isSymbolicLink()
          ? readlinkSync(file)
          : 'folder'
      return [path.relative(dir, file), content]
    }),
  )
}

export type Patient = Awaited<ReturnType<typeof newPatient>>

export const newest = (file: string) => versionOf(file, versionsOf(file).at(-1) as number)
export const half = (file: string) => overwrite(file, readFileSync(file, 'utf8').slice(0, 80))
export const age = (file: string, days: number) => {
  const at = new Date(Date.now() - days * 86_400_000)
  utimesSync(file, at, at)
}
/** Beyond the largest process id that a kernel gives. */
export const deadPid = 99_999_999
export const problemsOf = (findings: readonly Finding[]) =>
  findings
    .filter(isProblem)
    .map(({ severity, area, where, message, fix }) => ({ severity, area, where, message, fix }))
