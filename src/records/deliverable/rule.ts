import type { Figures } from './measure.ts'
import type { DeliverableModel } from './deliverable-model.ts'

/** A broken rule: where, and what to do. */
export interface Problem {
  /** The rule's id in kebab-case. */
  rule: string
  /** 1-based line of the file. */
  line: number
  /** What is wrong in the model or in the JSON, as a JSON Pointer; only where a schema says so. */
  path?: string
  message: string
}

/** What a check found. */
export interface DeliverableReport {
  /** Empty when the standards and the schema are met. */
  problems: Problem[]
  /** Undefined when the file could not be read. */
  figures: Figures | undefined
}

export interface Standards {
  /** False where the codebase holds no code, so that nothing could be shown as an example. */
  codebaseHasCode: boolean
}

/** One rule of the documentation standards (spec §2.6). */
export interface Rule {
  id: string
  check(model: DeliverableModel, standards: Standards): readonly Omit<Problem, 'rule'>[]
}
