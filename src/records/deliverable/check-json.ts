import { isDeeperThan, parseStrictJson } from '../../protocol/strict-json.ts'
import { JsonLines, lineOfSyntaxError } from './json-lines.ts'
import type { DeliverableReport, Figures, Problem } from './rule.ts'
import type { DeliverableSchema } from './schema.ts'
import { pointerOf } from './schema-violation.ts'
import { countWords } from './inline.ts'

/** Deeper than anything that people or agents write as a result. */
const deepest = 500

/** Checks a deliverable that is JSON: that it is, that it says something, and against the schema. */
export function checkJson(text: string, schema: DeliverableSchema | undefined): DeliverableReport {
  const { problems, json } = readJson(text)
  if (problems.length > 0) return { problems, figures: undefined }
  const violations = schema?.violations(json) ?? []
  const lines = violations.length === 0 ? undefined : new JsonLines(withoutMark(text))
  return {
    problems: violations
      .map(({ path, message }) => {
        const pointer = pointerOf(path)
        const line = lines?.lineOf(path) ?? 1
        return { rule: 'schema', line, path: pointer, message: `${pointer || 'the document'} ${message}` }
      })
      .toSorted((a, b) => a.line - b.line),
    figures: measureJson(text, json),
  }
}

/** Reads JSON; a byte order mark is accepted, as in Markdown. */
export function readJson(text: string): { readonly problems: Problem[]; readonly json?: unknown } {
  const content = withoutMark(text)
  if (content.trim() === '') {
    return {
      problems: [{ rule: 'not-empty', line: 1, message: 'the document is empty; write the deliverable' }],
    }
  }
  try {
    const json = parseStrictJson(content)
    if (!isDeeperThan(deepest, json)) return { problems: [], json }
    return { problems: [{ rule: 'json', line: 1, message: `it is nested deeper than ${deepest} levels` }] }
  } catch (error) {
    const line = lineOfSyntaxError(content)
    return { problems: [{ rule: 'json', line, message: (error as Error).message }] }
  }
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** Its sections are what its outermost object or list holds; its words those of every text in it. */
function measureJson(text: string, json: unknown): Figures {
  const sections = typeof json === 'object' && json !== null ? Object.keys(json).length : 0
  return { sizeBytes: Buffer.byteLength(text), sections, codeExamples: 0, diagrams: 0, words: wordsIn(json) }
}

function wordsIn(json: unknown): number {
  if (typeof json === 'string') return countWords(json)
  if (typeof json !== 'object' || json === null) return 0
  return Object.values(json).reduce<number>((sum, inner) => sum + wordsIn(inner), 0)
}
