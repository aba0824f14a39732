import type { DeliverableModel } from './deliverable-model.ts'
import { readDeliverable } from './read-deliverable.ts'

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

/** The figures of a deliverable; the first three are the telemetry metrics `deliverable.*` of spec §6. */
export interface Figures {
  /** `deliverable.size_bytes`: the document in UTF-8. */
  sizeBytes: number
  /** `deliverable.sections`: level-2 headings, contents and next steps included; deeper ones are parts of them. */
  sections: number
  /** `deliverable.code_examples`: fenced blocks with content; a diagram is none. */
  codeExamples: number
  /** Mermaid and PlantUML blocks. */
  diagrams: number
  /** Words of all text; code blocks, front matter and HTML blocks are not counted. */
  words: number
}

/** Measures a deliverable, read or as Markdown. */
export function measure(deliverable: DeliverableModel | string): Figures {
  const model = typeof deliverable === 'string' ? readDeliverable(deliverable) : deliverable
  return {
    sizeBytes: model.sizeBytes,
    sections: model.sections.filter(({ level }) => level === 2).length,
    codeExamples: model.code.filter(({ fenced, filled }) => fenced && filled).length,
    diagrams: model.diagrams.length,
    words: model.words,
  }
}
