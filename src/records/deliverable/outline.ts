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
