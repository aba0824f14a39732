import type { DeliverableModel } from './deliverable-model.ts'
import { readDeliverable } from './read-deliverable.ts'
import type { Problem, Rule, Standards } from './rule.ts'
import { structureRules } from './structure-rules.ts'
import { styleRules } from './style-rules.ts'

export type { Problem, Standards } from './rule.ts'

/** Every rule that a document with content is checked against, in the order in which they are explained. */
export const rules: readonly Rule[] = [...structureRules, ...styleRules]

/**
 * Checks a Markdown deliverable against the documentation standards (spec §2.6; the skill
 * `documentation-standards` states them for agents). Returns each broken rule with its line, sorted by line;
 * nothing when the standards are met. Never throws, whatever the text.
 */
export function checkDeliverable(deliverable: DeliverableModel | string, standards: Standards): Problem[] {
  const model = typeof deliverable === 'string' ? readDeliverable(deliverable) : deliverable
  if (model.empty) {
    return [{ rule: 'not-empty', line: 1, message: 'the document is empty; write the deliverable' }]
  }
  return rules
    .flatMap(({ id, check }) => check(model, standards).map((problem) => ({ rule: id, ...problem })))
    .toSorted((a, b) => a.line - b.line)
}
