/** What the headings of a deliverable mean, and what stands under each. */

/** A heading of the document's own outline, not one inside a quote or a list. */
export interface Heading {
  /** Visible text. */
  text: string
  level: number
  line: number
  style: 'atx' | 'setext'
  /** Its anchor on GitHub, without `#`. */
  slug: string
}

/** What a section is for; `body` is every section that carries the document's own matter. */
export type SectionRole = 'summary' | 'contents' | 'next-steps' | 'body'

/** A heading below the title, and what stands between it and the next heading of any level. */
export interface Section {
  heading: string
  level: number
  line: number
  role: SectionRole
  /** Words under the heading itself, code blocks not counted. */
  words: number
  /** Anything stands under it or under the headings below it: text, a list, a table, code. */
  filled: boolean
}

const roles: readonly { role: SectionRole; heading: RegExp }[] = [
  {
    role: 'summary',
    heading: /^(?:(?:executive|management) )?summary$|^overview$|^abstract$|^tl;?dr$|^at a glance$/,
  },
  { role: 'contents', heading: /^(?:table of )?contents$|^toc$/ },
  {
    role: 'next-steps',
    heading:
      /\bnext (?:steps?|actions?)\b|^recommendations?\b|\brecommendations?$|^what(?:['’]s| is| comes)? next\b|^where to go next\b|^follow[- ]?ups?$/,
  },
]

/** The role that a heading announces; a leading number and closing punctuation do not count. */
export function roleOf(heading: string): SectionRole {
  const name = heading
    .toLowerCase()
    .replace(/^[^\p{L}]{1,20}/u, '')
    .replace(/[^\p{L}]{1,20}$/u, '')
  return roles.find((role) => role.heading.test(name))?.role ?? 'body'
}

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
