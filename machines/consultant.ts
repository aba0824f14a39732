import { and, assign, setup } from 'xstate'
import {
  fromCoordinator,
  fromRegistered,
  fromSelf,
  hasBody,
  hasFindings,
  hasMission,
  hasNoMission,
  isMission,
  leftCodebaseAlone,
  liftsOwnPause,
} from './guards.ts'
import {
  blankContext,
  failureOf,
  instructionOf,
  type AskedEffect,
  type Question,
  type StateMeta,
  type TeamContext,
  type TeamEvent,
  type TeamInput,
} from './team-event.ts'

export interface ConsultantContext extends TeamContext {
  /** The question being researched. */
  readonly question: Question | null
  /** A question that the previous mission left unanswered; the host asks it again, before all others. */
  readonly leftQuestion?: Question | null | undefined
  /** How many questions this mission has answered. */
  readonly answered: number
}

/** A team that learns one domain of the codebase and answers questions about it. */
export const consultant = setup({
  types: {
    context: {} as ConsultantContext,
    events: {} as TeamEvent,
    input: {} as TeamInput,
    meta: {} as StateMeta,
  },
  guards: {
    fromCoordinator,
    fromRegistered,
    fromSelf,
    hasBody,
    hasFindings,
    hasMission,
    hasNoMission,
    isMission,
    leftCodebaseAlone,
    liftsOwnPause,
  },
  actions: {
    adoptMission: assign({ mission: ({ event }) => instructionOf(event) }),
    addInstruction: assign({
      instructions: ({ context, event }) => [...context.instructions, instructionOf(event)],
    }),
    takeQuestion: assign({
      question: ({ event: { signal } }) => ({
        signal: signal.id,
        at: signal.at,
        from: signal.from,
        subject: signal.subject,
        body: signal.body,
      }),
      leftQuestion: null,
    }),
    // the host delivers the answer: the machine only says to whom and what
    answerAsker: (_asked, _params: AskedEffect['params']) => undefined,
    closeQuestion: assign({ question: null, answered: ({ context }) => context.answered + 1 }),
    notePause: assign({ pausedBy: ({ event }) => event.signal.from }),
    forgetPause: assign({ pausedBy: undefined }),
    recordFailure: assign({ failure: ({ event }) => failureOf(event) }),
  },
}).createMachine({
  id: 'consultant',
  context: ({ input }) => ({
    ...blankContext(input),
    question: null,
    leftQuestion: input?.question ?? null,
    answered: 0,
  }),
  initial: 'working',
  states: {
    working: {
      initial: 'onboarding',
      on: {
        'directive.*': [
          { guard: and(['fromCoordinator', 'isMission', 'hasNoMission']), actions: 'adoptMission' },
          { guard: and(['fromCoordinator', 'isMission']), actions: 'addInstruction' },
        ],
        'directive.pause': { target: 'paused', guard: 'fromCoordinator', actions: 'notePause' },
        'directive.retire': { target: 'retired', guard: 'fromCoordinator' },
        'alert.information-missing': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.source-inaccessible': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.structure-undetermined': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.session-exhausted': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.codebase-modified': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
      },
      states: {
        onboarding: {
          description: 'Reading the mission, mapping the domain',
          meta: { defers: ['question.*'] },
          on: {
            'report.domain-mapped': { target: 'indexing', guard: and(['fromSelf', 'hasMission']) },
          },
        },
        indexing: {
          description: 'Studying the domain, logging findings',
          meta: { defers: ['question.*'] },
          on: {
            'report.index-built': {
              target: 'ready',
              guard: and(['fromSelf', 'hasFindings', 'leftCodebaseAlone']),
            },
          },
        },
        ready: {
          description: 'Waiting for a question',
          meta: { waits: true },
          on: {
            'question.*': { target: 'researching', guard: 'fromRegistered', actions: 'takeQuestion' },
          },
        },
        researching: {
          description: 'Researching one question; further ones wait',
          meta: { defers: ['question.*'] },
          on: {
            'report.answer': {
              target: 'ready',
              guard: and(['fromSelf', 'hasBody', 'leftCodebaseAlone']),
              actions: [
                {
                  type: 'answerAsker',
                  params: ({ context, event }) => ({
                    to: context.question?.from ?? 'meta',
                    subject: `Answer: ${context.question?.subject ?? event.signal.subject}`,
                    body: event.signal.body,
                    question: context.question?.signal,
                  }),
                },
                'closeQuestion',
              ],
            },
          },
        },
        resumed: { type: 'history' },
      },
    },
    paused: {
      description: 'Paused by hand; resuming returns to the state that was left',
      meta: { defers: ['directive.*', 'question.*', 'report.answer'] },
      on: {
        'directive.resume': {
          target: 'working.resumed',
          guard: 'liftsOwnPause',
          actions: 'forgetPause',
        },
        'directive.retire': { target: 'retired', guard: 'fromCoordinator' },
        'alert.information-missing': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.source-inaccessible': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.structure-undetermined': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.session-exhausted': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.codebase-modified': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
      },
    },
    retired: { type: 'final', description: 'The consultant is no longer needed' },
    failed: { type: 'final', description: 'An error ended the mission' },
  },
})
