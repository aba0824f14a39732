import { normalizeLabel } from './definition.ts'
import { flanks, removeEmphasis } from './emphasis.ts'
import type { DelimiterRun } from './emphasis.ts'
import { htmlAnchors, tagEnd } from './html.ts'
import { linkTarget } from './link-target.ts'

/** How a link is written; only `inline` is the standards' `[text](url)`. */
export type LinkStyle = 'inline' | 'reference' | 'autolink' | 'bare'

interface InlineLink {
  style: LinkStyle
  image: boolean
  /** The visible text; of an image its alternative text. */
  text: string
  /** As written; of a reference its label. */
  target: string
  /** Offset of its first character. */
  at: number
}

export interface Inline {
  /** What a reader sees: without markup, targets, images, HTML and comments. */
  text: string
  /** The same with each code span as one word, for counting sentences. */
  prose: string
  links: InlineLink[]
  /** Anchors that HTML tags set. */
  anchors: string[]
}

interface Bracket {
  at: number
  image: boolean
  piece: number
}

const special = /[\\`<[\]!&*_~]/g
const escapable = /^[!-/:-@[-`{-~]$/
const autolink = /<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w.-]{1,255})>/y
const entity = /&(?:amp|lt|gt|quot|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/y
const bareUrl = /(?<![\p{L}\p{N}/])(?:(?:https?|ftp):\/\/|www\.)[\p{L}\p{N}][^\s<]*/giu
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

/** Reads the inline Markdown of one block, in time linear in its length (CommonMark §6, GFM autolinks). */
export function readInline(text: string, labels: ReadonlySet<string>): Inline {
  return new InlineReader(text, labels).read()
}

class InlineReader {
  readonly #source: string
  readonly #labels: ReadonlySet<string>
  readonly #pieces: string[] = []
  readonly #code: number[] = []
  readonly #runs: DelimiterRun[] = []
  readonly #links: InlineLink[] = []
  readonly #anchors: string[] = []
  readonly #brackets: Bracket[] = []
  /** Brackets below this index are inside no link any more: links do not nest. */
  #inactive = 0
  /** Parts of the source in which an address is no bare one. */
  readonly #covered: { from: number; to: number }[] = []
  /** Ends of comments and the like that do not occur in the rest of the text. */
  readonly #absent = new Set<string>()
  #ticks: Map<number, number[]> | undefined

  constructor(source: string, labels: ReadonlySet<string>) {
    this.#source = source
    this.#labels = labels
  }

  read(): Inline {
    const source = this.#source
    let at = 0
    while (at < source.length) {
      special.lastIndex = at
      const next = special.exec(source)?.index ?? source.length
      if (next > at) this.#pieces.push(source.slice(at, next))
      at = next < source.length ? this.#special(next) : next
    }
    removeEmphasis(this.#pieces, this.#runs)
    const text = this.#pieces.join('')
    for (const index of this.#code) this.#pieces[index] = 'Code'
    const prose = this.#code.length === 0 ? text : this.#pieces.join('')
    this.#findBareUrls()
    return { text, prose, links: this.#links.toSorted((a, b) => a.at - b.at), anchors: this.#anchors }
  }

  /** Reads what the special character at `at` begins; returns where it ends. */
  #special(at: number): number {
    const source = this.#source
    const character = source[at] ?? ''
    const next = source[at + 1] ?? ''
    switch (character) {
      case '\\': {
        const escaped = escapable.test(next)
        this.#pieces.push(escaped ? next : character)
        return escaped ? at + 2 : at + 1
      }
      case '`':
        return this.#codeSpan(at)
      case '<':
        return this.#angle(at)
      case '!':
        if (next !== '[') break
        this.#openBracket(at, true)
        return at + 2
      case '[':
        this.#openBracket(at, false)
        return at + 1
      case ']':
        return this.#closeBracket(at)
      case '&':
        return this.#entity(at)
      case '*':
      case '_':
      case '~':
        return this.#delimiterRun(at, character)
    }
    this.#pieces.push(character)
    return at + 1
  }

  #codeSpan(at: number): number {
    const length = runLength(this.#source, at)
    const close = this.#closingTicks(at + length, length)
    if (close === undefined) {
      this.#pieces.push(this.#source.slice(at, at + length))
      return at + length
    }
    const inner = this.#source.slice(at + length, close).replaceAll('\n', ' ')
    const padded = inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== ''
    this.#code.push(this.#pieces.length)
    this.#pieces.push(padded ? inner.slice(1, -1) : inner)
    this.#cover(at, close + length)
    return close + length
  }

  /** The next run of exactly `length` backticks at or behind `from`; each run is looked at once. */
  #closingTicks(from: number, length: number): number | undefined {
    if (this.#ticks === undefined) {
      this.#ticks = new Map()
      for (const match of this.#source.matchAll(/`+/g)) {
        const runs = this.#ticks.get(match[0].length)
        if (runs === undefined) this.#ticks.set(match[0].length, [match.index])
        else runs.push(match.index)
      }
      for (const runs of this.#ticks.values()) runs.reverse()
    }
    const runs = this.#ticks.get(length) ?? []
    while ((runs.at(-1) ?? from) < from) runs.pop()
    return runs.at(-1)
  }

  #angle(at: number): number {
    const source = this.#source
    autolink.lastIndex = at
    const target = autolink.exec(source)?.[1]
    if (target !== undefined) {
      this.#links.push({ style: 'autolink', image: false, text: target, target, at })
      this.#pieces.push(target)
      this.#cover(at, at + target.length + 2)
      return at + target.length + 2
    }
    const end = tagEnd(source, at) ?? this.#rawEnd(at)
    if (end === undefined) {
      this.#pieces.push('<')
      return at + 1
    }
    if (source[at + 1] !== '!') this.#anchors.push(...htmlAnchors(source.slice(at, end)))
    this.#cover(at, end)
    return end
  }

  /** The end of a comment, a processing instruction, CDATA or a declaration. */
  #rawEnd(at: number): number | undefined {
    const source = this.#source
    if (source.startsWith('<!--', at)) {
      if (source[at + 4] === '>') return at + 5
      if (source.startsWith('->', at + 4)) return at + 6
      return this.#endBehind('-->', at + 4)
    }
    if (source.startsWith('<?', at)) return this.#endBehind('?>', at + 2)
    if (source.startsWith('<![CDATA[', at)) return this.#endBehind(']]>', at + 9)
    return /^<![A-Za-z]/.test(source.slice(at, at + 3)) ? this.#endBehind('>', at + 3) : undefined
  }

  #endBehind(end: string, from: number): number | undefined {
    const found = this.#absent.has(end) ? -1 : this.#source.indexOf(end, from)
    if (found >= 0) return found + end.length
    this.#absent.add(end)
    return undefined
  }

  #openBracket(at: number, image: boolean): void {
    this.#brackets.push({ at, image, piece: this.#pieces.length })
    this.#pieces.push(image ? '![' : '[')
  }

  #closeBracket(at: number): number {
    const bracket = this.#brackets.pop()
    const active = bracket !== undefined && (bracket.image || this.#brackets.length >= this.#inactive)
    this.#inactive = Math.min(this.#inactive, this.#brackets.length)
    const found = active ? this.#behindBracket(bracket, at) : undefined
    if (bracket === undefined || found === undefined) {
      this.#pieces.push(']')
      return at + 1
    }
    this.#pieces[bracket.piece] = ''
    const { style, target, end } = found
    const text = this.#pieces.slice(bracket.piece).join('').trim()
    if (bracket.image || style === 'footnote') this.#forget(bracket)
    if (style !== 'footnote') this.#links.push({ style, image: bracket.image, text, target, at: bracket.at })
    if (!bracket.image && style !== 'footnote') this.#inactive = this.#brackets.length
    this.#cover(bracket.at, end)
    return end
  }

  /** What makes the bracket that closes at `at` a link: a target, a label, or itself. */
  #behindBracket(
    bracket: Bracket,
    at: number,
  ): { style: 'inline' | 'reference' | 'footnote'; target: string; end: number } | undefined {
    const source = this.#source
    const from = bracket.at + (bracket.image ? 2 : 1)
    const own = at - from <= 999 ? source.slice(from, at) : ''
    const footnote = own.startsWith('^') && this.#labels.has(normalizeLabel(own))
    const inline =
      source[at + 1] === '(' && (bracket.image || !footnote) ? linkTarget(source, at + 1) : undefined
    if (inline !== undefined) return { style: 'inline', ...inline }
    if (footnote) return { style: 'footnote', target: own, end: at + 1 }
    if (this.#labels.size === 0) return undefined
    const full =
      source[at + 1] === '['
        ? /^\[((?!\^)(?:[^[\]\\]|\\.){0,999})\]/s.exec(source.slice(at + 1, at + 1002))
        : null
    const label = full?.[1] || own
    const end = at + 1 + (full?.[0].length ?? 0)
    return this.#labels.has(normalizeLabel(label)) ? { style: 'reference', target: label, end } : undefined
  }

  /** Takes back what an image or a footnote mark holds: a reader does not see it as text. */
  #forget({ at, piece }: Bracket): void {
    this.#pieces.length = piece
    while ((this.#code.at(-1) ?? -1) >= piece) this.#code.pop()
    while ((this.#runs.at(-1)?.piece ?? -1) >= piece) this.#runs.pop()
    while ((this.#links.at(-1)?.at ?? -1) > at) this.#links.pop()
  }

  #entity(at: number): number {
    entity.lastIndex = at
    const match = entity.exec(this.#source)?.[0]
    const name = match?.slice(1, -1) ?? ''
    const code = name.startsWith('#') ? Number(name.slice(1).replace(/^[xX]/, '0x')) : 0
    this.#pieces.push(
      named[name] ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (match ?? '&')),
    )
    return at + (match?.length ?? 1)
  }

  #delimiterRun(at: number, character: string): number {
    const length = runLength(this.#source, at)
    const { opens, closes } = flanks(character, this.#source[at - 1] ?? '', this.#source[at + length] ?? '')
    this.#runs.push({ piece: this.#pieces.length, character, length, opens, closes })
    this.#pieces.push(character.repeat(length))
    return at + length
  }

  #cover(from: number, to: number): void {
    while ((this.#covered.at(-1)?.from ?? -1) >= from) this.#covered.pop()
    this.#covered.push({ from, to })
  }

  #findBareUrls(): void {
    let from = 0
    for (const { from: to, to: resume } of [...this.#covered, { from: this.#source.length, to: 0 }]) {
      // One character of context on the left keeps `xhttp://` and `/http://` from matching at a cut.
      const left = Math.max(0, from - 1)
      for (const match of this.#source.slice(left, to).matchAll(bareUrl)) {
        const target = match[0].replace(/[?!.,:*_~)'"]{1,99}$/, '')
        this.#links.push({ style: 'bare', image: false, text: target, target, at: left + match.index })
      }
      from = resume
    }
  }
}

function runLength(text: string, at: number): number {
  let end = at + 1
  while (text[end] === text[at]) end += 1
  return end - at
}
