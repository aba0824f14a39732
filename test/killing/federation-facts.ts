import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

// Reads a federation's files as any other program would, by the specification and the design's list of files
// and without the code under test, which must not be the judge of itself.

/** The text of each file in a folder, by name; a folder inside is not read. */
export type Files = ReadonlyMap<string, string>

export interface Signal {
  readonly id: string
  readonly timestamp: string
  readonly from: string
  readonly to: string
  readonly type: string
  readonly subject: string
  readonly body: string
  readonly protocol: string
}

export interface Mailbox {
  readonly address: string
  readonly workspace: string
  readonly inbox: Files
  readonly outbox: Files
  readonly quarantine: Files
  /** What was put away, or is on its way there, whatever the month. */
  readonly archive: Files
}

/** One version of a lifecycle, in `lifecycle.d` or put away with its mission. */
export interface Commit {
  readonly version: number
  readonly text: string
  readonly commit: { readonly id: string; readonly previous: string | null }
  readonly snapshot: { readonly value: unknown; readonly status: string }
  readonly handled: readonly {
    readonly signal: string
    readonly file: string
    readonly outcome: string
    readonly from: string
    readonly to: string
  }[]
  readonly effects: readonly { readonly kind: string; readonly signal?: Signal }[]
}

export interface TeamFacts extends Mailbox {
  readonly status: string
  /** Text of `lifecycle.json`. */
  readonly published: string | undefined
  /** All versions, ascending. */
  readonly commits: readonly Commit[]
  /** Names of files that lie in two places with different content. */
  readonly torn: readonly string[]
}

export interface FederationFacts {
  readonly root: string
  readonly meta: Mailbox
  /** Registered ones, and those that were offboarded, whose workspaces are in the archive or on the way there. */
  readonly teams: readonly TeamFacts[]
  /** The published registry, undefined before there is one. */
  readonly registry: Registry | undefined
  /** The registry's newest version in its folder. */
  readonly newestRegistry: Registry | undefined
}

export interface Registry {
  readonly lockVersion: number
  readonly teams: readonly {
    readonly domainId: string
    readonly location: string
    readonly status: string
  }[]
  readonly [unknown: string]: unknown
}

export function factsOf(root: string): FederationFacts {
  const fed = path.join(root, '.fed')
  const registry = json<Registry>(path.join(fed, 'team-registry.json'))
  const versions = filesIn(path.join(fed, 'team-registry.d'))
  const newest = Math.max(...numbersOf(versions))
  const newestText = versions.get(`${newest}.json`)
  const newestRegistry = newestText === undefined ? undefined : (JSON.parse(newestText) as Registry)
  const { teams = [] } = newestRegistry ?? registry ?? {}
  return {
    root,
    meta: mailboxOf('meta', root),
    teams: [
      ...teams.map(({ domainId, location, status }) => teamOf(domainId, location, status)),
      ...offboardedIn(path.join(fed, 'archive')).flatMap(({ domainId, location }) => {
        if (teams.some((team) => team.domainId === domainId)) return []
        const archive = path.join(fed, 'archive', domainId)
        const isArchived = existsSync(path.join(archive, '.fed'))
        return [teamOf(domainId, isArchived ? archive : location, 'archived')]
      }),
    ],
    registry,
    newestRegistry,
  }
}

/** Entries of the teams that were offboarded, or began to be. */
function offboardedIn(archive: string): Registry['teams'] {
  return [...filesIn(archive)].flatMap(([name, text]) =>
    name.endsWith('.json') && !name.startsWith('.')
      ? [(JSON.parse(text) as { entry: Registry['teams'][number] }).entry]
      : [],
  )
}

/** Every mailbox, meta's first. */
export function mailboxesOf({ meta, teams }: FederationFacts): Mailbox[] {
  return [meta, ...teams]
}

/** The signals of a folder by their files' names; what is no signal is left out. */
export function signalsIn(files: Files): Map<string, Signal> {
  const signals = [...files].flatMap(([name, text]): [string, Signal][] => {
    const signal = isSignalName(name) ? signalOf(text) : undefined
    return signal === undefined ? [] : [[name, signal]]
  })
  return new Map(signals)
}

export function isSignalName(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.')
}

/** The whole signal that a text is, if it is one (spec §2.1). */
export function signalOf(text: string): Signal | undefined {
  const fields = ['id', 'timestamp', 'from', 'to', 'type', 'subject', 'body', 'protocol']
  try {
    const signal = JSON.parse(text) as Signal & Record<string, unknown>
    return fields.every((field) => typeof signal[field] === 'string') ? signal : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function mailboxOf(address: string, workspace: string): Mailbox {
  const folder = (name: string) => filesIn(path.join(workspace, '.fed', 'signals', name))
  return {
    address,
    workspace,
    inbox: folder('inbox'),
    outbox: folder('outbox'),
    quarantine: folder('quarantine'),
    archive: filesBelow(path.join(workspace, '.fed', 'signals', 'archive')),
  }
}

function teamOf(id: string, workspace: string, status: string): TeamFacts {
  const fed = path.join(workspace, '.fed')
  const missions = path.join(fed, 'missions')
  const archives = existsSync(missions) ? readdirSync(missions).map((name) => path.join(missions, name)) : []
  const texts = new Map<number, string>()
  const torn: string[] = []
  for (const dir of [path.join(fed, 'lifecycle.d'), ...archives]) {
    const files = filesIn(dir)
    for (const number of numbersOf(files)) {
      const text = files.get(`${number}.json`) as string
      if (texts.has(number) && texts.get(number) !== text) torn.push(path.join(dir, `${number}.json`))
      texts.set(number, text)
    }
  }
  const numbers = [...texts.keys()].toSorted((a, b) => a - b)
  const lifecycle = path.join(fed, 'lifecycle.json')
  return {
    ...mailboxOf(id, workspace),
    status,
    published: existsSync(lifecycle) ? readFileSync(lifecycle, 'utf8') : undefined,
    commits: numbers.map((number) => {
      const text = texts.get(number) as string
      return { ...(JSON.parse(text) as Commit), text }
    }),
    torn,
  }
}

export function filesIn(dir: string): Files {
  if (!existsSync(dir)) return new Map()
  return new Map(
    readdirSync(dir).flatMap((name): [string, string][] => {
      const file = path.join(dir, name)
      // what another process removes meanwhile is not there
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return []
      return [[name, readFileSync(file, 'utf8')]]
    }),
  )
}

/** The files of a folder and of those in it. */
function filesBelow(dir: string): Files {
  if (!existsSync(dir)) return new Map()
  const folders = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return new Map([...filesIn(dir), ...folders.flatMap(({ name }) => [...filesBelow(path.join(dir, name))])])
}

function numbersOf(files: Files): number[] {
  return [...files.keys()].flatMap((name) =>
    /^[1-9]\d*\.json$/.test(name) ? [Number.parseInt(name, 10)] : [],
  )
}

function json<Document>(file: string): Document | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Document) : undefined
}
