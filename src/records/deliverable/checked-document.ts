import * as z from 'zod/mini'
import type { DeliverableModel, Link } from './deliverable-model.ts'

const line = z
  .int()
  .check(z.minimum(1), z.describe('Line of the file, from 1. A problem is told with the nearest one.'))
const count = (what: string) => z.int().check(z.minimum(0), z.describe(what))
const said = (what: string) => z.string().check(z.describe(what))

const link = z.strictObject({
  text: said('Visible text; of an image its alternative text.'),
  target: said('Where it leads, as written.'),
  image: z.boolean(),
  line,
})

/**
 * A Markdown deliverable as a `deliverableSchema` sees it (spec §2.3, §2.6): plain JSON, every field always there.
 * `fed check --model` prints it, and `src/federation/schemas/deliverable.schema.json` is made of this.
 */
export const documentSchema = z
  .strictObject({
    frontMatter: z
      .nullable(z.record(z.string(), z.unknown()))
      .check(z.describe('The YAML before the document; null where there is none.')),
    title: z
      .nullable(z.strictObject({ text: said('Visible text.'), line }))
      .check(z.describe('The first level-1 heading.')),
    summary: z
      .nullable(
        z.strictObject({
          text: said('Its words in one line.'),
          sentences: count('How many sentences.'),
          line,
        }),
      )
      .check(z.describe('The text under the title, or under a heading such as Summary.')),
    tableOfContents: z
      .nullable(z.strictObject({ links: z.array(link), line }))
      .check(z.describe('The list of links into this document.')),
    sections: z
      .array(
        z.strictObject({
          title: said('Visible text of the heading.'),
          level: z.int().check(z.minimum(1), z.maximum(6), z.describe('2 for ##, 3 for ###.')),
          role: z
            .enum(['summary', 'contents', 'next-steps', 'body'])
            .check(z.describe('What its heading announces; body is every other.')),
          slug: said('Its anchor, without #.'),
          words: count('Words under the heading itself, up to the next heading; code is not counted.'),
          line,
        }),
      )
      .check(
        z.describe('Every heading below the title, in order; deeper ones follow the one they belong to.'),
      ),
    codeBlocks: z
      .array(
        z.strictObject({
          language: said('Language tag in lower case, empty where there is none.'),
          lines: count('Lines of content.'),
          fenced: z.boolean().check(z.describe('False for an indented block.')),
          line,
        }),
      )
      .check(z.describe('Code examples; diagrams are none.')),
    diagrams: z.array(
      z.strictObject({ kind: z.enum(['mermaid', 'plantuml']), lines: count('Lines of content.'), line }),
    ),
    links: z.array(link).check(z.describe('Every link and image, in order.')),
    words: count('Words of all text; code, front matter and HTML blocks are not counted.'),
    sizeBytes: count('Size of the file in UTF-8.'),
  })
  .check(z.describe("What fed reads in a Markdown deliverable; 'fed check --model' prints it for a team."))
/** See `documentSchema`. */
export type DeliverableDocument = z.infer<typeof documentSchema>

/** The model without what only the standards ask, as plain JSON. */
export function documentOf(model: DeliverableModel): DeliverableDocument {
  const { title, summary, tableOfContents, headings } = model
  const slugs = new Map(headings.map((heading) => [heading.line, heading.slug]))
  return {
    frontMatter: model.frontMatter.data === undefined ? null : plain(model.frontMatter.data),
    title: title === undefined ? null : { text: title.text, line: title.line },
    summary:
      summary === undefined ? null : { text: summary.text, sentences: summary.sentences, line: summary.line },
    tableOfContents:
      tableOfContents === undefined
        ? null
        : { links: tableOfContents.links.map(linkOf), line: tableOfContents.line },
    sections: model.sections.map(({ heading, level, role, words, line: at }) => ({
      title: heading,
      level,
      role,
      slug: slugs.get(at) ?? '',
      words,
      line: at,
    })),
    codeBlocks: model.code.map(({ language, lines, fenced, line: at }) => ({
      language,
      lines,
      fenced,
      line: at,
    })),
    diagrams: model.diagrams.map(({ kind, lines, line: at }) => ({ kind, lines, line: at })),
    links: model.links.map(linkOf),
    words: model.words,
    sizeBytes: model.sizeBytes,
  }
}

function linkOf({ text, target, image, line: at }: Link): DeliverableDocument['links'][number] {
  return { text, target, image, line: at }
}

/** YAML knows more than JSON does, such as a number that is none; a schema must see what `--model` prints. */
function plain(data: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  )
}
