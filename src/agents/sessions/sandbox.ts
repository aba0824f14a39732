import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { UsageError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { SandboxError } from '../../errors/session-errors.ts'
import { git, repositoryRoot } from '../../platform/git/git.ts'
import { printable } from '../../errors/printable.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { onlyReads, type LeadAgent } from '../../federation/lead-agent.ts'
import type { Command } from '../../platform/process/command.ts'
import { personsFolder } from '../../platform/storage/persons-folder.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { findProgram } from '../../platform/process/find-program.ts'
import { packageRoot } from '../../platform/process/package.ts'
import { provideCommand } from './agent-environment.ts'

/** Whether an agent that only reads is held in a sandbox: where that works, always, or never. */
export const sandboxChoices = ['auto', 'on', 'off'] as const
export type SandboxChoice = (typeof sandboxChoices)[number]

/** A program that starts another for which the codebase is read-only. */
export interface Sandbox {
  /** Absolute path. */
  readonly file: string
  /** The federation's root, with no link in it. */
  readonly root: string
  /** Files and folders that cannot be written. */
  readonly readOnly: readonly string[]
  /** Folders in whose place there is nothing, whatever comes into them later. */
  readonly hidden: readonly string[]
}

const PROGRAM = 'bwrap'

/** Time that a sandbox has to show that it works, in milliseconds. */
const probeMs = 5000

/** Whether the codebase cannot be written. */
const probe = '[ ! -w "$1" ]'

/** One for each federation that this process works for: it is tried out once. */
const sandboxes = new Map<string, Promise<Sandbox>>()

/**
 * The sandbox of a team's agent: everything is as it is outside, but the work tree around the federation and its
 * repository are mounted read-only, and over them the team's own workspace so that it can be written. Read-only are
 * what the person trusts, this program, and what it keeps and has agents find on their PATH; what only the person's
 * own processes may know is not there: the key of seals, the chat, the page's address with its token.
 * Undefined for an agent that may write, and where none is wanted or none works.
 * @throws {SandboxError} when it is wanted `on` and cannot be had; {UsageError} when the agent has to write.
 */
export async function sandboxFor(
  profile: Pick<LeadAgent, 'tools'>,
  root: string,
  choice: SandboxChoice = 'auto',
): Promise<Sandbox | undefined> {
  if (choice === 'off') return undefined
  if (!onlyReads(profile)) {
    if (choice === 'auto') return undefined
    throw new UsageError(
      '--sandbox on: it is for teams that only read, and this one changes the codebase; leave it away',
    )
  }
  try {
    let sandbox = sandboxes.get(root)
    if (sandbox === undefined) sandboxes.set(root, (sandbox = triedOut(root)))
    return await sandbox
  } catch (error) {
    if (choice === 'auto' && error instanceof SandboxError) return undefined
    throw error
  }
}

/** What only the person's own processes may know. */
function hiddenFolders(root: string): string[] {
  const { chat, dashboard } = federationLayout(root)
  return [personsFolder('state'), chat, dashboard]
}

async function triedOut(root: string): Promise<Sandbox> {
  const file = findProgram(PROGRAM, root)
  if (file === undefined) throw new SandboxError(`there is no '${PROGRAM}' on the PATH; install bubblewrap`)
  const codebase = real(repositoryRoot(root))
  const fed = real(federationLayout(real(root)).fed)
  for (const [what, folder] of Object.entries({
    'home folder': os.homedir(),
    'temporary folder': os.tmpdir(),
  }))
    if (isWithin(real(folder), codebase))
      throw new SandboxError(`the ${what} lies in the codebase, and agents write there`)
  const repository = git(codebase, 'rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir')
  const sandbox: Sandbox = {
    file,
    root: real(root),
    readOnly: [codebase, fed, ...repository.split('\n'), ...ownPrograms(), personsFolder('config')],
    hidden: hiddenFolders(real(root)),
  }
  const complaint = await complaintOf(file, [
    ...argumentsOf(sandbox),
    '--',
    '/bin/sh',
    '-c',
    probe,
    'sh',
    codebase,
  ])
  if (complaint !== undefined)
    throw new SandboxError(`${PROGRAM} does not work here (${printable(complaint, 300)})`)
  return sandbox
}

/** This program, what runs it, and what it keeps of programs. */
function ownPrograms(): string[] {
  // the folder that holds the packages, where it is installed beside others
  const [packages] = packageRoot.split(`${path.sep}node_modules${path.sep}`) as [string]
  const installed = packages === packageRoot ? packageRoot : path.join(packages, 'node_modules')
  return [installed, process.execPath, provideCommand(), personsFolder('cache')]
}

/** Options of the sandbox, without a command; with a workspace it can be written. */
function argumentsOf({ root, readOnly, hidden }: Sandbox, workspace?: string): string[] {
  const isThere = (place: string) => existsSync(place)
  const closed = [...new Set(readOnly.map(real))].filter(isThere)
  const gone = hidden.map(real).filter(isThere)
  const open =
    workspace === undefined ? [] : [real(workspace), path.join(federationLayout(root).fed, 'cache')]
  const writable = open.filter(isThere)
  // what is mounted cannot be renamed, and so nothing can be put in the place of a folder above
  const above = [...new Set([...closed, ...gone, ...writable].flatMap(foldersAbove))]
  return [
    ...['--dev-bind', '/', '/'],
    ...above.toSorted((a, b) => a.length - b.length).flatMap((folder) => ['--dev-bind', folder, folder]),
    ...closed.toSorted((a, b) => a.length - b.length).flatMap((place) => ['--ro-bind', place, place]),
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...gone.flatMap((folder) => ['--tmpfs', folder]),
    '--die-with-parent',
    // without them it could reach around the mount by the processes outside, root above all
    '--unshare-user',
    // what root needs to begin a sandbox of its own inside of this one, as some agents do
    ...(process.getuid?.() === 0 ? ['--cap-drop', 'ALL', '--cap-add', 'CAP_SETFCAP'] : []),
  ]
}

/** The folders in which something lies, but for the uppermost. */
function foldersAbove(place: string): string[] {
  const above = path.dirname(place)
  return path.dirname(above) === above ? [] : [...foldersAbove(above), above]
}

/** Why a command fails, in its own words where it has some; undefined when it does not. */
function complaintOf(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: probeMs, killSignal: 'SIGKILL' }, (error, _, stderr) =>
      resolve(error === null ? undefined : stderr.trim() || 'it did not do what it was told'),
    )
  })
}

/**
 * A command as its sandbox starts it. The folders that it hides are made: only what is there can be hidden.
 * @param workspace of the agent's team.
 */
export function withinSandbox(command: Command, sandbox: Sandbox, workspace: string): Command {
  const { root, hidden } = sandbox
  for (const folder of [...hidden, path.join(federationLayout(root).fed, 'cache')])
    unless(isSystemError, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  return {
    ...command,
    file: sandbox.file,
    args: [...argumentsOf(sandbox, workspace), '--chdir', command.cwd, '--', command.file, ...command.args],
    isSandboxed: true,
    // some agents work as root only where they know that they are held
    ...(process.getuid?.() === 0 ? { env: { ...command.env, IS_SANDBOX: '1' } } : {}),
  }
}

/** A path with no symbolic link in it, which is how things are mounted. */
function real(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return path.resolve(file)
  }
}

function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}${path.sep}`)
}
