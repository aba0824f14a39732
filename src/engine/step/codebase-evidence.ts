import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import type { Evidence } from '../../../machines/team-event.ts'
import { GitError } from '../../errors/git-errors.ts'
import { refuseNewer } from '../../errors/newer-format.ts'
import { printable } from '../../errors/printable.ts'
import { isRunning } from '../../platform/process/process-identity.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import { below, remove } from '../../platform/storage/without-links.ts'
import { hasCode } from '../../platform/storage/system-error.ts'
import {
  differences,
  fingerprint,
  type Fingerprint,
  type FingerprintStore,
} from '../../platform/git/fingerprint.ts'
import { remembered, sessionFormat, storeOf } from './session-memory.ts'
import { inPlace, notOwn, watchedPlaces, type ReaderPlace } from './watched-places.ts'

export type CodebaseEvidence = NonNullable<Evidence['codebase']>

/** How many changes the evidence names at most; the patch that is written after the session has all. */
const mostNamed = 20

/** Verdicts on one session, the lightest first; of several sessions the heaviest verdict counts. */
const weight = ['no-session', 'confined', 'unchanged', 'unknown', 'changed'] as const

/**
 * Whether a team that only reads left the codebase as it was when its session began. Looks only while a
 * session runs, or after one whose launcher was killed before it compared.
 * @throws {FedError} when git knows no work tree there; {NewerFormatError}
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

/**
 * Memory folders of this mission's sessions that nobody has compared yet. Undefined stands for a session
 * whose folder is gone, so that nobody knows what its agent changed.
 */
function openSessions(workspace: string): (string | undefined)[] {
  const { codebase, sessions } = workspaceLayout(workspace)
  const names = new Set(disk.list(sessions))
  const kept = disk.list(codebase)
  // a session whose record is gone still has its log
  const begun = new Set([...names].flatMap((name) => /^(\d+-\d+)\.(?:json|log)$/.exec(name)?.[1] ?? []))
  return [...begun].flatMap((session): (string | undefined)[] => {
    // a process that compares after a killed launcher gives the folder a name of its own
    const folder = kept.find((one) => one === session || one.startsWith(`${session}.`))
    if (folder !== undefined) return [path.join(codebase, folder)]
    const record = recordOf(path.join(sessions, `${session}.json`))
    // an agent can write that it ended
    const hasEnded = names.has(`${session}.end.json`) && !(record?.process && isRunning(record.process))
    return !hasEnded && isReaders(record) ? [undefined] : []
  })
}

const recordSchema = z.object({
  profile: z.object({ tools: z.array(z.object({ readOnly: z.boolean() })) }),
  process: z.optional(z.object({ pid: z.int().check(z.minimum(1)), started: z.string() })),
})
type SessionFacts = z.infer<typeof recordSchema>

/** What a session's record says of it; undefined where there is none, or one that fed did not write. */
function recordOf(file: string): SessionFacts | undefined {
  try {
    const json: unknown = JSON.parse(disk.read(file) ?? 'null')
    refuseNewer(file, (json as { format?: unknown } | null)?.format, sessionFormat)
    return recordSchema.safeParse(json).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Whether a session's agent was told to only read; one without a readable record counts as such. */
function isReaders(record: SessionFacts | undefined): boolean {
  return record === undefined || record.profile.tools.every(({ readOnly }) => readOnly)
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

/** What differs from `before`, one line each; undefined where the objects that git kept of it are gone. */
function linesSince(
  store: FingerprintStore,
  before: Fingerprint,
  own: readonly string[],
): string[] | undefined {
  let folder: string | undefined
  try {
    // several may look at the same time
    folder = path.join(store.folder, `look-${uuid()}`)
    below(folder, (at) => mkdirSync(at, { mode: 0o700 }))
    const present = { root: store.root, folder, borrows: store.folder }
    const after = fingerprint(present)
    return notOwn(differences(present, before, after), own).map(({ line }) => printable(line))
  } catch (error) {
    if (error instanceof GitError || hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  } finally {
    if (folder !== undefined) remove(folder)
  }
}
