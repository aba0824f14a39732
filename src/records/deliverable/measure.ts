import type { DeliverableModel } from './deliverable-model.ts'
import { readDeliverable } from './read-deliverable.ts'

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
