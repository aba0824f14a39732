import { execFile } from 'node:child_process'
import path from 'node:path'
import type { Command } from '../process/command.ts'
import { findProgram } from '../process/find-program.ts'
import { throughRelay } from './network/through-relay.ts'
import { remedyFor } from './remedy.ts'
import { inOrder, real, sharedFolders, type Rule, type Walls } from './walls.ts'

const PROGRAM = 'bwrap'

/** Where the system's own programs lie, which nobody inside may change. */
const systemPath = ['/usr/bin', '/bin', '/run/current-system/sw/bin'].join(path.delimiter)

/** Time that it has to show that it works, in milliseconds. */
const trialMs = 5000

/** Nothing above can be written, and no other process is to be seen. */
const trial = '[ ! -w "$1" ] && [ ! -e "/proc/$2" ]'

/** Whether walls stand on this machine: the program that makes them, or why there are none and what helps. */
export type Stand =
  { readonly file: string } | { readonly file?: undefined; readonly why: string; readonly remedy: string }

let stand: Promise<Stand> | undefined

/** Tries the walls out, once for each process. */
export function standHere(): Promise<Stand> {
  return (stand ??= triedOut())
}

async function triedOut(): Promise<Stand> {
  if (process.platform !== 'linux')
    return { why: `bubblewrap works on Linux alone`, remedy: 'use a Linux machine, or a virtual one' }
  const file = findProgram(PROGRAM)
  if (file === undefined) return { why: `there is no '${PROGRAM}' on the PATH`, remedy: remedyFor('missing') }
  // numbers of processes inside begin anew, so that one that is not among the first is nowhere
  const other = process.pid > 10 ? process.pid : process.ppid
  const rules = sharedFolders.map((at): Rule => ({ kind: 'empty', at }))
  const words = ['/bin/sh', '-c', trial, 'sh', '/usr', String(other)]
  const complaint = await complaintOf(file, [
    ...wallArguments({ rules, network: 'none', limits: { bytes: 1_000_000 } }),
    '--',
    ...words,
  ])
  if (complaint === undefined) return { file }
  return { why: `${PROGRAM} does not work here (${complaint})`, remedy: remedyFor('refused') }
}

/** Why a command fails, in its own words where it has some; undefined when it does not. */
function complaintOf(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: trialMs, killSignal: 'SIGKILL' }, (error, _, stderr) =>
      resolve(error === null ? undefined : stderr.trim() || 'it did not do what it was told'),
    )
  })
}

/** Options that raise the walls, without a command. Rules for what is not there are left out. */
function wallArguments({
  rules: given,
  network,
  limits,
}: Pick<Walls, 'rules' | 'network'> & { readonly limits: Pick<Walls['limits'], 'bytes'> }): string[] {
  const rules = inOrder(given.flatMap(asItIs))
  const shared = new Set(sharedFolders.map(real))
  const closed = rules.filter(({ kind, at }) => kind === 'empty' && !shared.has(at)).map(({ at }) => at)
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...rules.flatMap((rule) => mountOf(rule, limits.bytes)),
    // what only hides something is no place to write
    ...[...closed, '/dev'].flatMap((at) => ['--remount-ro', at]),
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'host' ? [] : ['--unshare-net']),
    '--die-with-parent',
    // what root needs to begin walls of its own inside of these, as some agents do
    ...(process.getuid?.() === 0 ? ['--cap-drop', 'ALL', '--cap-add', 'CAP_SETFCAP'] : []),
  ]
}

/** The rule with no symbolic link in its paths, which is how things are mounted; none for what is not there. */
function asItIs(rule: Rule): Rule[] {
  if (rule.kind === 'empty' || rule.kind === 'nothing') {
    const at = real(rule.at)
    return at === undefined ? [] : [{ ...rule, at }]
  }
  const from = real(rule.from ?? rule.at)
  return from === undefined ? [] : [{ ...rule, at: rule.from === undefined ? from : rule.at, from }]
}

function mountOf({ kind, at, from = at }: Rule, bytes: number): string[] {
  if (kind === 'empty') return ['--size', String(bytes), '--tmpfs', at]
  if (kind === 'nothing') return ['--ro-bind', '/dev/null', at]
  return [kind === 'read' ? '--ro-bind' : '--bind', from, at]
}

/**
 * A command as it is started within walls: all of its environment is that of the walls, and it ends with what it
 * started when whoever started it is gone.
 * @param file of the program that makes them, as `standHere` tells.
 */
export function withinWalls(command: Command, walls: Walls, file: string): Command {
  const { network } = walls
  const wayOut = typeof network === 'string' ? undefined : throughRelay(network)
  const rules = wayOut === undefined ? walls.rules : [...walls.rules, wayOut.rule]
  const words = [...(wayOut?.words ?? []), command.file, ...command.args]
  return {
    ...command,
    file,
    args: [
      ...wallArguments({ ...walls, rules }),
      ...['--chdir', command.cwd, '--'],
      ...limited(walls.limits),
      ...words,
    ],
    env: {
      ...walls.env,
      ...command.env,
      ...wayOut?.env,
      // some agents work as root only where they know that they are held
      ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
    },
    isConfined: true,
    limits: walls.limits,
  }
}

/** So many threads, which the kernel counts, it lets a process have on average. */
const threadsEach = 8

/**
 * The beginning of a command line whose process the kernel limits, where there is such a program: a bomb meets that
 * before anybody has counted, though not one of root's. A core size of 1 also keeps the system's own program for
 * core dumps from being run, which 0 does not.
 */
function limited({ processes, bytes }: Walls['limits']): string[] {
  const file = findProgram('prlimit', '/', systemPath)
  const most = { nproc: processes * threadsEach, fsize: bytes, core: 1 }
  return file === undefined
    ? []
    : [file, ...Object.entries(most).map(([name, value]) => `--${name}=${value}:${value}`), '--']
}
