import { and, assign, setup } from 'xstate'
import {
  fromCoordinator,
  fromSelf,
  hasBody,
  hasMission,
  hasNoMission,
  isMission,
  leftCodebaseAlone,
  liftsOwnPause,
  meetsStandards,
} from './guards.ts'
import { movedTask, newTask, type TaskStanding } from './task-standing.ts'
import {
  blankContext,
  failureOf,
  instructionOf,
  type DeliverableFigures,
  type GoalPlan,
  type StateMeta,
  type TeamContext,
  type TeamEvent,
  type TeamInput,
} from './team-event.ts'

/** A person's answer to a gate. */
export interface GateAnswer {
  readonly isYes: boolean
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

export interface CoordinatorContext extends TeamContext {
  /** The plan as it was when it was accepted: what its file says later counts for nothing. */
  readonly plan: GoalPlan | null
  readonly tasks: Readonly<Record<string, TaskStanding>>
  /** Answers to gates, the last of each. */
  readonly answers: Readonly<Record<string, GateAnswer>>
  /** How often its agent said what becomes of tasks that failed. */
  readonly settlements: number
  readonly figures: DeliverableFigures | null
}

interface Asked {
  readonly context: CoordinatorContext
  readonly event: TeamEvent
}

/** How often a coordinator's own agent may have a task tried again that failed; after that a person is asked. */
export const mostSettlements = 2

/** The task that a body names with its first word, and the second: `publish yes`. */
export function taskNamedBy(body: string): { readonly task: string; readonly word: string } {
  const [task = '', word = ''] = body.trim().split(/\s+/)
  return { task, word }
}

/** What stands under a task's id; a task may be called `constructor`. */
export function ofTask<Value>(all: Readonly<Record<string, Value>>, task: string): Value | undefined {
  return Object.hasOwn(all, task) ? all[task] : undefined
}

function namedTask({ context, event }: Asked): TaskStanding | undefined {
  return ofTask(context.tasks, taskNamedBy(event.signal.body).task)
}

/** Whether a task failed, and no other was begun because it did. */
export function isUnsettled(
  { plan, tasks }: Pick<CoordinatorContext, 'plan' | 'tasks'>,
  id: string,
): boolean {
  const isHandled = plan?.tasks.some(
    ({ id: other, when }) => when === `${id}.failed` && ofTask(tasks, other)?.state === 'done',
  )
  return ofTask(tasks, id)?.state === 'failed' && isHandled !== true
}

/** States of tasks that move no more by themselves. */
export const endedTasks: ReadonlySet<string> = new Set(['done', 'failed', 'skipped', 'blocked'])

/** A team that reaches a goal by others: it has a plan, and its tasks' teams do the work. */
export const coordinator = setup({
  types: {
    context: {} as CoordinatorContext,
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
    isMission,
    leftCodebaseAlone,
    liftsOwnPause,
    meetsStandards,
    planIsSound: ({ event }) => event.evidence.plan?.goal != null,
    movesTasks: ({ event }) => (event.evidence.moves?.length ?? 0) > 0,
    allEnded: ({ context, event }) =>
      event.evidence.moves?.length === 0 &&
      Object.values(context.tasks).every(({ state }) => endedTasks.has(state)),
    leavesNothing: ({ context }) => !Object.keys(context.tasks).some((id) => isUnsettled(context, id)),
    gathersNothing: ({ context }) => context.plan?.gather === undefined,
    answersGate: ({ context, event }) => {
      const { task, word } = taskNamedBy(event.signal.body)
      const given = ofTask(context.answers, task)
      const standing = namedTask({ context, event })
      return (
        standing?.state === 'gated' &&
        ['yes', 'no'].includes(word) &&
        // one answer counts
        (given === undefined || given.at < standing.context.since)
      )
    },
    namesEndedTask: (asked) => ['failed', 'skipped'].includes(namedTask(asked)?.state ?? ''),
    // what a person left out is a person's to take back
    namesFailedTask: (asked) => namedTask(asked)?.state === 'failed',
    maySettle: ({ context }) => context.settlements < mostSettlements,
    hasInputs: ({ event }) => event.evidence.lostInputs?.length === 0,
  },
  actions: {
    adoptMission: assign({ mission: ({ event }) => instructionOf(event) }),
    addInstruction: assign({
      instructions: ({ context, event }) => [...context.instructions, instructionOf(event)],
    }),
    adoptPlan: assign({ plan: ({ event }) => event.evidence.plan?.goal ?? null }),
    beginTasks: assign({
      tasks: ({ context, event }) =>
        Object.fromEntries(
          (context.plan?.tasks ?? []).map(({ id, attempts, gate }) => [
            id,
            newTask({ attempts, hasGate: gate !== undefined, since: event.signal.at }),
          ]),
        ),
    }),
    moveTasks: assign({
      tasks: ({ context, event }) => {
        const tasks = { ...context.tasks }
        for (const { task, event: move } of event.evidence.moves ?? []) {
          const standing = ofTask(tasks, task)
          if (standing !== undefined) tasks[task] = movedTask(standing, move) ?? standing
        }
        return tasks
      },
    }),
    retryTask: assign({
      tasks: ({ context, event }) => {
        const { task } = taskNamedBy(event.signal.body)
        const standing = ofTask(context.tasks, task)
        if (standing === undefined) return context.tasks
        const { moves: after } = standing.context
        const moved = movedTask(standing, { type: 'retry', at: event.signal.at, after })
        return { ...context.tasks, [task]: moved ?? standing }
      },
    }),
    noteAnswer: assign({
      answers: ({ context, event: { signal } }) => {
        const { task, word } = taskNamedBy(signal.body)
        return { ...context.answers, [task]: { isYes: word === 'yes', by: signal.from, at: signal.at } }
      },
    }),
    countSettlement: assign({ settlements: ({ context }) => context.settlements + 1 }),
    recordFigures: assign({ figures: ({ event }) => event.evidence.deliverable?.figures ?? null }),
    notePause: assign({ pausedBy: ({ event }) => event.signal.from }),
    forgetPause: assign({ pausedBy: undefined }),
    recordFailure: assign({ failure: ({ event }) => failureOf(event) }),
  },
}).createMachine({
  id: 'coordinator',
  context: ({ input }) => ({
    ...blankContext(input),
    plan: null,
    tasks: {},
    answers: {},
    settlements: 0,
    figures: null,
  }),
  initial: 'working',
  states: {
    working: {
      initial: 'planning',
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
        planning: {
          description: 'The goal is split into tasks',
          on: {
            'report.plan-ready': {
              target: 'awaiting-approval',
              guard: and(['fromSelf', 'hasMission', 'planIsSound']),
              actions: 'adoptPlan',
            },
          },
        },
        'awaiting-approval': {
          description: 'A person looks at the plan',
          meta: { waits: true },
          on: {
            'directive.approve-plan': {
              target: 'coordinating',
              guard: 'fromCoordinator',
              actions: 'beginTasks',
            },
            'directive.changes-requested': {
              target: 'planning',
              guard: 'fromCoordinator',
              actions: 'addInstruction',
            },
          },
        },
        coordinating: {
          description: "The tasks' teams work; nobody moves a task but what is proven of them",
          meta: { waits: true },
          on: {
            'report.tasks-moved': { guard: and(['fromSelf', 'movesTasks']), actions: 'moveTasks' },
            'report.tasks-ended': {
              target: 'gathering',
              guard: and(['fromSelf', 'allEnded', 'leavesNothing']),
            },
            'report.retry-task': {
              guard: and(['fromSelf', 'namesFailedTask', 'maySettle']),
              actions: ['retryTask', 'addInstruction', 'countSettlement'],
            },
            'report.failures-settled': {
              target: 'gathering',
              guard: and(['fromSelf', 'hasBody', 'allEnded']),
            },
            'directive.settle-failures': {
              target: 'gathering',
              guard: and(['fromCoordinator', 'allEnded']),
            },
            'directive.answer-gate': {
              guard: and(['fromCoordinator', 'answersGate']),
              actions: 'noteAnswer',
            },
            'directive.retry-task': {
              guard: and(['fromCoordinator', 'namesEndedTask']),
              actions: ['retryTask', 'addInstruction'],
            },
          },
        },
        gathering: {
          description: 'One result is made of what the tasks proved',
          on: {
            'report.tasks-ended': {
              target: '#coordinator.complete',
              guard: and(['fromSelf', 'gathersNothing']),
            },
            'report.result-gathered': {
              target: '#coordinator.complete',
              guard: and(['fromSelf', 'hasInputs', 'meetsStandards', 'leftCodebaseAlone']),
              actions: 'recordFigures',
            },
          },
        },
        resumed: { type: 'history' },
      },
    },
    paused: {
      description: 'Paused by hand, its members with it; resuming returns to the state that was left',
      meta: {
        defers: [
          'directive.*',
          'directive.approve-plan',
          'directive.changes-requested',
          'directive.answer-gate',
          'directive.retry-task',
          'directive.settle-failures',
        ],
      },
      on: {
        'directive.resume': { target: 'working.resumed', guard: 'liftsOwnPause', actions: 'forgetPause' },
        'alert.information-missing': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.source-inaccessible': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.structure-undetermined': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.session-exhausted': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
        'alert.codebase-modified': { target: 'failed', guard: 'fromSelf', actions: 'recordFailure' },
      },
    },
    complete: { type: 'final', description: 'The goal is reached' },
    failed: { type: 'final', description: 'An error ended the goal' },
  },
})
