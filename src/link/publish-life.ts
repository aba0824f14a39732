import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { TeamContext } from '../../machines/team-event.ts'
import { unless } from '../errors/unless.ts'
import { FedError } from '../errors/fed-error.ts'
import { leafOfValue } from '../engine/decide/phase.ts'
import { readLifecycle, type Lifecycle } from '../engine/decide/lifecycle.ts'
import { lifecycleDocument } from '../engine/step/lifecycle-document.ts'
import { readPlain } from '../platform/storage/plain-file.ts'
import { isSystemError } from '../platform/storage/system-error.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { disk } from '../platform/storage/disk.ts'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import type { KnownTeam, SharedFile, TravellingEntry } from '../records/sites/known-teams.ts'
import type { Link } from './connection.ts'
import { digestOfBytes, keepFile } from './files.ts'
import { append } from './line.ts'
import { beginning, nextEntry, type LineEntry } from './line-entry.ts'
import type { View } from './line-view.ts'

/** Where a team's line stands after this site published what it has. */
export type Published =
  /** The servers have every version. */
  | 'current'
  /** It lives at another site now: nothing of it leaves this one any more. */
  | 'replaced'
  /** Another site has a team of that name. */
  | 'taken'
  /** Its life here does not follow what stands at the servers. */
  | 'diverged'

/** A document or log larger than this is not kept at the servers, in bytes. */
const largestFile = 64 * 1024 * 1024

/**
 * Publishes what a team of this site committed and the servers do not have yet, version by version. What they accepted
 * stands; signals of a version leave only after it.
 * @throws {LinkDownError}; {FedError} where the team's files are damaged.
 */
export async function publishLife(
  link: Link,
  view: View,
  entry: RegistryEntry,
  deliverable: string,
): Promise<Published> {
  const { domainId: team, location } = entry
  const { site } = link.record
  for (;;) {
    const known = view.team(team)
    const isFree = known === undefined || known.isGone === true
    // this very team was offboarded at another site
    if (isFree && known?.entry?.['onboardedAt'] === entry.onboardedAt) return 'replaced'
    if (!isFree && known.site !== site)
      return known.tenures.some((one) => one.site === site) ? 'replaced' : 'taken'
    const document = lifecycleDocument(location)
    const head = document.read()
    if (head === undefined) return 'current'
    const files = versionFiles(location)
    const numbers = [...files.keys()]
    const next = isFree ? numbers[0] : numbers.find((number) => number > known.version)
    if (!isFree && !follows(lifeIn(files.get(known.version)), known)) return 'diverged'
    const travelling = travellingOf(entry)
    if (next === undefined) {
      if (isFree || isDeepStrictEqual(known.entry, travelling)) return 'current'
      const said = nextEntry(known, { kind: 'version', site, entry: travelling })
      const digest = digestOfBytes(Buffer.from(JSON.stringify(travelling)))
      await append(link, view, team, said, `${site}.${team}.${known.sequence}.${digest}`)
      continue
    }
    const file = files.get(next)
    const text = file === undefined ? undefined : disk.read(file)
    const content = text === undefined || file === undefined ? undefined : readLifecycle(text, file)
    if (text === undefined || content === undefined) return 'diverged'
    const isLast = next === head.version
    const kept = isLast ? await sharedFiles(link, location, deliverable) : {}
    const changes = { site, entry: travelling, ...kept, ...(await lifeOf(link, text, content)) }
    const said = isFree ? beginning(known, changes) : nextEntry(known, { ...changes, kind: 'version' })
    await append(link, view, team, said, `${site}.${team}.${said.epoch}.${content.commit.id}`)
  }
}

/** The files of the versions of a team's life by their numbers, ascending: also those that a reset put away. */
export function versionFiles(location: string): ReadonlyMap<number, string> {
  const { lifecycle, missions } = workspaceLayout(location)
  const folders = [
    ...disk.list(missions).map((one) => path.join(missions, one)),
    versionsDirectory(lifecycle),
  ]
  const found = folders.flatMap((folder) =>
    disk
      .list(folder)
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name): [number, string] => [Number.parseInt(name, 10), path.join(folder, name)]),
  )
  return new Map(found.toSorted(([one], [other]) => one - other))
}

/** The version in a file; undefined where there is none. */
export function lifeIn(file: string | undefined): Lifecycle | undefined {
  const text = file === undefined ? undefined : disk.read(file)
  return text === undefined || file === undefined ? undefined : readLifecycle(text, file)
}

/** What of a team's entry is the same at every site. */
export function travellingOf({
  location: _location,
  lastActive: _lastActive,
  ...entry
}: RegistryEntry): TravellingEntry {
  return entry
}

/** The parts of a message that tell of a version. */
async function lifeOf(
  link: Link,
  text: string,
  content: Lifecycle,
): Promise<Pick<LineEntry, 'version' | 'commit' | 'state' | 'mission' | 'life' | 'lifeFile'>> {
  const { mission } = content.snapshot.context as Partial<TeamContext>
  const bytes = Buffer.from(text)
  // what stands around it, and escapes, need room as well
  const fits = bytes.length < link.largest / 3
  return {
    version: content.version,
    commit: content.commit.id,
    state: leafOfValue(content.snapshot.value),
    // one before it may have had one
    mission: mission?.subject,
    ...(fits ? { life: text } : { lifeFile: await keepFile(link, bytes) }),
  }
}

/** Whether what stands at the servers is a commit of this life. */
function follows(content: Lifecycle | undefined, { version, commit }: KnownTeam): boolean {
  return version === 0 || content?.commit.id === commit
}

/** The team's document and the log of its last session, kept at the servers as they are now. */
async function sharedFiles(
  link: Link,
  location: string,
  deliverable: string,
): Promise<Pick<LineEntry, 'document' | 'log'>> {
  const document = await shared(link, path.join(location, deliverable))
  const logs = disk.list(workspaceLayout(location).sessions).filter((name) => /^\d+-\d+\.log$/.test(name))
  const last = logs.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1)
  const log =
    last === undefined ? undefined : await shared(link, path.join(workspaceLayout(location).sessions, last))
  return { ...(document && { document }), ...(log && { log }) }
}

async function shared(link: Link, file: string): Promise<SharedFile | undefined> {
  const bytes = unless([isSystemError, FedError], () => readPlain(file, { largestBytes: largestFile }))
  return bytes === undefined ? undefined : { name: path.basename(file), digest: await keepFile(link, bytes) }
}
