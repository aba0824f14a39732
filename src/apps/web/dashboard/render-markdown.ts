import Slugger from 'github-slugger'
import MarkdownIt from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { escaped } from '../../../diagram/xml.ts'

/** Where a link may lead: nothing runs, and nothing of this machine is opened. */
const harmless = /^(?:https?:|mailto:|#)/i

const parser = new MarkdownIt({ html: false }).use(footnotes)
// a link that leads nowhere else stays a text with its target in a tooltip: see below
parser.validateLink = () => true

const { rules } = parser.renderer
const plain = parser.renderer.renderToken.bind(parser.renderer)

rules.link_open = (tokens, index, options) => {
  const token = tokens[index]
  const target = String(token?.attrGet('href') ?? '')
  if (token === undefined) return ''
  if (!harmless.test(target)) {
    token.attrs = [
      ['class', 'path'],
      ['title', target],
    ]
    return plain(tokens, index, options)
  }
  if (target.startsWith('#')) token.attrs = [['href', `#${anchorPrefix}${target.slice(1)}`]]
  else token.attrs = [...(token.attrs ?? []), ['target', '_blank'], ['rel', 'noreferrer noopener']]
  return plain(tokens, index, options)
}

// no picture is fetched: it would tell another machine that somebody reads this
rules.image = (tokens, index) => {
  const token = tokens[index]
  return `<span class="image" title="${escaped(String(token?.attrGet('src') ?? ''))}">▧ ${escaped(token?.content ?? '')}</span>`
}

rules.fence = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {}
  return renderSource(content, languageOf(info))
}

// for the page to draw it: see `page/diagrams.ts`
rules.diagram = (tokens, index) =>
  `<figure class="diagram">${renderSource(tokens[index]?.content ?? '', 'mermaid')}</figure>\n`

// alignment is said by a style, which the page's policy forbids
for (const name of ['th_open', 'td_open'] as const) {
  rules[name] = (tokens, index, options) => {
    const token = tokens[index]
    const align = /text-align:(\w+)/.exec(String(token?.attrGet('style') ?? ''))?.[1]
    if (token !== undefined) token.attrs = align === undefined ? null : [['class', align]]
    return plain(tokens, index, options)
  }
}

/** So many diagrams of a document are drawn: the page watches each. */
const mostDiagrams = 200

/** Ids of a document may be any words, also those that the page itself uses. */
const anchorPrefix = 'doc-'

/**
 * Markdown as HTML that can do no harm: no HTML of its own, no script, no picture from elsewhere. Mermaid's diagrams
 * are marked, for the page to draw them.
 */
export function renderMarkdown(markdown: string): string {
  const environment = {}
  const tokens = parser.parse(markdown, environment)
  const slugger = new Slugger()
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = tokens[index + 1]?.children?.map(({ content }) => content).join('') ?? ''
    token.attrSet('id', `${anchorPrefix}${slugger.slug(text)}`)
  }
  const diagrams = tokens.filter(({ type, info }) => type === 'fence' && languageOf(info) === 'mermaid')
  for (const token of diagrams.slice(0, mostDiagrams)) token.type = 'diagram'
  return parser.renderer.render(tokens, parser.options, environment)
}

function languageOf(info: string): string {
  return info.trim().split(/\s/)[0] ?? ''
}

/** A text as it stands. */
export function renderSource(text: string, language: string): string {
  const label = language === '' ? '' : ` data-language="${escaped(language)}"`
  return `<pre${label}><code>${escaped(text)}</code></pre>\n`
}
