import Slugger from 'github-slugger'
import MarkdownIt from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { presentMs } from '../../../protocol/clock.ts'
import { escaped } from '../../../diagram/xml.ts'
import { drawFlowchart } from './flowchart.ts'

/** Where a link may lead: nothing runs, and nothing of this machine is opened. */
const harmless = /^(?:https?:|mailto:|#)/i

/** What the rules are given besides the document. */
interface Drawings {
  /** Diagrams by their source. */
  readonly drawings: Map<string, string>
}

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

rules.fence = (tokens, index, _options, environment) => {
  const { content = '', info = '' } = tokens[index] ?? {}
  const language = info.trim().split(/\s/)[0] ?? ''
  const drawing = (environment as Drawings | undefined)?.drawings.get(content)
  return drawing === undefined
    ? renderSource(content, language)
    : `<figure class="flowchart">${drawing}</figure>\n`
}

// alignment is said by a style, which the page's policy forbids
for (const name of ['th_open', 'td_open'] as const) {
  rules[name] = (tokens, index, options) => {
    const token = tokens[index]
    const align = /text-align:(\w+)/.exec(String(token?.attrGet('style') ?? ''))?.[1]
    if (token !== undefined) token.attrs = align === undefined ? null : [['class', align]]
    return plain(tokens, index, options)
  }
}

/** A document's diagrams are drawn for so long, in milliseconds; the rest are shown as their source. */
const drawMs = 8000

/** Ids of a document may be any words, also those that the page itself uses. */
const anchorPrefix = 'doc-'

/**
 * Markdown as HTML that can do no harm: no HTML of its own, no script, no picture from elsewhere. Flowcharts of
 * Mermaid are drawn; its other diagrams are shown as their source.
 */
export async function renderMarkdown(markdown: string): Promise<string> {
  const drawings: Drawings['drawings'] = new Map()
  const environment = { drawings } as Record<PropertyKey, unknown>
  const tokens = parser.parse(markdown, environment)
  const slugger = new Slugger()
  const until = presentMs() + drawMs
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = tokens[index + 1]?.children?.map(({ content }) => content).join('') ?? ''
      token.attrSet('id', `${anchorPrefix}${slugger.slug(text)}`)
    }
    if (token.type !== 'fence' || token.info.trim() !== 'mermaid') continue
    if (drawings.has(token.content) || presentMs() > until) continue
    const drawing = await drawFlowchart(token.content)
    if (drawing !== undefined) drawings.set(token.content, drawing)
  }
  return parser.renderer.render(tokens, parser.options, environment)
}

/** A text as it stands. */
export function renderSource(text: string, language: string): string {
  const label = language === '' ? '' : ` data-language="${escaped(language)}"`
  return `<pre${label}><code>${escaped(text)}</code></pre>\n`
}
