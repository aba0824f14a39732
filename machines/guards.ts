import { baseOf, type TeamContext, type TeamEvent } from './team-event.ts'

interface Asked {
  context: TeamContext
  event: TeamEvent
}

/** Subjects of the directives that steer a lifecycle; in no state is such a directive a mission. */
export const controlSubjects: readonly string[] = [
  ...['pause', 'resume', 'retire', 'merged', 'changes-requested'],
  ...['approve-plan', 'answer-gate', 'retry-task', 'settle-failures'],
]

export const fromMeta = ({ event }: Asked) => event.signal.from === 'meta'
/** A coordinator is known by its team's entry in the registry; `meta` keeps all its rights. */
export const fromCoordinator = ({ event }: Asked) =>
  event.signal.from === 'meta' || event.signal.from === event.evidence.coordinator
/** What a person paused is no coordinator's to resume. */
export const liftsOwnPause = ({ context, event }: Asked) =>
  event.signal.from === 'meta' || event.signal.from === context.pausedBy
export const fromSelf = ({ context, event }: Asked) => event.signal.from === context.team
export const fromRegistered = ({ event }: Asked) => event.evidence.senderRegistered === true
export const isMission = ({ event }: Asked) =>
  !controlSubjects.includes(event.type.slice('directive.'.length))
export const hasNoMission = ({ context }: Asked) => context.mission === null
export const hasMission = ({ context }: Asked) => context.mission !== null
export const hasBody = ({ event }: Asked) => event.signal.body.trim() !== ''
export const namesExistingPath = ({ event }: Asked) => (event.evidence.existingPaths?.length ?? 0) > 0
export const hasFindings = ({ event }: Asked) => (event.evidence.findings ?? 0) > 0
export const meetsStandards = ({ event }: Asked) => event.evidence.deliverable?.problems.length === 0
export const leftCodebaseAlone = ({ event }: Asked) =>
  ['unchanged', 'confined', 'no-session'].includes(event.evidence.codebase?.verdict ?? 'unknown')
export const knowsTarget = ({ event }: Asked) => baseOf(event) !== null
export const hasOwnWork = ({ event: { evidence } }: Asked) =>
  evidence.branch !== undefined && evidence.branch.ahead > 0 && evidence.branch.changes > 0
export const staysInPaths = ({ event }: Asked) => (event.evidence.branch?.outside?.length ?? 0) === 0
export const isMerged = ({ event }: Asked) => typeof event.evidence.merge?.proof === 'string'
export const isCommitted = ({ event }: Asked) => event.evidence.branch?.uncommitted.length === 0
export const testsPassedOnHead = ({ event }: Asked) => {
  const { branch, checks = [], testRun } = event.evidence
  if (branch === undefined) return false
  // where checks are configured nothing else counts
  if (checks.length > 0) return checks.every(({ result }) => result?.passed && result.commit === branch.head)
  if (testRun == null || testRun.uncommitted?.length) return false
  return testRun.exitCode === 0 && testRun.commit === branch.head
}

/**
 * Guards that any machine may name, those of an `importHook` too; `headIsTested` belongs to the coding
 * machine alone (machines/coding.ts), and those of a plan and its tasks to that of the coordinator. A new one needs its words in `requirements` below and, where it reads
 * evidence, its name in `gatherers` (src/engine/step/evidence.ts). `explain` (src/engine/decide/decide.ts)
 * may tell why it was not met.
 */
export const builtInGuards = {
  fromMeta,
  fromCoordinator,
  liftsOwnPause,
  fromSelf,
  fromRegistered,
  isMission,
  hasNoMission,
  hasMission,
  hasBody,
  namesExistingPath,
  hasFindings,
  meetsStandards,
  leftCodebaseAlone,
  knowsTarget,
  hasOwnWork,
  isCommitted,
  staysInPaths,
  testsPassedOnHead,
  isMerged,
}

/** Each guard in words that finish the sentence "this needs that …". */
export const requirements = {
  fromMeta: 'it comes from meta',
  fromCoordinator: 'it comes from meta or the coordinator of the team',
  liftsOwnPause: 'it comes from meta or from whoever paused the team',
  fromSelf: 'it comes from the team itself',
  fromRegistered: 'the sender is meta or a registered team',
  isMission: 'its subject is not a control word',
  hasNoMission: 'the team has no mission yet',
  hasMission: 'the team has a mission',
  hasBody: 'the body says it',
  namesExistingPath: 'the body names at least one existing path of the codebase',
  hasFindings: 'the learning log holds at least one finding since the mission began',
  meetsStandards: "the deliverable exists and 'fed check' finds nothing wrong with it",
  leftCodebaseAlone: 'the codebase is as it was when the session of its agent began',
  knowsTarget: 'it is known into which branch the work is to be merged',
  hasOwnWork: 'the branch holds work of this mission that its target does not have',
  isCommitted: 'nothing is uncommitted',
  staysInPaths: 'its commits change only what its task may',
  testsPassedOnHead: 'tests that fed ran passed on this very commit',
  isMerged: 'the work is merged',
  headIsTested: 'HEAD is the commit whose tests passed',
  planIsSound: "'fed plan check' finds nothing wrong with the plan",
  movesTasks: 'something follows from where the teams of its tasks stand',
  allEnded: 'no task waits or is worked on',
  leavesNothing: 'no task failed for good',
  gathersNothing: 'the plan says nothing of a result',
  answersGate: "its body is '<task> yes' or '<task> no', of a gate that nobody answered",
  namesEndedTask: 'its body begins with a task that failed or was left out',
  namesFailedTask: 'its body begins with a task that failed',
  maySettle: 'its agent did not have tasks tried again too often, which a person still may',
  hasInputs: 'the documents of the tasks are there as they were proven',
} as const

export type GuardName = keyof typeof requirements
