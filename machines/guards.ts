import { baseOf, type TeamContext, type TeamEvent } from './team-event.ts'

interface Asked {
  context: TeamContext
  event: TeamEvent
}

/** Directives that steer a lifecycle; they are never missions, whichever state they meet. */
export const controlSubjects: readonly string[] = ['pause', 'resume', 'retire', 'merged', 'changes-requested']

export const fromMeta = ({ event }: Asked) => event.signal.from === 'meta'
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
export const knowsTarget = ({ event }: Asked) => baseOf(event) !== null
export const hasOwnWork = ({ event: { evidence } }: Asked) =>
  evidence.branch !== undefined && evidence.branch.ahead > 0 && evidence.branch.changes > 0
export const isMerged = ({ event }: Asked) => typeof event.evidence.merge?.proof === 'string'
export const isCommitted = ({ event }: Asked) => event.evidence.branch?.uncommitted.length === 0
export const testsPassedOnHead = ({ event }: Asked) => {
  const { branch, testRun } = event.evidence
  if (branch === undefined || testRun == null || testRun.uncommitted?.length) return false
  return testRun.exitCode === 0 && testRun.commit === branch.head
}

/** Guards that any machine may name; `headIsTested` is the coding machine's own. */
export const builtInGuards = {
  fromMeta,
  fromSelf,
  fromRegistered,
  isMission,
  hasNoMission,
  hasMission,
  hasBody,
  namesExistingPath,
  hasFindings,
  meetsStandards,
  knowsTarget,
  hasOwnWork,
  isCommitted,
  testsPassedOnHead,
  isMerged,
}

/** Each guard in words that finish the sentence "this needs that …". */
export const requirements = {
  fromMeta: 'it comes from meta',
  fromSelf: 'it comes from the team itself',
  fromRegistered: 'the sender is meta or a registered team',
  isMission: 'its subject is not a control word',
  hasNoMission: 'the team has no mission yet',
  hasMission: 'the team has a mission',
  hasBody: 'the body says it',
  namesExistingPath: 'the body names at least one existing path of the codebase',
  hasFindings: 'the learning log holds at least one finding since the mission began',
  meetsStandards: "the deliverable exists and 'fed check' finds nothing wrong with it",
  knowsTarget: 'it is known into which branch the work is to be merged',
  hasOwnWork: 'the branch holds work of this mission that its target does not have',
  isCommitted: 'nothing is uncommitted',
  testsPassedOnHead: 'a command that fed ran exited 0 on this very commit',
  isMerged: 'the work is merged',
  headIsTested: 'HEAD is the commit whose tests passed',
} as const

export type GuardName = keyof typeof requirements
