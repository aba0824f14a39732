import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { holdFor } from '../../../engine/confinement/hold.ts'
import { lastSession } from '../../../agents/sessions/session-record.ts'
import { Federation } from '../../../federation/federation.ts'
import { beginFirstMission } from '../../../federation/mission.ts'
import { initialize } from '../../../federation/onboarding/set-up.ts'
import { revoke } from '../../../federation/trust/allowed-parts.ts'
import { FedError } from '../../../errors/fed-error.ts'
import { asWord, printable } from '../../../errors/printable.ts'
import { unless } from '../../../errors/unless.ts'
import { program } from '../../../platform/process/package.ts'
import { isSystemError } from '../../../platform/storage/system-error.ts'
import { remove } from '../../../platform/storage/without-links.ts'
import type { ConfinementConfig } from '../../../protocol/config-confinement.ts'
import { workspaceLayout } from '../../../protocol/folder-layout.ts'
import { loadConfig } from '../../../records/config/load-config.ts'
import { attemptsOf, wordOfWhoStays } from './attempts.ts'
import { isWrong, outcomeOf, type Attempt, type Notes, type Orders, type Outcome } from './attempt.ts'
import { layBait, type Bait } from './bait.ts'
import { isOnACommandLine } from './on-a-command-line.ts'

/** Archetypes whose agents probe the walls. */
export const probing = ['deliverable', 'coding', 'consultant', 'coordinator'] as const
type Probing = (typeof probing)[number]

/** What is used up by sessions of their own, and how such a session ends. */
const limited = [
  { kind: 'processes', what: 'start processes without end', cause: 'too-many-processes' },
  { kind: 'disk', what: 'fill the disk', cause: 'disk-used-up' },
] as const
const limits = { processes: 48, disk: '20MB' }

/** What came of an attempt, by the archetype whose agent made it. */
export interface Probed {
  readonly what: string
  readonly outcomes: Readonly<Record<Probing, Outcome>>
}

/** Where the attempts are made. */
interface Ground {
  readonly federation: Federation
  /** Workspace of a team that does nothing. */
  readonly neighbour: string
  readonly confinement: ConfinementConfig
}

/** Whether the walls are as they should be. */
export function holds(probed: readonly Probed[]): boolean {
  return probed.every(({ outcomes }) => !Object.values(outcomes).some(isWrong))
}

/**
 * Has an agent of each archetype reach for what the walls keep from it, on this machine and by this configuration, but
 * in a federation for a moment: nothing of this one is touched.
 * @throws {ConfinementError} where no walls stand; {FedError} where an agent could not be launched.
 */
export async function runProbe(root: string): Promise<Probed[]> {
  const { confinement } = loadConfig(root)
  await holdFor(confinement, root, 'on')
  const bait = await layBait()
  try {
    const ground = await setUp(bait, confinement)
    const found: Map<string, Outcome>[] = []
    for (const id of probing) found.push(await attempted(bait, id, ground))
    const rows = [...(found[0]?.keys() ?? [])].map((what) => ({
      what,
      outcomes: byArchetype((_, index) => found[index]?.get(what) ?? 'absent'),
    }))
    return [...rows, ...(await usedUp(bait, ground))]
  } finally {
    // what it allowed itself is nobody's any more
    revoke(bait.root)
    bait.remove()
  }
}

function byArchetype(outcome: (id: Probing, index: number) => Outcome): Probed['outcomes'] {
  return Object.fromEntries(probing.map((id, index) => [id, outcome(id, index)])) as Probed['outcomes']
}

/** Sets the federation up, with a team whose workspace and mail are nobody else's. */
async function setUp({ root, word }: Bait, confinement: ConfinementConfig): Promise<Ground> {
  initialize(root, { confinement: { ...confinement, mode: 'on', limits } })
  const federation = new Federation(root)
  const neighbour = await federation.onboard({ domain: 'neighbour' })
  await beginFirstMission(neighbour, 'Keep this to yourself')
  const { workspace } = neighbour.actor
  writeFileSync(path.join(workspace, 'deliverable.md'), word)
  return { federation, neighbour: workspace, confinement }
}

/** Has a team's agent try everything; what came of each attempt, by what it is. */
async function attempted(
  bait: Bait,
  id: Probing,
  { federation, ...rest }: Ground,
): Promise<Map<string, Outcome>> {
  const orders = path.join(bait.root, `${id}.json`)
  const workspace = await onboard(federation, id, id, ['attempts', orders])
  const notes = path.join(workspace, 'probe.json')
  const attempts = attemptsOf({ ...bait, ...rest, workspace, commits: id === 'coding' })
  writeFileSync(orders, JSON.stringify({ attempts, notes } satisfies Orders))
  const before = attempts.map(({ watched }) => textAt(watched))
  const lastWords = await launch(bait, [id])
  const text = textAt(notes)
  if (text === undefined) throw new FedError(`the agent of ${id} could not try anything: ${lastWords}`)
  const done = JSON.parse(text) as Notes
  return new Map(
    attempts.map((attempt, index) => {
      const wasReached = wasReachedBy(attempt, done, before[index], bait.word)
      if (wasReached && attempt.given !== true) restore(attempt.watched, before[index])
      return [attempt.what, attempt.tries.length === 0 ? 'absent' : outcomeOf(attempt, wasReached)]
    }),
  )
}

/** What a file has that was written into tells; without one, the agent itself does, and who it left behind. */
function wasReachedBy(
  { what, tries, watched }: Attempt,
  done: Notes,
  before: string | undefined,
  word: string,
) {
  if (tries.some((one) => one.do === 'stay')) return isOnACommandLine(wordOfWhoStays(word))
  if (watched === undefined) return (done[what]?.length ?? 0) > 0
  const text = textAt(watched)
  return text !== before && (text?.includes('reached') === true || tries.some((one) => one.do === 'run'))
}

function textAt(file: string | undefined): string | undefined {
  return file === undefined ? undefined : unless(isSystemError, () => readFileSync(file, 'utf8'))
}

function restore(file: string | undefined, text: string | undefined): void {
  if (file === undefined) return
  if (text === undefined) remove(file)
  else writeFileSync(file, text)
}

/** Has sessions of each archetype use up what is limited, all at once. */
async function usedUp(bait: Bait, { federation }: Ground): Promise<Probed[]> {
  const workspaces = new Map<string, string>()
  for (const { kind } of limited)
    for (const id of probing) {
      const team = `${id}-${kind}`
      workspaces.set(team, await onboard(federation, team, id, [kind]))
    }
  await launch(bait, [...workspaces.keys()])
  return limited.map(({ kind, what, cause }) => ({
    what,
    outcomes: byArchetype((id) => {
      const { sessions } = workspaceLayout(workspaces.get(`${id}-${kind}`) as string)
      return outcomeOf({ given: false }, lastSession(sessions)?.end?.cause !== cause)
    }),
  }))
}

/** A team with a mission, for which the probe's agent works: its workspace. */
async function onboard(
  federation: Federation,
  domain: string,
  archetype: Probing,
  words: readonly string[],
): Promise<string> {
  const agent = [process.execPath, program('probe-agent'), ...words].map(asWord).join(' ')
  const team = await federation.onboard({ domain, archetype, agent })
  await beginFirstMission(team, 'Probe the walls')
  return team.actor.workspace
}

/** Launches teams, as a person would; none ends its mission. The last words of the command. */
function launch({ root, env }: Bait, teams: readonly string[]): Promise<string> {
  const words = ['launch', ...teams, '--max-sessions', '1', '--timeout', '10m']
  return new Promise((resolve) => {
    execFile(process.execPath, [program('fed'), ...words], { cwd: root, env }, (_, __, stderr) =>
      resolve(printable(stderr.trim().split('\n').at(-1) ?? '')),
    ).stdin?.end()
  })
}
