import { correction, pointsTo } from './outline.ts'
import type { DeliverableModel } from './deliverable-model.ts'
import type { Rule } from './rule.ts'

/** A document of more words than this needs a table of contents (spec §7). */
const wordsWithoutContents = 500

/** What the document must hold: title, summary, table of contents, sections, code examples, next steps. */
export const structureRules: readonly Rule[] = [
  {
    id: 'front-matter',
    check: ({ frontMatter: { error } }) =>
      error === undefined
        ? []
        : [{ line: 1, message: `the front matter is not readable YAML: ${error}; correct or remove it` }],
  },
  { id: 'one-title', check: oneTitle },
  { id: 'summary', check: summary },
  { id: 'table-of-contents', check: tableOfContents },
  {
    id: 'sections',
    check: (model) =>
      model.sections.some(
        ({ level, role, line }) => level === 2 && (role === 'body' || isBodyOverview(model, role, line)),
      )
        ? []
        : [
            {
              line: titleLine(model),
              message:
                "there is no section besides summary, contents and next steps; add one with a level-2 heading ('## …')",
            },
          ],
  },
  {
    id: 'code-examples',
    check: (model, { codebaseHasCode }) =>
      !codebaseHasCode || model.code.some(({ fenced, filled }) => fenced && filled)
        ? []
        : [
            {
              line: titleLine(model),
              message:
                'there is no code example; show at least one excerpt of the codebase in a fenced block (a diagram is none)',
            },
          ],
  },
  { id: 'next-steps', check: nextSteps },
]

function titleLine({ title, headings, firstLine }: DeliverableModel): number {
  return title?.line ?? headings[0]?.line ?? firstLine
}

/** A section headed Overview is a section like any other where the summary stands under the title. */
function isBodyOverview({ summary: found }: DeliverableModel, role: string, line: number): boolean {
  return role === 'summary' && found !== undefined && found.line < line
}

function oneTitle({ headings, firstLine }: DeliverableModel): ReturnType<Rule['check']> {
  const [first] = headings
  const titles = headings.filter(({ level }) => level === 1)
  const [title, ...others] = titles
  if (first === undefined || title === undefined) {
    return [
      {
        line: first?.line ?? firstLine,
        message: "there is no title; begin the document with one level-1 heading ('# …')",
      },
    ]
  }
  const problems = others.map(({ line }) => ({
    line,
    message: `this is another level-1 heading, and the title stands on line ${title.line}; make it a section ('## …')`,
  }))
  if (first !== title) {
    problems.push({
      line: first.line,
      message: `the first heading must be the title, which stands on line ${title.line}; move it up`,
    })
  }
  if (title.text === '') problems.push({ line: title.line, message: 'the title is empty; name the document' })
  return problems
}

function summary(model: DeliverableModel): ReturnType<Rule['check']> {
  const found = model.summary
  if (found === undefined) {
    return [
      {
        line: titleLine(model),
        message: 'there is no summary; write 2 or 3 sentences right below the title',
      },
    ]
  }
  const { sentences, line } = found
  if (sentences >= 2 && sentences <= 3) return []
  const counted = sentences === 1 ? '1 sentence' : `${sentences} sentences`
  return [{ line, message: `the summary has ${counted}; make it 2 or 3` }]
}

function tableOfContents(model: DeliverableModel): ReturnType<Rule['check']> {
  const { words, tableOfContents: contents, anchors } = model
  const broken = (contents?.links ?? [])
    .filter(({ target }) => !pointsTo(target, anchors))
    .map(({ target, line }) => ({
      line,
      message: `the table of contents links to '${target}', and no heading here has that anchor; ${correction(target, model.headings)}`,
    }))
  const working = (contents?.links.length ?? 0) - broken.length
  if (words <= wordsWithoutContents || working >= 2) return broken
  const message =
    contents === undefined
      ? `the document has ${words} words and no table of contents; above ${wordsWithoutContents} it needs a list of links to its headings`
      : 'the table of contents needs at least 2 links to headings of this document'
  return [{ line: contents?.line ?? titleLine(model), message }, ...broken]
}

function nextSteps({ sections, lastLine, nextSteps: present }: DeliverableModel): ReturnType<Rule['check']> {
  if (present) return []
  const empty = sections.find(({ role }) => role === 'next-steps')
  if (empty !== undefined) {
    return [{ line: empty.line, message: `the section '${empty.heading}' is empty; say what to do next` }]
  }
  return [
    {
      line: lastLine,
      message: "there are no next steps; end with a section '## Next steps' that says what to do",
    },
  ]
}
