import { freshCheckout, type Checkout } from '../../platform/git/checkout.ts'
import { FedError, InterruptedError } from '../../errors/fed-error.ts'
import { GitError } from '../../errors/git-errors.ts'
import { splitCommand } from '../../protocol/command-words.ts'
import { now } from '../../protocol/time.ts'
import { hasCode } from '../../platform/storage/system-error.ts'
import { findProgram } from '../../platform/process/find-program.ts'
import type { Check, Setup } from './configured.ts'
import { checkEnvironment } from './check-environment.ts'
import { heldCheck, type Held } from './walls-of-check.ts'
import { runBehindGate, type GatedEnd } from '../../platform/process/run-behind-gate.ts'
import { isFolder } from '../../platform/storage/folder-fault.ts'
import { newRun, recordResult, type CheckResult, type ResultPlace } from './results.ts'
import { keepSetup, keptSetup, setupDigest, type KeptSetup } from './setup-store.ts'

/** Whoever waits for a check. */
export interface CheckWatch {
  readonly signal: AbortSignal
  /** Gets what checks print; their logs get it as well. */
  readonly onOutput: (chunk: Buffer) => void
  /** Is told what runs next, in words. */
  readonly onBegin: (words: string) => void
}

/** What came of a setup: what is kept of it, or why it failed. */
export type Prepared =
  { readonly kept: KeptSetup | undefined } | { readonly fault: string; readonly log: string }

/**
 * Makes what the checks of a commit need beside its files, or finds it kept. A setup that failed, or was
 * killed, leaves nothing.
 * @throws {InterruptedError}
 */
export async function prepareSetup(
  place: ResultPlace,
  setup: Setup | undefined,
  watch: CheckWatch,
): Promise<Prepared> {
  if (setup === undefined) return { kept: undefined }
  const { root, commit } = place
  const [name] = splitCommand(setup.run) as [string]
  const program = name.includes('/') ? undefined : findProgram(name, root, checkEnvironment(root).PATH)
  const digest = setupDigest(root, commit, setup, program)
  const before = keptSetup(root, digest, setup)
  if (before !== undefined) return { kept: before }
  const { log } = newRun(place, 'setup')
  const checkout = freshCheckout(root, commit)
  try {
    const found = programIn(root, checkout.home, setup.run)
    if ('fault' in found) return { fault: `of its setup: ${found.fault}`, log }
    watch.onBegin(`setup: ${setup.run}`)
    const end = await runIn(place, checkout, { ...found, ...setup, log }, watch)
    const fault = faultOf(setup, end)
    if (fault !== null) return { fault: `its setup '${setup.run}' ${fault}`, log }
    await keepSetup(root, digest, setup, checkout.home, watch.signal)
    return { kept: keptSetup(root, digest, setup) }
  } finally {
    checkout.remove()
  }
}

/**
 * Runs one check on a fresh checkout of the commit and records how it ended. It passes when its command exits
 * with 0 in time, has left the tracked files as they were, and has left no process behind.
 * @throws {InterruptedError}, and then nothing is recorded.
 */
export async function runCheck(
  place: ResultPlace,
  check: Check,
  prepared: Prepared,
  watch: CheckWatch,
): Promise<CheckResult> {
  const { log, file } = newRun(place, check.name)
  const began = performance.now()
  let open: string | null = null
  const ended = (exitCode: number | null, fault: string | null, printed = log): CheckResult => {
    const result: CheckResult = {
      at: now(),
      check: check.name,
      command: check.run,
      digest: check.digest,
      commit: place.commit,
      passed: fault === null,
      exitCode,
      fault,
      durationMs: Math.round(performance.now() - began),
      log: printed,
      open,
    }
    recordResult(file, result)
    return result
  }
  if ('fault' in prepared) return ended(null, `did not begin, because ${prepared.fault}`, prepared.log)
  const checkout = freshCheckout(place.root, place.commit)
  try {
    const obstacle = await layKept(prepared.kept, checkout, watch.signal)
    if (obstacle !== undefined) return ended(null, `could not begin: ${obstacle}`)
    const found = programIn(place.root, checkout.home, check.run)
    if ('fault' in found) return ended(null, `could not begin: ${found.fault}`)
    watch.onBegin(`${check.name}: ${check.run}`)
    const end = await runIn(place, checkout, { ...found, ...check, log }, watch)
    open = end.open
    return ended(end.timedOut ? null : end.exitCode, faultOf(check, end) ?? changeIn(checkout))
  } finally {
    checkout.remove()
  }
}

/**
 * Copies what is kept of the setup into a checkout.
 * @returns why it could not; undefined when it could, and where nothing is kept.
 */
async function layKept(
  kept: KeptSetup | undefined,
  { home }: Checkout,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await kept?.layInto(home, signal)
    return undefined
  } catch (error) {
    if (!(error instanceof FedError) || error instanceof InterruptedError) throw error
    return error.message
  }
}

interface Found {
  readonly file: string
  readonly args: readonly string[]
}

/** The program and the arguments of a command in a checkout, or why it cannot be started. */
function programIn(root: string, home: string, command: string): Found | { readonly fault: string } {
  if (!isFolder(home)) return { fault: 'the commit does not have the folder of the federation' }
  const [name, ...args] = splitCommand(command) as [string, ...string[]]
  const file = findProgram(name, home, checkEnvironment(root).PATH)
  if (file !== undefined) return { file, args }
  return { fault: `there is no program '${name}' ${name.includes('/') ? 'in the commit' : 'on the PATH'}` }
}

async function runIn(
  which: ResultPlace,
  checkout: Checkout,
  {
    file,
    args,
    timeoutMs,
    reach,
    log,
  }: Found & Pick<Check, 'timeoutMs' | 'reach'> & { readonly log: string },
  { signal, onOutput }: CheckWatch,
): Promise<GatedEnd & Pick<Held, 'open'>> {
  const { place, home, mark } = checkout
  // some programs believe it rather than the system
  const asked = { file, args, cwd: home, env: { PWD: home } }
  const held = await heldCheck(which, checkout, asked, checkEnvironment(which.root), reach)
  const { command, environment, open } = held
  const run = { log, signal, onOutput, environment, mark, place, timeoutMs }
  const end = await runBehindGate(command, run).finally(held.end)
  if (signal.aborted)
    throw new InterruptedError(`interrupted, and nothing was recorded; the output is in ${log}`)
  return { ...end, open }
}

/** Why a command that ended did not pass, in words that follow its name; null when nothing is wrong. */
function faultOf(
  { timeoutMs }: Pick<Check, 'timeoutMs'>,
  { exitCode, timedOut, exceeded, left }: GatedEnd,
): string | null {
  if (timedOut) return `took longer than ${timeoutMs / 1000} s and was ended`
  if (exceeded !== undefined)
    return `used up more ${exceeded === 'bytes' ? 'of the disk' : 'processes'} than confinement.limits lets it, and was ended`
  if (exitCode !== 0) return `exited ${exitCode}`
  if (left.length > 0) return `left processes behind, which were ended: ${left.slice(0, 5).join(', ')}`
  return null
}

/** Tracked files that a check changed, or why that cannot be told, in words; null when it changed none. */
function changeIn(checkout: Checkout): string | null {
  try {
    const changed = checkout.changed()
    return changed.length === 0 ? null : `changed tracked files: ${changed.slice(0, 5).join(', ')}`
  } catch (error) {
    if (error instanceof GitError) return `left a checkout that cannot be compared: ${error.words}`
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return 'left no checkout that could be compared'
    throw error
  }
}
