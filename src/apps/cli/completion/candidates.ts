import { FedError } from '../../../errors/fed-error.ts'
import { openScope, openTeam, startingFolder } from '../scope.ts'

/** One completion of a word. */
export interface Candidate {
  /** What the word becomes; `:files` and `:folders` leave it to the shell. */
  readonly value: string
  readonly meaning?: string
}

/** What was typed before the cursor. */
export interface Typed {
  readonly command: string
  readonly positionals: readonly string[]
  /** By the option's name in camel case. */
  readonly options: ReadonlyMap<string, string>
}

type Source = (typed: Typed) => readonly Candidate[] | Promise<readonly Candidate[]>

const files: Source = () => [{ value: ':files' }]

/**
 * Sources of completions, by the name of an argument (as in `<team>`) or of an option. A name that is not
 * listed gets none, unless its declaration has choices.
 */
const sources: Readonly<Record<string, Source>> = {
  team: teams,
  teams,
  'archetype|team': async (typed) => [
    ...(await machines(typed)),
    ...(await orElse<readonly Candidate[]>([], () => teams(typed))),
  ],
  to: addresses,
  address: addresses,
  signal: signals,
  subject: (typed) => subjects(typed, typed.command, typed.options.get('team')),
  '--team': teams,
  '--teams': teams,
  '--from': addresses,
  '--subject': sentSubjects,
  '--category': categories,
  '--archetype': archetypes,
  '--agent': agents,
  '--body-file': files,
  '--prompt-file': files,
  '--output': files,
  '--dir': () => [{ value: ':folders' }],
}

/** The candidates for an argument or an option, by its name; none where there is no federation, or a damaged one. */
export async function candidatesFor(name: string, typed: Typed): Promise<readonly Candidate[]> {
  return orElse<readonly Candidate[]>([], async () => (await sources[name]?.(typed)) ?? [])
}

/** What `find` finds; `otherwise` where there is no federation, or a damaged one. */
async function orElse<Found>(otherwise: Found, find: () => Promise<Found>): Promise<Found> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof FedError) return otherwise
    throw error
  }
}

/** Statuses of the teams that a command completes; a command that is not listed completes all teams. */
const meant: Readonly<Record<string, readonly string[]>> = {
  pause: ['active'],
  resume: ['paused'],
  archive: ['active', 'paused'],
  restore: ['archived'],
  offboard: ['active', 'archived'],
}

async function teams({ command, options }: Typed): Promise<Candidate[]> {
  const [{ findRoot }, { TeamRegistry }] = await Promise.all([
    import('../../../federation/root.ts'),
    import('../../../records/registry/team-registry.ts'),
  ])
  const registry = new TeamRegistry(findRoot(startingFolder({ dir: options.get('dir') })).root)
  return registry.read().teams.flatMap(({ domainId, archetypeId, status = 'active' }) => {
    const fits = meant[command]?.includes(status) ?? true
    return fits ? [{ value: domainId, meaning: `${archetypeId}, ${status}` }] : []
  })
}

async function addresses(typed: Typed): Promise<Candidate[]> {
  return [{ value: 'meta', meaning: 'the coordinator' }, ...(await teams(typed))]
}

async function archetypes({ options }: Typed): Promise<Candidate[]> {
  const { builtIn } = await import('../../../federation/catalogue.ts')
  const known = await orElse(builtIn, async () => {
    const { federation } = await openScope({ dir: options.get('dir') })
    return federation.archetypes()
  })
  return known.archetypes.map(({ id, description }) => ({ value: id, meaning: description }))
}

async function machines(typed: Typed): Promise<Candidate[]> {
  return [...(await archetypes(typed)), { value: 'registry-status' }]
}

async function agents(): Promise<Candidate[]> {
  const [{ EMBEDDED_AGENT }, { installedAgents }] = await Promise.all([
    import('../../../protocol/config-schema.ts'),
    import('../../../agents/sessions/installed-agents.ts'),
  ])
  return [EMBEDDED_AGENT, ...installedAgents()].map((value) => ({ value }))
}

/** How many characters of a signal's id are completed where they are unique: commands take a beginning. */
const shortId = 8

async function signals({ positionals, options }: Typed): Promise<Candidate[]> {
  const { federation } = await openScope({ dir: options.get('dir') })
  const waiting = federation.mailbox(positionals[0] ?? '').unacknowledged()
  return waiting.map(({ id, type, subject, from }) => {
    const isPlain = waiting.every((one) => one.id === id || !one.id.startsWith(id.slice(0, shortId)))
    return { value: isPlain ? id.slice(0, shortId) : id, meaning: `${type} from ${from}: ${subject}` }
  })
}

async function categories(): Promise<Candidate[]> {
  const { learningCategories } = await import('../../../protocol/learning.ts')
  return learningCategories.map((value) => ({ value }))
}

/** Options that take several values, with commas between them. */
export const lists: ReadonlySet<string> = new Set(['--teams', '--category'])

/**
 * Subjects for a signal that may move its recipient's machine: a directive of meta, a question, or what the
 * team itself says. None for others: they are mail.
 */
async function sentSubjects(typed: Typed): Promise<Candidate[]> {
  const { options, positionals } = typed
  const [to] = positionals
  const type = options.get('type')
  const { actor } = await openScope({ dir: options.get('dir') }, options.get('from'))
  const moves = actor === to || type === 'question' || (type === 'directive' && actor === 'meta')
  return moves ? subjects(typed, type, to) : []
}

/** The exact subjects of this type that a team's machine takes now; none without a type, or for meta. */
async function subjects(
  { options }: Typed,
  type: string | undefined,
  id: string | undefined,
): Promise<Candidate[]> {
  if (type === undefined || id === 'meta') return []
  const { team } = await openTeam({ dir: options.get('dir') }, id)
  return team
    .acceptedEvents()
    .filter((event) => event.startsWith(`${type}.`) && !event.endsWith('*'))
    .map((event) => ({ value: event.slice(type.length + 1), meaning: event }))
}
