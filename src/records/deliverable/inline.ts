import type { Token } from 'markdown-it'
import { htmlAnchors } from './outline.ts'

/** How a link is written; only `inline` is the standards' `[text](url)`. */
type LinkStyle = 'inline' | 'reference' | 'autolink' | 'bare'

export interface InlineLink {
  style: LinkStyle
  image: boolean
  /** The visible text; of an image its alternative text. */
  text: string
  /** As written; of a reference its label in capitals. */
  target: string
  /** 0-based line in its block. */
  line: number
}

export interface Inline {
  /** What a reader sees: without markup, targets, images, footnote marks, HTML and comments. */
  text: string
  /** The same with each code span as one word, for counting sentences. */
  prose: string
  words: number
  links: InlineLink[]
  /** Anchors that HTML tags set. */
  anchors: string[]
}

/** Unlike the library's own search this takes any host, and no file name (`notes.md`) for one. */
const bareUrl = /(?<![\p{L}\p{N}/])(?:(?:https?|ftp):\/\/|www\.)[\p{L}\p{N}][^\s<]*/giu

/** A reader sees it as a number above the line, behind the end of a sentence. */
const footnoteMark = /\[\^[^\s\]]{1,99}\]/g

/** Reads the inline tokens of one block. */
export function readInline({ children }: Token): Inline {
  const links: InlineLink[] = []
  const anchors: string[] = []
  let text = ''
  let prose = ''
  let open: InlineLink | undefined
  const say = (said: string, spoken = said) => {
    text += said
    prose += spoken
    if (open !== undefined) open.text += said
  }
  for (const token of children ?? []) {
    const { type, content } = token
    switch (type) {
      case 'text':
        if (open === undefined) for (const link of bareLinks(token)) links.push(link)
        say(content.replaceAll(footnoteMark, ''))
        break
      case 'text_special':
        say(content)
        break
      case 'softbreak':
      case 'hardbreak':
        say('\n')
        break
      case 'code_inline':
        say(content, 'Code')
        break
      case 'html_inline':
        for (const anchor of htmlAnchors(content)) anchors.push(anchor)
        break
      case 'image':
        links.push({ ...linkOf(token), image: true, text: content })
        if (open !== undefined) open.text += content
        break
      case 'link_open':
        open = linkOf(token)
        links.push(open)
        break
      case 'link_close':
        if (open?.style === 'autolink') open.target = open.text
        open = undefined
        break
    }
  }
  return { text, prose, words: countWords(text), links, anchors }
}

/** What the cells of one row say together. */
export function joined(cells: readonly Inline[]): Inline {
  return {
    text: cells.map(({ text }) => text).join(' '),
    prose: cells.map(({ prose }) => prose).join(' '),
    words: cells.reduce((sum, { words }) => sum + words, 0),
    links: cells.flatMap(({ links }) => links),
    anchors: cells.flatMap(({ anchors }) => anchors),
  }
}

function linkOf(token: Token): InlineLink {
  const label: unknown = token.meta?.label
  const link = { image: false, text: '', line: lineOf(token) }
  if (typeof label === 'string') return { ...link, style: 'reference', target: label }
  const target = String(token.attrGet('href') ?? token.attrGet('src') ?? '')
  return { ...link, style: token.markup === 'autolink' ? 'autolink' : 'inline', target }
}

function bareLinks(token: Token): InlineLink[] {
  return Array.from(token.content.matchAll(bareUrl), ([address]) => {
    const target = address.replace(/[?!.,:*_~)'"]{1,99}$/, '')
    return { style: 'bare', image: false, text: target, target, line: lineOf(token) }
  })
}

function lineOf({ map }: Token): number {
  return map?.[0] ?? 0
}

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Counts words: runs of characters between blank space that hold a letter or a digit. In scripts without blank
 * space between words (Chinese, Japanese) every character is one.
 */
export function countWords(text: string): number {
  let ideographic = 0
  const spaced = text.replaceAll(ideographs, () => {
    ideographic += 1
    return ' '
  })
  return ideographic + spaced.split(/\s+/).filter((part) => letterOrDigit.test(part)).length
}
