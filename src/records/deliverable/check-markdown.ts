import { documentOf, type DeliverableDocument } from './checked-document.ts'
import { frontMatterLine } from './front-matter.ts'
import type { JsonPath } from './json-lines.ts'
import type { DeliverableModel } from './deliverable-model.ts'
import { linesOf, readDeliverable } from './read-deliverable.ts'
import type { Problem, Rule, Standards } from './rule.ts'
import type { DeliverableSchema } from './schema.ts'
import { pointerOf } from './schema-violation.ts'
import { structureRules } from './structure-rules.ts'
import { styleRules } from './style-rules.ts'

/** Checks the model of a Markdown deliverable against the federation's schema (spec §2.3). */
export function checkMarkdown(
  markdown: string,
  model: DeliverableModel,
  schema: DeliverableSchema,
): Problem[] {
  const document = documentOf(model)
  return schema.violations(document).map(({ path, message }) => {
    const [field, ...inside] = path
    const line =
      field === 'frontMatter' && model.frontMatter.data !== undefined
        ? frontMatterLine(linesOf(markdown), model.frontMatter, inside)
        : lineOf(document, path)
    const pointer = pointerOf(path)
    return { rule: 'schema', line, path: pointer, message: `${pointer || 'the document'} ${message}` }
  })
}

/** The line of the innermost part of the model on the way that has one, else that of the title. */
function lineOf(document: DeliverableDocument, path: JsonPath): number {
  let line = document.title?.line ?? 1
  let at: unknown = document
  for (const key of path) {
    at = typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[key] : undefined
    const own = (at as { readonly line?: unknown } | null | undefined)?.line
    if (typeof own === 'number') line = own
  }
  return line
}

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
