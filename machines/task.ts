import { assign, setup } from 'xstate'

/** What a task of a plan remembers, as plain JSON. */
export interface TaskContext {
  /** Which attempt it is at, counted from 1; 0 before the first. */
  readonly attempt: number
  /** How often it may be tried; a person's retry adds one. */
  readonly attempts: number
  readonly hasGate: boolean
  /** When it came into its state, ISO 8601. */
  readonly since: string
  /** How often it was moved: an event that follows from how it stood before counts for nothing. */
  readonly moves: number
  /** Why it failed last, was left out, or was refused; null where nothing of it happened. */
  readonly reason: string | null
  /** What proves its result: the digest of a document, or how its commits came into the target. */
  readonly proof: string | null
}

/** What moves a task: when it happened, ISO 8601, and after how many moves. */
export type TaskEvent = { readonly at: string; readonly after: number } & (
  | { readonly type: 'unblock' | 'allow' | 'start' | 'finish' | 'reopen' | 'revive' | 'retry' }
  | { readonly type: 'skip' | 'block' | 'tryAgain' | 'fail'; readonly reason: string }
  | { readonly type: 'prove'; readonly proof: string }
)

/** A task of a plan, as its coordinator keeps it: it waits for proof, and never for somebody's word. */
export const task = setup({
  types: {
    context: {} as TaskContext,
    events: {} as TaskEvent,
    input: {} as Pick<TaskContext, 'attempts' | 'hasGate' | 'since'>,
  },
  guards: {
    hasGate: ({ context }) => context.hasGate,
    mayTryAgain: ({ context }) => context.attempt < context.attempts,
  },
  actions: {
    enter: assign({ since: ({ event }) => event.at, moves: ({ context }) => context.moves + 1 }),
    begin: assign({ attempt: ({ context }) => context.attempt + 1 }),
    allowOneMore: assign({ attempts: ({ context }) => Math.max(context.attempts, context.attempt + 1) }),
    noteReason: assign({ reason: ({ event }) => ('reason' in event ? event.reason : null) }),
    forgetReason: assign({ reason: null }),
    noteProof: assign({ proof: ({ event }) => (event.type === 'prove' ? event.proof : null) }),
  },
}).createMachine({
  id: 'task',
  context: ({ input }) => ({ ...input, attempt: 0, moves: 0, reason: null, proof: null }),
  initial: 'open',
  states: {
    open: {
      initial: 'waiting',
      on: {
        skip: { target: 'skipped', actions: ['enter', 'noteReason'] },
        fail: { target: 'failed', actions: ['enter', 'noteReason'] },
      },
      states: {
        waiting: {
          description: 'What it comes after is not proven yet',
          on: {
            unblock: [
              { target: 'gated', guard: 'hasGate', actions: 'enter' },
              { target: 'ready', actions: 'enter' },
            ],
            block: { target: 'blocked', actions: ['enter', 'noteReason'] },
          },
        },
        blocked: {
          description: 'What it comes after did not end as it must: left out, unless that is tried again',
          on: {
            revive: { target: 'waiting', actions: ['enter', 'forgetReason'] },
          },
        },
        gated: {
          description: 'A person is asked',
          on: {
            allow: { target: 'ready', actions: 'enter' },
          },
        },
        ready: {
          description: 'It waits for a slot',
          on: {
            start: { target: 'running', actions: ['enter', 'begin'] },
          },
        },
        running: {
          description: 'Its team works',
          on: {
            finish: { target: 'proving', actions: 'enter' },
            tryAgain: { target: 'ready', guard: 'mayTryAgain', actions: ['enter', 'noteReason'] },
          },
        },
        proving: {
          description: 'Its team is done; the proof is looked for',
          on: {
            prove: { target: '#task.done', actions: ['enter', 'noteProof', 'forgetReason'] },
            reopen: { target: 'running', actions: 'enter' },
          },
        },
      },
    },
    failed: {
      description: 'Its attempts are used up, or it cannot begin',
      on: { retry: { target: 'open.ready', actions: ['enter', 'allowOneMore'] } },
    },
    skipped: {
      description: 'A person left it out, or nobody allowed it',
      on: { retry: { target: 'open.waiting', actions: ['enter', 'forgetReason', 'allowOneMore'] } },
    },
    done: { description: 'Its result is proven', type: 'final' },
  },
})
