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
import { trustFile } from '../../federation/trust/trust-store.ts'
import type { Command } from '../../platform/process/command.ts'
import { personsFolder } from '../../platform/storage/persons-folder.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { findProgram } from '../../platform/process/find-program.ts'
import { provideCommand } from './agent-environment.ts'

/** Whether an agent that only reads is held in a sandbox: where that works, always, or never. */
export const sandboxChoices = ['auto', 'on', 'off'] as const
export type SandboxChoice = (typeof sandboxChoices)[number]

/** A program that starts another for which the codebase is read-only. */
export interface Sandbox {
  /** Absolute path. */
  readonly file: string
  /** What stands before the folder and the command. */
  readonly args: readonly string[]
  /** Folders in whose place there is nothing, whatever comes into them later. */
  readonly hidden: readonly string[]
}

const PROGRAM = 'bwrap'

/** Time that a sandbox has to show that it works, in milliseconds. */
const probeMs = 5000

/** Whether the codebase cannot be written, and the federation's own files can, where there are any. */
const probe = '[ ! -w "$1" ] && { [ ! -e "$2" ] || [ -w "$2" ]; }'

/** One for each federation that this process works for: it is tried out once. */
const sandboxes = new Map<string, Promise<Sandbox>>()

/**
 * The sandbox of a team's agent: everything is as it is outside, but the work tree around the federation and its
 * repository are mounted read-only, and `.fed` over it as one mount that can be written (a link has no way between
 * two). What the person trusts, and the programs on the agent's PATH, are read-only, too; what only the person's
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
  const trusted = path.dirname(trustFile())
  unless(isSystemError, () => mkdirSync(trusted, { recursive: true, mode: 0o700 }))
  const readOnly = [codebase, ...repository.split('\n'), provideCommand()].map(real)
  const args = [
    ...['--dev-bind', '/', '/'],
    ...[...new Set(readOnly)].flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--bind-try', fed, fed],
    ...['--ro-bind-try', real(trusted), real(trusted)],
    '--die-with-parent',
    // without them it could reach around the mount by the processes outside, root above all
    '--unshare-user',
    // what root needs to begin a sandbox of its own inside of this one, as some agents do
    ...(process.getuid?.() === 0 ? ['--cap-drop', 'ALL', '--cap-add', 'CAP_SETFCAP'] : []),
  ]
  const complaint = await complaintOf(file, [...args, '--', '/bin/sh', '-c', probe, 'sh', codebase, fed])
  if (complaint !== undefined)
    throw new SandboxError(`${PROGRAM} does not work here (${printable(complaint, 300)})`)
  return { file, args, hidden: hiddenFolders(real(root)) }
}

/** Why a command fails, in its own words where it has some; undefined when it does not. */
function complaintOf(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: probeMs, killSignal: 'SIGKILL' }, (error, _, stderr) =>
      resolve(error === null ? undefined : stderr.trim() || 'it did not do what it was told'),
    )
  })
}

/** A command as its sandbox starts it. The folders that it hides are made: only what is there can be hidden. */
export function withinSandbox(command: Command, { file, args, hidden }: Sandbox): Command {
  for (const folder of hidden)
    unless(isSystemError, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  const hides = hidden.filter((folder) => existsSync(folder)).flatMap((folder) => ['--tmpfs', real(folder)])
  return {
    ...command,
    file,
    args: [...args, ...hides, '--chdir', command.cwd, '--', command.file, ...command.args],
    isSandboxed: true,
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
