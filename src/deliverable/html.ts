const attribute = String.raw`\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`
/** The bound on attributes keeps the expression's stack small on hostile input. */
const tagSource = String.raw`<(?:[A-Za-z][A-Za-z0-9-]*(?:${attribute}){0,200}\s*/?|/[A-Za-z][A-Za-z0-9-]*\s*)>`
const tag = new RegExp(tagSource, 'y')
const tagAlone = new RegExp(`^${tagSource} *$`)

/** The end of the HTML tag that starts at `at`, or undefined. */
export function tagEnd(text: string, at: number): number | undefined {
  tag.lastIndex = at
  return tag.test(text) ? tag.lastIndex : undefined
}

const blockNames =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul'

/** The kinds of HTML block of CommonMark §4.6, in its order; one without an end runs to the next blank line. */
const kinds: readonly { start: RegExp; end?: RegExp; interrupts: boolean }[] = [
  {
    start: /^<(?:script|pre|style|textarea)(?:\s|>|$)/i,
    end: /<\/(?:script|pre|style|textarea)>/i,
    interrupts: true,
  },
  { start: /^<!--/, end: /-->/, interrupts: true },
  { start: /^<\?/, end: /\?>/, interrupts: true },
  { start: /^<![A-Za-z]/, end: />/, interrupts: true },
  { start: /^<!\[CDATA\[/, end: /\]\]>/, interrupts: true },
  { start: new RegExp(`^</?(?:${blockNames})(?:\\s|/?>|$)`, 'i'), interrupts: true },
  { start: tagAlone, interrupts: false },
]

export interface HtmlStart {
  /** What ends the block, on the line that holds it; undefined: a blank line does. */
  end: RegExp | undefined
}

export function htmlStart(rest: string, insideParagraph: boolean): HtmlStart | undefined {
  if (!rest.startsWith('<')) return undefined
  const kind = kinds.find(({ start, interrupts }) => (interrupts || !insideParagraph) && start.test(rest))
  return kind && { end: kind.end }
}

/** The anchors that HTML sets itself: values of `id` and `name`. */
export function htmlAnchors(html: string): string[] {
  return Array.from(html.matchAll(/\s(?:id|name)\s?=\s?["']?([^"'\s>]+)/gi), (match) => match[1] ?? '')
}
