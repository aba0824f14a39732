import { existsSync } from 'node:fs'
import path from 'node:path'
import type { AnyMachineSnapshot } from 'xstate'
import type { CoordinatorContext } from '../../../machines/coordinator.ts'
import type { Evidence, OwnFinding, TeamContext, TeamEvent } from '../../../machines/team-event.ts'
import { codebaseEvidence } from './codebase-evidence.ts'
import { DeliverableSchemaError } from '../../errors/document-errors.ts'
import { eventOf } from '../../protocol/event-name.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { META } from '../../protocol/team-id.ts'
import { describeBad, learnings, readLearnings } from '../../records/learnings/learning-log.ts'
import { baseEvidence, branchEvidence, mergeEvidence } from './branch-evidence.ts'
import { askOfBranch, candidatesFor } from '../decide/decide.ts'
import { checkDeliverableOf } from './deliverable-evidence.ts'
import { checkFacts } from './proof.ts'
import { askOfTests } from '../decide/proof-in-words.ts'
import { dueMoves, lostInputs, planEvidence } from './goal-evidence.ts'
import { othersNamedBy } from './other-teams.ts'
import { newestTestRun } from './test-runs.ts'
import { guardNames, ownGuards } from '../decide/transitions.ts'
import type { Actor } from './world.ts'

interface Asked {
  readonly actor: Actor
  readonly context: TeamContext
  readonly event: Pick<TeamEvent, 'type' | 'signal'>
}

/** A signal as the event that its team's machine is asked about. */
export function eventFrom(asked: SignalMessage): Asked['event'] {
  const { id, timestamp: at, from, subject, body } = asked
  return { type: eventOf(asked), signal: { id, at, from, subject, body } }
}

type Gatherers = {
  readonly [Kind in Exclude<keyof Evidence, 'own'>]-?: {
    readonly askedBy: readonly string[]
    readonly gather: (asked: Asked) => Evidence[Kind] | Promise<Evidence[Kind]>
  }
}

/**
 * How each kind of evidence is gathered, and which guards of `machines/` ask for it. A machine of an
 * `importHook` names the kinds for its own guards in `meta.guards`.
 */
const gatherers: Gatherers = {
  existingPaths: {
    askedBy: ['namesExistingPath'],
    gather: ({ actor, event }) => existingPaths(actor.world.root, event.signal.body),
  },
  findings: {
    askedBy: ['hasFindings'],
    gather: ({ actor, context }) => {
      const since = Date.parse(context.mission?.at ?? '')
      return learnings(actor.workspace).filter(({ timestamp }) => Date.parse(timestamp) >= since).length
    },
  },
  badFindings: {
    askedBy: ['hasFindings'],
    gather: ({ actor }) => describeBad(readLearnings(actor.workspace).bad),
  },
  deliverable: {
    askedBy: ['meetsStandards'],
    gather: ({ actor }) => deliverableEvidence(actor),
  },
  branch: {
    askedBy: askOfBranch,
    gather: ({ actor, context }) => branchEvidence(actor, context),
  },
  base: {
    askedBy: ['knowsTarget'],
    // with a mission, the next directive is no beginning
    gather: ({ actor, context }) => (context.mission === null ? baseEvidence(actor) : undefined),
  },
  merge: {
    askedBy: ['isMerged'],
    gather: ({ actor, context }) => mergeEvidence(actor, context),
  },
  testRun: {
    askedBy: askOfTests,
    gather: ({ actor, context }) => {
      const run = newestTestRun(actor.workspace)
      return run !== null && Date.parse(run.at) >= Date.parse(context.mission?.at ?? '') ? run : null
    },
  },
  checks: {
    askedBy: askOfTests,
    gather: ({ actor }) => checkFacts(actor),
  },
  codebase: {
    askedBy: ['leftCodebaseAlone'],
    gather: ({ actor: { workspace, world } }) =>
      codebaseEvidence({ root: world.root, workspace, deliverable: world.config.deliverable }),
  },
  others: {
    askedBy: [],
    gather: ({ actor, context }) => othersNamedBy(actor, context),
  },
  coordinator: {
    askedBy: ['fromCoordinator'],
    gather: ({ actor, event: { signal } }) => (signal.from === META ? undefined : actor.coordinator),
  },
  plan: { askedBy: ['planIsSound'], gather: ({ actor }) => planEvidence(actor) },
  moves: {
    askedBy: ['movesTasks', 'allEnded'],
    gather: ({ actor, context }) => dueMoves(actor, context as CoordinatorContext),
  },
  lostInputs: {
    askedBy: ['hasInputs'],
    gather: ({ actor, context }) => lostInputs(actor, context as CoordinatorContext),
  },
  senderRegistered: {
    askedBy: ['fromRegistered'],
    gather: ({ actor, event: { signal } }) =>
      signal.from === META || actor.world.mailboxOf(signal.from) !== undefined,
  },
}

/** What functions of the archetype's own find out, each asked once for the same snapshot and signal. */
async function ownFindings(
  { actor, context, event }: Asked,
  names: ReadonlySet<string>,
  known: Record<string, unknown>,
): Promise<Evidence['own']> {
  const { team, workspace, world } = actor
  const facts = { root: world.root, team, workspace, context, signal: event.signal }
  const found: Record<string, OwnFinding> = {}
  for (const name of names) {
    const key = `own.${name}`
    known[key] ??= await world.findOut(actor, name, { ...facts, others: othersNamedBy(actor, context) })
    found[name] = known[key] as OwnFinding
  }
  return found
}

/** How many problems of a deliverable are kept at most, in the evidence and so in the team's history. */
const mostProblems = 50

/**
 * The problems and figures of the team's deliverable. A JSON Schema that cannot be used counts as a problem:
 * it must refuse the milestone, and not stop the team.
 */
async function deliverableEvidence(actor: Actor): Promise<Evidence['deliverable']> {
  try {
    const { problems, figures } = await checkDeliverableOf(actor)
    const told = problems.slice(0, mostProblems).map(({ line, message }) => ({ line, message }))
    const rest = problems.length - told.length
    if (rest > 0) told.push({ line: 1, message: `and ${rest} more, which 'fed check' lists` })
    return { problems: told, figures: figures ?? null }
  } catch (error) {
    if (!(error instanceof DeliverableSchemaError)) throw error
    return { problems: [{ line: 1, message: error.message }], figures: null }
  }
}

/**
 * Gathers what the guards of the transitions meant for this event will ask for, and nothing else.
 * @param known what was gathered a moment ago for the same snapshot and signal; what is gathered now is added
 *   to it.
 */
export async function gatherEvidence(
  actor: Actor,
  snapshot: AnyMachineSnapshot,
  event: Asked['event'],
  known: Record<string, unknown> = {},
): Promise<Evidence> {
  const guards = new Set(candidatesFor(snapshot, event).flatMap(guardNames))
  const own = ownGuards(snapshot.machine)
  const asks = (kind: string, guard: string) => own[guard]?.evidence?.some((one) => one === kind)
  const asked: Asked = { actor, context: snapshot.context as TeamContext, event }
  const evidence: Record<string, unknown> = {}
  for (const [kind, { askedBy, gather }] of Object.entries(gatherers)) {
    if (![...guards].some((guard) => askedBy.includes(guard) || asks(kind, guard))) continue
    if (!Object.hasOwn(known, kind)) known[kind] = await gather(asked)
    if (known[kind] !== undefined) evidence[kind] = known[kind]
  }
  const wanted = [...guards].flatMap((guard) => own[guard]?.evidence ?? [])
  const names = wanted.flatMap((kind) => (kind.startsWith('own.') ? [kind.slice('own.'.length)] : []))
  if (names.length > 0) evidence.own = await ownFindings(asked, new Set(names), known)
  return evidence
}

/** How many words of a text are looked at for paths. */
const maxWords = 5000

/** Words of a text that are paths inside the codebase, in order, each once. */
function existingPaths(root: string, text: string): string[] {
  const words = text.split(/[\s"'`()<>[\]{},;|*]+/).slice(0, maxWords)
  const paths = words.map((word) => word.replace(/^\.\//, '').replace(/[.:!?]+$|:\d+(:\d+)?$/, ''))
  return [...new Set(paths)].filter((candidate) => {
    if (candidate === '' || candidate.includes('\0') || path.isAbsolute(candidate)) return false
    const relative = path.relative(root, path.resolve(root, candidate))
    return relative !== '' && !relative.startsWith('..') && existsSync(path.join(root, relative))
  })
}
