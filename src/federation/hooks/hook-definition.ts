import type { AnyStateMachine } from 'xstate'
import type { OwnFacts } from '../../engine/step/own-facts.ts'
import type { RegistryStatus, PlacementType } from '../../protocol/registry-schema.ts'
import type { Milestone } from '../archetypes.ts'
import type { LeadAgent } from '../lead-agent.ts'

/** Checks one field of a persisted context: a schema of zod, valibot or arktype (Standard Schema 1). */
export interface FieldSchema {
  readonly '~standard': {
    readonly version: 1
    readonly validate: (value: unknown) => FieldVerdict | Promise<FieldVerdict>
  }
}

/** What a field's schema returns; without issues the value is valid. */
interface FieldVerdict {
  readonly issues?: readonly { readonly message: string }[] | undefined
}

/** A kind of team that a federation adds to the built-in ones. */
export interface ArchetypeDefinition {
  /** Its lifecycle; the machine's `id` is the archetype's. */
  readonly machine: AnyStateMachine
  /** What such a team does, in one sentence. */
  readonly description: string
  /** Schemas for the fields of the machine's context beside those of every team (`TeamContext`), by field. */
  readonly fields?: Readonly<Record<string, FieldSchema>>
  /**
   * Functions that find out what the machine's own guards ask for: outside of the guard, in
   * the hook's thread, once for a signal, within five seconds. What one returns is JSON, stands in the event as `evidence.own.<name>`, and stays in the team's history. A
   * guard names it in `meta.guards` as `own.<name>`.
   */
  readonly evidence?: Readonly<Record<string, (facts: OwnFacts) => unknown>>
  /** Where its workspace is unless the onboarding says otherwise; `directory` when left out. */
  readonly placement?: PlacementType
  /** Team that `fed run --archetype` uses when none is named; the archetype's id when left out. */
  readonly defaultTeam?: string
  /**
   * Skills that ship with fed, by name, and Markdown files of the repository, by a path that holds a `/`;
   * `domain-playbook.md` alone when left out.
   */
  readonly skills?: readonly string[]
  /** The milestones as the agent is told them; derived from the machine when left out. */
  readonly milestones?: readonly Milestone[]
  /** Fields that are left out are those of an agent that only reads. */
  readonly leadAgent?: Partial<LeadAgent>
}

/** Where and for whom something happened. */
interface TeamFacts {
  /** Id of this call; a repeated call has the same id. */
  readonly id: string
  /** Absolute path of the federation's root. */
  readonly root: string
  readonly team: string
  readonly archetype: string
  readonly workspace: string
  readonly mission: number
  /** Number of the commit in the team's lifecycle. */
  readonly version: number
  /** Time of the commit, ISO 8601. */
  readonly at: string
}

/** A team moved from one state to another. */
export interface TransitionFacts extends TeamFacts {
  readonly event: string
  readonly from: string
  readonly to: string
}

/** A team handled a signal. */
export interface HandledFacts extends TeamFacts {
  readonly signal: {
    readonly id: string
    readonly from: string
    readonly type: string
    readonly subject: string
    /** Absolute path; an archived signal has moved from there. */
    readonly file: string
  }
  readonly event: string
  readonly outcome: 'accepted' | 'refused' | 'duplicate'
  /** Why it was refused. */
  readonly refusal?: string
  readonly from: string
  readonly to: string
}

/** A team as a monitoring cycle found it. */
export interface TeamHealth {
  readonly team: string
  readonly archetype: string
  readonly workspace: string
  /** Leaf state, or null when the team cannot be read. */
  readonly state: string | null
  readonly status: RegistryStatus | undefined
  /** When the team entered its state, ISO 8601; null when the team cannot be read. */
  readonly since: string | null
  /** How many signals still wait. */
  readonly waiting: number
  /** Whether an agent works for the team now. */
  readonly working: boolean
}

export interface HealthFacts {
  readonly root: string
  /** Time of the cycle, ISO 8601. */
  readonly at: string
  readonly teams: readonly TeamHealth[]
}

/** Something that `onHealth` found. */
export interface OwnFinding {
  /** A team of the cycle. */
  readonly team: string
  /** What is wrong. */
  readonly message: string
  /** What to do next. */
  readonly fix: string
}

/**
 * A federation's own archetypes and hooks (spec §2.3 `importHook`). The functions run after the commit, in a
 * thread of their own: they decide nothing, and what they throw or how long they take stops nobody. Each is
 * called at least once; `id` tells a second call from a first.
 */
export interface Hook {
  /** Archetypes by their ids. */
  readonly archetypes?: Readonly<Record<string, ArchetypeDefinition>>
  /** Called when the federation is set up, or before the next onboarding where this hook came later. */
  readonly onInit?: (facts: { readonly root: string }) => void | Promise<void>
  readonly onTransition?: (facts: TransitionFacts) => void | Promise<void>
  readonly onSignal?: (facts: HandledFacts) => void | Promise<void>
  /** Returns what is not healthy; called in each monitoring cycle. */
  readonly onHealth?: (facts: HealthFacts) => readonly OwnFinding[] | Promise<readonly OwnFinding[]>
}

/** Names of the functions that a hook may have. */
export const hookFunctions = ['onInit', 'onTransition', 'onSignal', 'onHealth'] as const
export type HookFunction = (typeof hookFunctions)[number]
