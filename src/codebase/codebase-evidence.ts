import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import type { Evidence } from '../../machines/team-event.ts'
import { GitError } from '../errors.ts'
import { printable } from '../printable.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import { disk } from '../storage/disk.ts'
import { hasCode } from '../storage/system-error.ts'
import { differences, fingerprint, type Fingerprint, type FingerprintStore } from './fingerprint.ts'
import { remembered, storeOf } from './session-memory.ts'
import { inPlace, notOwn, watchedPlaces, type ReaderPlace } from './watched-places.ts'

export type CodebaseEvidence = NonNullable<Evidence['codebase']>

/** So many changes are named in the evidence; the patch that follows has all. */
const mostNamed = 20

/** The weightiest of several verdicts stands for all. */
const weight = ['no-session', 'confined', 'unchanged', 'unknown', 'changed'] as const

/**
 * Whether a team that only reads left the codebase as it was when its session began. It looks only while a session
 * runs, or where one was not looked at again because its launcher was killed.
 * @throws {FedError} when git knows no work tree there.
 */
export function codebaseEvidence(place: ReaderPlace): CodebaseEvidence {
  const found = look(place)
  // a session may have ended, and taken what it remembered with it, while this looked
  return found.verdict === 'unknown' ? look(place) : found
}

function look(place: ReaderPlace): CodebaseEvidence {
  let heaviest: CodebaseEvidence = { verdict: 'no-session', changes: [] }
  for (const folder of openSessions(place.workspace)) {
    const found = folder === undefined ? unknown : sinceRemembered(place, folder)
    if (weight.indexOf(found.verdict) > weight.indexOf(heaviest.verdict)) heaviest = found
  }
  return heaviest
}

const unknown: CodebaseEvidence = { verdict: 'unknown', changes: [] }

/** Folder of each session of this mission that nobody looked after yet; undefined for one that is not remembered. */
function openSessions(workspace: string): (string | undefined)[] {
  const { codebase, sessions } = workspaceLayout(workspace)
  const names = new Set(disk.list(sessions))
  const kept = disk.list(codebase)
  return [...names].flatMap((name): (string | undefined)[] => {
    const [, session] = /^(\d+-\d+)\.json$/.exec(name) ?? []
    if (session === undefined) return []
    // who looks after a killed launcher takes the folder under a name of its own
    const folder = kept.find((one) => one === session || one.startsWith(`${session}.`))
    if (folder !== undefined) return [path.join(codebase, folder)]
    const isOpen = !names.has(`${session}.end.json`) && isReaders(path.join(sessions, name))
    return isOpen ? [undefined] : []
  })
}

const recordSchema = z.object({
  profile: z.object({ tools: z.array(z.object({ readOnly: z.boolean() })) }),
})

/** Whether a session's agent was told to only read; a record that says nothing does not tell that it may write. */
function isReaders(record: string): boolean {
  try {
    const { profile } = recordSchema.parse(JSON.parse(disk.read(record) ?? 'null'))
    return profile.tools.every(({ readOnly }) => readOnly)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.core.$ZodError) return true
    throw error
  }
}

function sinceRemembered(place: ReaderPlace, folder: string): CodebaseEvidence {
  const memory = remembered(folder)
  if (memory === undefined) return unknown
  const changes: string[] = []
  let isConfined = true
  for (const watched of watchedPlaces(place)) {
    const before = memory[watched.name]
    if (before === 'confined') continue
    if (before === undefined) return unknown
    isConfined = false
    const lines = linesSince(storeOf(folder, watched), before, watched.own)
    if (lines === undefined) return unknown
    changes.push(...lines.map((line) => inPlace(watched, line)))
  }
  if (changes.length > 0) return { verdict: 'changed', changes: changes.slice(0, mostNamed) }
  return { verdict: isConfined ? 'confined' : 'unchanged', changes: [] }
}

/** What differs now, a line each; undefined where what git remembered of it is gone. */
function linesSince(
  store: FingerprintStore,
  before: Fingerprint,
  own: readonly string[],
): string[] | undefined {
  let folder: string | undefined
  try {
    // several may look at the same time
    folder = mkdtempSync(path.join(store.folder, 'look-'))
    const present = { root: store.root, folder, borrows: store.folder }
    const after = fingerprint(present)
    return notOwn(differences(present, before, after), own).map(({ line }) => printable(line))
  } catch (error) {
    if (error instanceof GitError || hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}
