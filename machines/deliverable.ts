import { and, assign, setup } from 'xstate'
import {
  fromCoordinator,
  fromSelf,
  hasBody,
  hasFindings,
  hasMission,
  hasNoMission,
  isMission,
  leftCodebaseAlone,
  liftsOwnPause,
  meetsStandards,
  namesExistingPath,
} from './guards.ts'
import {
  blankContext,
  failureOf,
  instructionOf,
  type DeliverableFigures,
  type StateMeta,
  type TeamContext,
  type TeamEvent,
  type TeamInput,
} from './team-event.ts'

export interface DeliverableContext extends TeamContext {
  readonly plan: string | null
  readonly insights: string | null
  readonly figures: DeliverableFigures | null
}

/** A team that studies the codebase read-only and writes one Markdown document (spec §3.1). */
export const deliverable = setup({
  types: {
    context: {} as DeliverableContext,
    events: {} as TeamEvent,
    input: {} as TeamInput,
    meta: {} as StateMeta,
  },
  guards: {
    fromCoordinator,
    fromSelf,
    hasBody,
    hasFindings,
    hasMission,
    hasNoMission,
    isMission,
    leftCodebaseAlone,
    liftsOwnPause,
    meetsStandards,
    namesExistingPath,
  },
  actions: {
    adoptMission: assign({ mission: ({ event }) => instructionOf(event) }),
    addInstruction: assign({
      instructions: ({ context, event }) => [...context.instructions, instructionOf(event)],
    }),
    recordPlan: assign({ plan: ({ event }) => event.signal.body }),
    recordInsights: assign({ insights: ({ event }) => event.signal.body }),
    recordFigures: assign({ figures: ({ event }) => event.evidence.deliverable?.figures ?? null }),
    notePause: assign({ pausedBy: ({ event }) => event.signal.from }),
    forgetPause: assign({ pausedBy: undefined }),
    recordFailure: assign({ failure: ({ event }) => failureOf(event) }),
  },
}).createMachine({
  id: 'deliverable',
  context: ({ input }) => ({ ...blankContext(input), plan: null, insights: null, figures: null }),
  initial: 'working',
  states: {
    working: {
      initial: 'preparing',
      on: {
        'directive.*': [
          { guard: and(['fromCoordinator', 'isMission', 'hasNoMission']), actions: 'adoptMission' },
          { guard: and(['fromCoordinator', 'isMission']), actions: 'addInstruction' },
        ],
        'directive.pause': { target: 'paused', guard: 'fromCoordinator', actions: 'notePause' },
        'alert.information-missing': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.source-inaccessible': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.structure-undetermined': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.session-exhausted': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.codebase-modified': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
      },
      states: {
        preparing: {
          description: 'Reading the mission, planning the structure of the document (typically 2–3 minutes)',
          on: {
            'report.mission-planned': {
              target: 'scanning',
              guard: and(['fromSelf', 'hasMission', 'namesExistingPath']),
              actions: 'recordPlan',
            },
          },
        },
        scanning: {
          description: 'Gathering information from the codebase (typically 10–20 minutes)',
          on: {
            'report.files-read': { target: 'distilling', guard: and(['fromSelf', 'hasFindings']) },
          },
        },
        distilling: {
          description: 'Processing findings, identifying key insights (typically 5–10 minutes)',
          on: {
            'report.patterns-identified': {
              target: 'aggregating',
              guard: and(['fromSelf', 'hasBody']),
              actions: 'recordInsights',
            },
          },
        },
        aggregating: {
          description: 'Writing and formatting the deliverable (typically 10–15 minutes)',
          on: {
            'report.document-written': {
              target: '#deliverable.complete',
              guard: and(['fromSelf', 'meetsStandards', 'leftCodebaseAlone']),
              actions: 'recordFigures',
            },
          },
        },
        resumed: { type: 'history' },
      },
    },
    paused: {
      description: 'Paused by hand; resuming returns to the state that was left',
      meta: { defers: ['directive.*'] },
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
        'alert.codebase-modified': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
      },
    },
    complete: { type: 'final', description: 'The document is finished' },
    failed: { type: 'final', description: 'An error ended the mission' },
  },
})
