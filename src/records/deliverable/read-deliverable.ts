import Slugger from 'github-slugger'
import { htmlAnchors, roleOf, type Heading, type Section } from './outline.ts'
import type { Block } from './block.ts'
import { readBlocks } from './blocks.ts'
import { readFrontMatter } from './front-matter.ts'
import { diagramKind, isVisible, languageOf } from './deliverable-model.ts'
import type {
  CodeExample,
  DeliverableModel,
  Diagram,
  Link,
  Summary,
  TableOfContents,
} from './deliverable-model.ts'

import { countSentences } from './sentences.ts'

/**
 * Reads a Markdown deliverable (spec §2.6). Any string is read; nothing throws. A byte order mark and `\r\n` or `\r` line ends are accepted.
 */
export function readDeliverable(markdown: string): DeliverableModel {
  const lines = linesOf(markdown)
  const frontMatter = readFrontMatter(lines)
  const blocks = readBlocks(lines.slice(frontMatter.lines), frontMatter.lines + 1)
  const { headings, anchors } = readHeadings(blocks)
  const links = readLinks(blocks)
  const sections = readSections(blocks, headings)
  const codeBlocks = blocks.filter((block) => block.kind === 'code')
  return {
    frontMatter,
    title: headings.find(({ level }) => level === 1),
    headings,
    summary: readSummary(blocks, headings),
    tableOfContents: readContents(headings, links, blocks),
    sections,
    code: codeBlocks.flatMap((block): CodeExample[] => {
      if (diagramKind(block) !== undefined) return []
      const { line, lines: length, fenced, opening } = block
      return [{ language: languageOf(block), line, lines: length, fenced, filled: opening !== '' }]
    }),
    diagrams: codeBlocks.flatMap((block): Diagram[] => {
      const kind = diagramKind(block)
      return kind === undefined ? [] : [{ kind, line: block.line, lines: block.lines }]
    }),
    links,
    lists: blocks.filter((block) => block.kind === 'list'),
    codeBlocks,
    tightHeadings: readTightHeadings(blocks),
    anchors,
    nextSteps: sections.some(({ role, filled }) => role === 'next-steps' && filled),
    words: blocks.reduce((sum, block) => sum + wordsOf(block), 0),
    sizeBytes: Buffer.byteLength(markdown),
    empty: !blocks.some((block) => isVisible(block) && block.kind !== 'list'),
    firstLine: frontMatter.lines + 1,
    lastLine: Math.max(1, lines.findLastIndex((line) => line.trim() !== '') + 1),
  }
}

/** The document's lines without their ends. */
export function linesOf(markdown: string): string[] {
  return markdown.replace(/^\u{FEFF}/u, '').split(/\r\n|\r|\n/)
}

function readHeadings(blocks: readonly Block[]): { headings: Heading[]; anchors: Set<string> } {
  const slugger = new Slugger()
  const headings: Heading[] = []
  const anchors = new Set<string>(['', 'top'])
  for (const block of blocks) {
    if (block.kind === 'heading') {
      const text = block.inline.text.replaceAll('\n', ' ').trim()
      const slug = slugger.slug(text)
      anchors.add(slug)
      if (!block.nested)
        headings.push({ text, level: block.level, line: block.line, style: block.style, slug })
    }
    const set =
      block.kind === 'html' ? htmlAnchors(block.text) : 'inline' in block ? block.inline.anchors : []
    for (const anchor of set) anchors.add(anchor)
  }
  return { headings, anchors }
}

function readLinks(blocks: readonly Block[]): Link[] {
  return blocks.flatMap((block) =>
    'inline' in block
      ? block.inline.links.map((link) => ({ ...link, line: block.line + link.line, list: block.list }))
      : [],
  )
}

function wordsOf(block: Block): number {
  return 'inline' in block ? block.inline.words : 0
}

function readSections(blocks: readonly Block[], headings: readonly Heading[]): Section[] {
  const sections: Section[] = []
  const title = headings.find(({ level }) => level === 1)
  const byLine = new Map(headings.map((heading) => [heading.line, heading]))
  let open: Section[] = []
  for (const block of blocks) {
    const heading = block.kind === 'heading' && !block.nested ? byLine.get(block.line) : undefined
    if (heading === undefined) {
      const last = open.at(-1)
      if (last !== undefined) last.words += wordsOf(block)
      if (isVisible(block) && block.kind !== 'list') for (const section of open) section.filled = true
      continue
    }
    const { text, level, line } = heading
    open = open.filter((section) => section.level < level)
    if (heading === title) continue
    const section: Section = { heading: text, level, line, role: roleOf(text), words: 0, filled: false }
    sections.push(section)
    open.push(section)
  }
  return sections
}

/**
 * The summary is what stands between the title and the next heading. Where that is not two or three sentences
 * and the first section (a table of contents aside) is headed Summary or the like, it is that section's text.
 */
function readSummary(blocks: readonly Block[], headings: readonly Heading[]): Summary | undefined {
  const title = headings.find(({ level }) => level === 1)
  const lead = proseUnder(blocks, title?.line ?? 0)
  if (lead !== undefined && lead.sentences >= 2 && lead.sentences <= 3) return lead
  const below = headings.filter((heading) => heading.line > (title?.line ?? 0))
  const section = below.find(({ text }) => roleOf(text) !== 'contents')
  const headed = section !== undefined && roleOf(section.text) === 'summary' ? section : undefined
  return (headed && proseUnder(blocks, headed.line)) ?? lead
}

/** The paragraphs between the heading on `line` (0: the start) and the next one. */
function proseUnder(blocks: readonly Block[], line: number): Summary | undefined {
  const start = blocks.findIndex((block) => block.line === line && block.kind === 'heading') + 1
  const next = blocks.findIndex((block, at) => at >= start && block.kind === 'heading' && !block.nested)
  const paragraphs = blocks
    .slice(start, next < 0 ? undefined : next)
    .filter((block) => block.kind === 'paragraph')
    .filter(({ nested, inline }) => !nested && inline.text.trim() !== '')
  const [at] = paragraphs
  if (at === undefined) return undefined
  return {
    line: at.line,
    text: paragraphs.map(({ inline }) => inline.text.replaceAll(/\s+/g, ' ').trim()).join(' '),
    sentences: paragraphs.reduce((sum, { inline }) => sum + countSentences(inline.prose), 0),
  }
}

/** The list under a heading such as Contents, or else the first list with two links into this document. */
function readContents(
  headings: readonly Heading[],
  links: readonly Link[],
  blocks: readonly Block[],
): TableOfContents | undefined {
  const inner = links.filter(({ target, list, image }) => list > 0 && !image && target.startsWith('#'))
  const index = headings.findIndex(({ text }) => roleOf(text) === 'contents')
  const heading = headings[index]
  if (heading !== undefined) {
    const end = headings[index + 1]?.line ?? Infinity
    return { line: heading.line, links: inner.filter(({ line }) => line > heading.line && line < end) }
  }
  const counts = new Map<number, number>()
  for (const { list } of inner) counts.set(list, (counts.get(list) ?? 0) + 1)
  const list = inner.find((link) => (counts.get(link.list) ?? 0) >= 2)?.list
  if (list === undefined) return undefined
  const line = blocks.find((block) => block.list === list)?.line ?? 1
  return { line, links: inner.filter((link) => link.list === list) }
}

function readTightHeadings(blocks: readonly Block[]): DeliverableModel['tightHeadings'] {
  return blocks.flatMap((block) =>
    block.kind === 'paragraph' && /^#{2,6}[\p{L}\p{N}]/u.test(block.source)
      ? [{ line: block.line, text: block.source.split('\n', 1)[0] ?? '' }]
      : [],
  )
}
