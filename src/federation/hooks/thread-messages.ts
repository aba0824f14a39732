import type { HookProblem } from '../../errors/document-errors.ts'
import type { OwnFacts } from '../../engine/step/own-facts.ts'
import type { HookFunction } from './hook-definition.ts'

/** What is wrong, and where. */
export interface ThreadFault {
  readonly message: string
  readonly file?: string
  readonly line?: number
}

export type ThreadMessage =
  /** Loaded: the functions that there are, each with the place where it is declared. */
  | { readonly kind: 'ready'; readonly functions: Readonly<Partial<Record<HookFunction, ThreadFault>>> }
  | { readonly kind: 'broken'; readonly problems: readonly HookProblem[] }
  /** Loaded for a trial, its archetypes checked; from these files. */
  | { readonly kind: 'tried'; readonly files: readonly string[] }
  /** What a call returned, as JSON; undefined where it returned nothing. */
  | { readonly kind: 'returned'; readonly call: string; readonly json: string | undefined }
  | { readonly kind: 'threw'; readonly call: string; readonly fault: ThreadFault }

/** A call of one of the hook's functions, or of one that finds out evidence for an archetype's guards. */
export type ThreadCall = (
  | { readonly name: HookFunction; readonly facts: unknown }
  | { readonly archetype: string; readonly evidence: string; readonly facts: OwnFacts }
) & {
  /** Which call it is: what does not name it is no answer. */
  readonly call: string
}

export interface ThreadStart {
  /** Real paths. */
  readonly root: string
  readonly file: string
  /** Only whether it can be loaded, with its archetypes, is asked. */
  readonly isTrial?: boolean
}
