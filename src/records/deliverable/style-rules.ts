import { correction, pointsTo } from './outline.ts'
import { diagramKind, languageOf } from './deliverable-model.ts'
import type { DeliverableModel, Link } from './deliverable-model.ts'
import type { Rule } from './rule.ts'

/** How the document must be written: headings, code fences, lists and links. */
export const styleRules: readonly Rule[] = [
  { id: 'heading-style', check: headingStyle },
  {
    id: 'fence-closed',
    check: ({ codeBlocks }) =>
      codeBlocks
        .filter(({ closed }) => !closed)
        .map(({ line }) => ({
          line,
          message:
            'this code fence is never closed; end the block with a fence of the same character, at least as long',
        })),
  },
  {
    id: 'code-fence-language',
    check: ({ codeBlocks }) =>
      codeBlocks.flatMap((block) => {
        if (!block.fenced) {
          return [
            {
              line: block.line,
              message: 'this code block is indented; put it in a fence with a language tag (```ts)',
            },
          ]
        }
        if (languageOf(block) !== '') return []
        const tag = diagramKind(block) ?? 'text'
        return [
          {
            line: block.line,
            message: `this code fence has no language tag; write one behind it (\`\`\`${tag})`,
          },
        ]
      }),
  },
  {
    id: 'list-marker',
    check: ({ lists }) =>
      lists.flatMap(({ marker, line }) => {
        if (marker === '-' || marker === '.') return []
        const [written, wanted] = marker === ')' ? ['1)', '1.'] : [marker, '-']
        return [{ line, message: `the list that begins here uses '${written}'; write '${wanted}'` }]
      }),
  },
  { id: 'link-style', check: linkStyle },
]

function headingStyle({ headings, tightHeadings }: DeliverableModel): ReturnType<Rule['check']> {
  return [
    ...headings
      .filter(({ style }) => style === 'setext')
      .map(({ line, level }) => ({
        line,
        message: `this heading is underlined; write '${'#'.repeat(level)} ' before it instead`,
      })),
    ...headings.flatMap(({ level, line }, index) => {
      const above = headings[index - 1]?.level
      if (above === undefined || level <= above + 1) return []
      return [
        {
          line,
          message: `this heading skips from level ${above} to level ${level}; make it level ${above + 1}`,
        },
      ]
    }),
    ...tightHeadings.map(({ line }) => ({
      line,
      message: "this is no heading without a space behind the '#'; add one",
    })),
  ]
}

function linkStyle(model: DeliverableModel): ReturnType<Rule['check']> {
  const { links, tableOfContents } = model
  const contents = new Set(tableOfContents?.links)
  return links.flatMap((link) => {
    const message = misuse(link) ?? (contents.has(link) ? undefined : brokenAnchor(link, model))
    return message === undefined ? [] : [{ line: link.line, message }]
  })
}

function misuse({ style, target, text, image }: Link): string | undefined {
  const shown = target.length > 80 ? `${target.slice(0, 80)}…` : target
  switch (style) {
    case 'bare':
      return `'${shown}' stands bare in the text; write [text](${shown})`
    case 'autolink':
      return `'<${shown}>' is an autolink; write [text](${shown})`
    case 'reference':
      return `the link '${text}' refers to a definition '[${shown}]:'; write its target here, as [text](url)`
    case 'inline':
      if (target === '') return `the link '${text}' has no target; write one between the parentheses`
      return text === '' && !image
        ? `the link to '${shown}' has no text; write some between the brackets`
        : undefined
  }
}

function brokenAnchor({ style, target }: Link, { anchors, headings }: DeliverableModel): string | undefined {
  if (style !== 'inline' || !target.startsWith('#') || pointsTo(target, anchors)) return undefined
  return `the link points to '${target}', and no heading here has that anchor; ${correction(target, headings)}`
}
