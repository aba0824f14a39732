import { and, assign, setup } from 'xstate'
import {
  fromCoordinator,
  fromSelf,
  hasBody,
  hasMission,
  hasNoMission,
  hasOwnWork,
  isCommitted,
  isMerged,
  isMission,
  knowsTarget,
  liftsOwnPause,
  staysInPaths,
  testsPassedOnHead,
} from './guards.ts'
import {
  baseOf,
  blankContext,
  failureOf,
  instructionOf,
  type MissionBase,
  type StateMeta,
  type TeamContext,
  type TeamEvent,
  type TeamInput,
} from './team-event.ts'

export interface CodingContext extends TeamContext {
  /** Where the mission began, and into which branch its work is to be merged. */
  readonly base: MissionBase | null
  readonly plan: string | null
  /** The commit on which tests that fed ran passed. */
  readonly testedCommit: string | null
}

/** A team that changes code on a branch of its own (spec §3.2 names its states). */
export const coding = setup({
  types: {
    context: {} as CodingContext,
    events: {} as TeamEvent,
    input: {} as TeamInput,
    meta: {} as StateMeta,
  },
  guards: {
    fromCoordinator,
    fromSelf,
    hasBody,
    hasMission,
    hasNoMission,
    hasOwnWork,
    isCommitted,
    isMerged,
    isMission,
    knowsTarget,
    liftsOwnPause,
    staysInPaths,
    testsPassedOnHead,
    headIsTested: ({ context, event }) =>
      context.testedCommit !== null && event.evidence.branch?.head === context.testedCommit,
  },
  actions: {
    adoptMission: assign({
      mission: ({ event }) => instructionOf(event),
      base: ({ event }) => baseOf(event),
    }),
    addInstruction: assign({
      instructions: ({ context, event }) => [...context.instructions, instructionOf(event)],
    }),
    recordPlan: assign({ plan: ({ event }) => event.signal.body }),
    recordTestedCommit: assign({ testedCommit: ({ event }) => event.evidence.branch?.head ?? null }),
    forgetTestedCommit: assign({ testedCommit: null }),
    notePause: assign({ pausedBy: ({ event }) => event.signal.from }),
    forgetPause: assign({ pausedBy: undefined }),
    recordFailure: assign({ failure: ({ event }) => failureOf(event) }),
  },
}).createMachine({
  id: 'coding',
  context: ({ input }) => ({ ...blankContext(input), base: null, plan: null, testedCommit: null }),
  initial: 'working',
  states: {
    working: {
      initial: 'preparing',
      on: {
        'directive.*': [
          {
            guard: and(['fromCoordinator', 'isMission', 'hasNoMission', 'knowsTarget']),
            actions: 'adoptMission',
          },
          { guard: and(['fromCoordinator', 'isMission', 'hasMission']), actions: 'addInstruction' },
        ],
        'directive.pause': { target: 'paused', guard: 'fromCoordinator', actions: 'notePause' },
        'alert.information-missing': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.source-inaccessible': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.structure-undetermined': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.session-exhausted': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
      },
      states: {
        preparing: {
          description: 'Reading the mission, planning the change',
          on: {
            'report.plan-ready': {
              target: 'implementing',
              guard: and(['fromSelf', 'hasMission', 'hasBody']),
              actions: 'recordPlan',
            },
          },
        },
        implementing: {
          description: 'Changing code on the branch',
          on: {
            'report.changes-committed': {
              target: 'testing',
              guard: and(['fromSelf', 'hasOwnWork', 'isCommitted', 'staysInPaths']),
              actions: 'forgetTestedCommit',
            },
          },
        },
        testing: {
          description: 'Proving the change',
          on: {
            'report.tests-passed': {
              guard: and(['fromSelf', 'hasOwnWork', 'isCommitted', 'staysInPaths', 'testsPassedOnHead']),
              actions: 'recordTestedCommit',
            },
            'report.pr-opened': { target: 'pr-open', guard: and(['fromSelf', 'headIsTested']) },
            'report.tests-failed': {
              target: 'implementing',
              guard: 'fromSelf',
              actions: 'forgetTestedCommit',
            },
          },
        },
        'pr-open': {
          description: 'Waiting for the review',
          meta: { waits: true },
          on: {
            'directive.changes-requested': {
              target: 'implementing',
              guard: 'fromCoordinator',
              actions: ['forgetTestedCommit', 'addInstruction'],
            },
            // new words are work: a team that only waited would be complete without it
            'directive.*': {
              target: 'implementing',
              guard: and(['fromCoordinator', 'isMission']),
              actions: ['forgetTestedCommit', 'addInstruction'],
            },
            'directive.merged': { target: '#coding.complete', guard: and(['fromCoordinator', 'isMerged']) },
          },
        },
        resumed: { type: 'history' },
      },
    },
    paused: {
      description: 'Paused by hand; resuming returns to the state that was left',
      meta: { defers: ['directive.*', 'directive.merged', 'directive.changes-requested'] },
      on: {
        'directive.resume': {
          target: 'working.resumed',
          guard: 'liftsOwnPause',
          actions: 'forgetPause',
        },
        'alert.information-missing': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.source-inaccessible': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.structure-undetermined': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.session-exhausted': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
      },
    },
    complete: { type: 'final', description: 'The change is merged' },
    failed: { type: 'final', description: 'An error ended the mission' },
  },
})
