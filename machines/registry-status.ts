import { setup } from 'xstate'

/** Where the team's own lifecycle stands, which the registry's status follows. */
export type LifecyclePhase = 'working' | 'paused' | 'finished'

export interface RegistryStatusEvent {
  readonly type: 'pause' | 'resume' | 'archive' | 'restore'
  readonly lifecycle: LifecyclePhase
}

/** A team's `status` in the registry (spec §2.4, §3.2): it says what the lifecycle says, or that the team is archived. */
export const registryStatus = setup({
  types: { events: {} as RegistryStatusEvent },
  guards: {
    lifecycleIsPaused: ({ event }) => event.lifecycle === 'paused',
    lifecycleIsNotPaused: ({ event }) => event.lifecycle !== 'paused',
    lifecycleIsNotWorking: ({ event }) => event.lifecycle !== 'working',
  },
}).createMachine({
  id: 'registry-status',
  initial: 'active',
  states: {
    active: {
      description: 'Currently working, or finished and not yet put away',
      on: {
        pause: { target: 'paused', guard: 'lifecycleIsPaused' },
        archive: { target: 'archived', guard: 'lifecycleIsNotWorking' },
      },
    },
    paused: {
      description: 'Paused by hand',
      on: {
        resume: { target: 'active', guard: 'lifecycleIsNotPaused' },
        archive: { target: 'archived' },
      },
    },
    archived: {
      description: 'Work complete, no longer active',
      on: {
        restore: [{ target: 'paused', guard: 'lifecycleIsPaused' }, { target: 'active' }],
      },
    },
  },
})
