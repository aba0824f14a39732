import { initialTransition, transition } from 'xstate'
import { task, type TaskContext, type TaskEvent } from './task.ts'

/** Where each state lies in the machine: its leaf's name is unique. */
const places = {
  waiting: { open: 'waiting' },
  blocked: { open: 'blocked' },
  gated: { open: 'gated' },
  ready: { open: 'ready' },
  running: { open: 'running' },
  proving: { open: 'proving' },
  failed: 'failed',
  skipped: 'skipped',
  done: 'done',
} as const

/** The states of a task (`machines/task.ts`). */
export type TaskState = keyof typeof places
export const taskStates = Object.keys(places) as [TaskState, ...TaskState[]]

/** A task as its coordinator keeps it. */
export interface TaskStanding {
  readonly state: TaskState
  readonly context: TaskContext
}

/** A task before anything happened to it. */
export function newTask(input: Pick<TaskContext, 'attempts' | 'hasGate' | 'since'>): TaskStanding {
  return standingOf(initialTransition(task, input)[0])
}

/** A task after an event; undefined where its state does not take the event, or it was moved since. */
export function movedTask({ state, context }: TaskStanding, event: TaskEvent): TaskStanding | undefined {
  const snapshot = task.resolveState({ value: places[state], context })
  if (event.after !== context.moves || !snapshot.can(event)) return undefined
  return standingOf(transition(task, snapshot, event)[0])
}

/** A snapshot by its leaf. */
export function standingOf({
  value,
  context,
}: Pick<ReturnType<typeof task.resolveState>, 'value' | 'context'>): TaskStanding {
  return { state: typeof value === 'string' ? value : value.open, context }
}
