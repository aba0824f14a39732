import type { Heading } from './outline.ts'

/** Whether an in-document target (`#…`, perhaps percent-encoded) names one of the anchors. */
export function pointsTo(target: string, anchors: ReadonlySet<string>): boolean {
  const anchor = target.slice(1)
  return anchors.has(anchor) || anchors.has(percentDecoded(anchor))
}

/** What to do about an in-document target that no heading has. */
export function correction(target: string, headings: readonly Heading[]): string {
  const meant = headings.find(({ slug }) => slug !== '' && letters(slug) === letters(target))
  return meant === undefined ? 'correct the link or add the heading' : `write '#${meant.slug}'`
}

/** Unlike `decodeURIComponent` this takes any text: what is no escape stays as it is. */
function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  )
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The anchors that HTML sets itself: values of `id` and `name`. */
export function htmlAnchors(html: string): string[] {
  return Array.from(html.matchAll(/\s(?:id|name)\s?=\s?["']?([^"'\s>]+)/gi), (match) => match[1] ?? '')
}
