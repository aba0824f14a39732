import path from 'node:path'
import fs from 'fs-extra'
import * as z from 'zod/mini'
import {
  differences,
  fingerprint,
  fingerprintSchema,
  patchBetween,
  type Fingerprint,
  type FingerprintStore,
} from '../codebase/fingerprint.ts'
import { repositoryRoot } from '../git.ts'
import { identify } from '../process-identity.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import { disk } from '../storage/disk.ts'
import { hasCode } from '../storage/system-error.ts'
import type { Team } from '../teams/team.ts'
import { answerChange, type CodebaseChange } from './codebase-change.ts'
import { changesFile, readSession, type Session, type SessionRecord } from './session-record.ts'
import { readReports, type Reported } from './session-reports.ts'

/**
 * Looks at the codebase again, once; undefined when it is as it was.
 * @param wrote what the agent's own tool calls wrote.
 */
export type CodebaseWatch = (wrote: Reported['wrote']) => Promise<CodebaseChange | undefined>

/**
 * Looks at the codebase before the agent of a session goes on that only reads; what it returns looks again when
 * the agent is gone, and does what a change asks for. Undoing is left to the person.
 * @throws {FedError} when git cannot look.
 */
export function watchCodebase(team: Team, session: SessionRecord): CodebaseWatch {
  const { codebase, sessions } = workspaceLayout(team.actor.workspace)
  const folder = path.join(codebase, `${session.mission}-${session.number}`)
  const store = { root: repositoryRoot(team.actor.world.root), folder }
  fs.removeSync(folder)
  const before = fingerprint(store)
  // for whoever comes after a launcher that was killed; an agent in a sandbox cannot have written
  if (session.sandboxed !== true) disk.create(memoryIn(folder), JSON.stringify(before))
  return (wrote) => lookAgain(team, session, store, { before, wrote, sessions })
}

async function lookAgain(
  team: Team,
  session: SessionRecord,
  store: FingerprintStore,
  { before, wrote, sessions }: { before: Fingerprint; wrote: Reported['wrote']; sessions: string },
): Promise<CodebaseChange | undefined> {
  const patch = changesFile(sessions, session)
  try {
    const after = fingerprint(store)
    const found = differences(store, before, after)
    if (found.length === 0) return undefined
    const header = found.map(({ line }) => `# ${line}\n`).join('')
    if (!disk.exists(patch)) disk.create(patch, `${header}${patchBetween(store, before, after)}\n`)
    return await answerChange(team, session, { found, patch, root: store.root }, wrote)
  } finally {
    forget(store.folder)
  }
}

/**
 * Looks at the codebase after a session whose launcher was killed, once: its agent may have written.
 * @returns that session, and what changed since it began.
 * @throws {FedError} when git cannot look.
 */
export async function lookAfterLost(
  team: Team,
): Promise<{ readonly session: Session; readonly change: CodebaseChange } | undefined> {
  const { codebase, missions, sessions } = workspaceLayout(team.actor.workspace)
  for (const name of disk.list(codebase)) {
    const [, mission, number, claimant] = /^(\d+)-(\d+)(?:\.(\d+))?$/.exec(name) ?? []
    // another process has begun to
    if (mission === undefined || (claimant !== undefined && identify(Number(claimant)) !== undefined))
      continue
    const numbers = { mission: Number(mission), number: Number(number) }
    const dirs = [sessions, path.join(missions, mission, 'sessions')]
    const dir = dirs.find((one) => readSession([one], numbers) !== undefined)
    const session = dir === undefined ? undefined : readSession(dirs, numbers)
    // one that still runs looks itself
    if (dir === undefined || session?.end === undefined) continue
    const folder = path.join(codebase, `${mission}-${number}.${process.pid}`)
    if (!hasClaimed(path.join(codebase, name), folder)) continue
    const change = await lookBack(team, session, folder, dir)
    if (change !== undefined) return { session, change }
  }
  return undefined
}

async function lookBack(
  team: Team,
  session: Session,
  folder: string,
  sessions: string,
): Promise<CodebaseChange | undefined> {
  const before = remembered(folder)
  if (before === undefined) {
    forget(folder)
    return undefined
  }
  const store = { root: repositoryRoot(team.actor.world.root), folder }
  const { wrote } = readReports(sessions, session)
  return lookAgain(team, session, store, { before, wrote, sessions })
}

/** What was found before a session; undefined where nothing is remembered, or what no fed wrote. */
function remembered(folder: string): Fingerprint | undefined {
  try {
    return fingerprintSchema.parse(JSON.parse(disk.read(memoryIn(folder)) ?? 'null'))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError) return undefined
    throw error
  }
}

function memoryIn(folder: string): string {
  return path.join(folder, 'before.json')
}

/** Leaves nothing behind of what a session remembered. */
function forget(folder: string): void {
  fs.removeSync(folder)
  try {
    fs.rmdirSync(path.dirname(folder))
  } catch (error) {
    // another session's may be beside it
    if (!hasCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error
  }
}

/** Takes what a session remembered for this process alone; false when another was faster. */
function hasClaimed(folder: string, own: string): boolean {
  try {
    fs.renameSync(folder, own)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}
