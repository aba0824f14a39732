import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Federation } from '../../src/federation/federation.ts'
import { git } from '../../src/platform/git/git.ts'
import { initialize } from '../../src/federation/onboarding/set-up.ts'
import { beginMission } from '../../src/federation/mission.ts'
import { newFolder } from './federation.ts'

export { newFolder }

const repository = fileURLToPath(new URL('../..', import.meta.url))
export const builtFed = path.join(repository, 'dist', 'fed.js')

const running = new Set<ChildProcess>()
process.once('exit', () => {
  // a test that failed in the middle leaves commands, and they their agents
  for (const child of running) child.kill('SIGTERM')
})

/** Programs of the system only, so that no agent that is installed here takes part. */
export const systemPath = [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
  path.delimiter,
)

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  readonly ended: Promise<Ended>
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  /** Reads no more of the standard output, as `head` does when it has enough. */
  closeOutput(): void
}

export interface Settings {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Another build than this repository's. */
  readonly program?: string
}

let template: string | undefined

/** A git repository with a source file that is not committed yet; made once and copied. */
function makeTemplate(): string {
  const root = newFolder('template')
  git(root, 'init', '--quiet', '--initial-branch=main')
  git(root, 'config', 'user.name', 'Tester')
  git(root, 'config', 'user.email', 'tester@example.org')
  mkdirSync(path.join(root, 'src'))
  writeFileSync(path.join(root, 'src', 'app.ts'), 'export const answer = 42\n')
  git(root, 'add', '.')
  return root
}

/** The top of a new git repository with a source file and, unless `empty`, one commit. */
export function newRepository(kind?: 'empty'): string {
  template ??= makeTemplate()
  const root = newFolder('repository')
  cpSync(template, root, { recursive: true })
  if (kind === 'empty') rmSync(path.join(root, '.git', 'index'))
  else git(root, 'commit', '--quiet', '--message', 'Begin')
  return root
}

/** A repository with a federation of deliverable teams; each has the mission that is given, if any. */
export async function newFederation(
  teams: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const root = newRepository()
  initialize(root)
  const federation = new Federation(root)
  for (const [domain, mission] of Object.entries(teams)) {
    const team = await federation.onboard({ domain, archetype: 'deliverable' })
    if (mission !== undefined) await beginMission(team, mission)
  }
  return root
}

/** Starts the built command in a folder. */
export function startFed(cwd: string, args: readonly string[], settings: Settings = {}): Running {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(FED_|NO_COLOR|OTEL_)/.test(name))
  const child = spawn(process.execPath, [settings.program ?? builtFed, ...args], {
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(inherited),
      PATH: systemPath,
      FED_DURABILITY: 'process',
      FED_TELEMETRY_ENABLED: 'false',
      ...settings.env,
    },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // a command that reads nothing may be gone before it was given anything
  child.stdin.on('error', () => undefined)
  child.stdin.end(settings.input ?? '')
  return {
    pid: child.pid as number,
    ended: once(child, 'close').then(([code]) => ({ code, stdout, stderr })),
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => child.kill(signal),
    closeOutput: () => child.stdout.destroy(),
  }
}

/** Runs the built command in a folder to its end. */
export function fed(cwd: string, args: readonly string[], settings?: Settings): Promise<Ended> {
  return startFed(cwd, args, settings).ended
}

/** Runs it with `--json` and reads the one document that it prints. */
export async function fedJson<Document>(
  cwd: string,
  args: readonly string[],
  settings?: Settings,
): Promise<Document> {
  const { code, stdout, stderr } = await fed(cwd, [...args, '--json'], settings)
  if (code !== 0) throw new Error(`fed ${args.join(' ')} exited ${code}: ${stderr}`)
  return JSON.parse(stdout) as Document
}

/** Runs it and insists that it succeeded. */
export async function fedDone(cwd: string, args: readonly string[], settings?: Settings): Promise<string> {
  const { code, stdout, stderr } = await fed(cwd, args, settings)
  if (code !== 0) throw new Error(`fed ${args.join(' ')} exited ${code}: ${stderr}`)
  return stdout
}

/** The command line of a scripted agent. */
export function agent(name: string, ...args: string[]): string {
  const file = fileURLToPath(new URL(`../agents/${name}.mjs`, import.meta.url))
  return [process.execPath, file, ...args].map((word) => `'${word}'`).join(' ')
}

/** A folder of programs of these names, each a shell script, in front of the system's. */
export function pathWith(programs: Readonly<Record<string, string>>): string {
  const dir = newFolder('bin')
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(dir, name), `#!/bin/sh\n${script}\n`)
    chmodSync(path.join(dir, name), 0o755)
  }
  return `${dir}${path.delimiter}${systemPath}`
}

/** What one start of a scripted agent saw; each appends a line to `starts.jsonl` of its workspace. */
export interface AgentStart {
  readonly pid: number
  readonly cwd: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly prompt: string
}

export function startsOf(workspace: string): AgentStart[] {
  const file = path.join(workspace, 'starts.jsonl')
  if (!existsSync(file)) return []
  // whole lines only: an agent may be writing the next
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AgentStart)
}

/** The workspace of a team with placement `directory`. */
export function workspaceOf(root: string, team: string): string {
  return path.join(root, '.fed', 'teams', team)
}
