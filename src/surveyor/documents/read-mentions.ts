import MarkdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { anchorsOf } from './anchors.ts'
import type { DocumentFacts, Mention } from './document-facts.ts'
import { readCommands } from './read-commands.ts'
import { readTree } from './read-tree.ts'
import { fileNameIn, memberOf, pathIn } from './code-spans.ts'

const parser = new MarkdownIt({ html: true })

// Nothing but these begins a code span or leads somewhere: other paragraphs name nothing, and need not be parsed.
const NAMES_SOMETHING = /[`[<]/
parser.core.ruler.at('inline', ({ md, env, tokens }) => {
  for (const [at, { type, content, children }] of tokens.entries())
    if (
      type === 'inline' &&
      (tokens[at - 1]?.type === 'heading_open' || NAMES_SOMETHING.test(content)) &&
      children !== null
    )
      md.inline.parse(content, md, env, children)
})

/** What is said of the past or of what is to come is no claim about what is there. */
const NOT_NOW =
  /~~|\b(?:remov|delet|renam|mov|migrat|deprecat|replac|extract|creat|generat|obsolet|supersed|retir|introduc)(?:e|es|ed|ing|ion|ions)?\b|\b(?:formerly|previously|historical(?:ly)?|no longer|used to|was|were|old|older|legacy|before|until|instead of|split|add|adds|added|adding|new|missing|doesn't exist|does not exist|not exist|would|could|will|planned|proposed|future|todo|optional(?:ly)?|if you|e\.g\.|for example|for instance|such as|example|imagine|suppose|your|hypothetical)\b/i

/** A document that says at its top that it is no account of the present. */
const ASIDE =
  /^\W*status\W+(?:\w+\s+)?(?:superseded|deprecated|rejected|historical|archived|obsolete|draft|proposed|proposal|planned|done|completed?|implemented|abandoned|not implemented)|\b(?:this (?:document|page|file|plan) (?:is|has been) (?:superseded|deprecated|archived|outdated|obsolete|historical|a proposal))\b/im

/** Headings under which the text speaks of work on the project itself. */
const OWN_WORK =
  /contribut|develop|\bbuild|compil|\btest|hack|architect|from source|\breleas|internals|benchmark|\blint|layout|structure/i

/** What a Markdown document names; depends on its text alone. */
export function readMentions(text: string): DocumentFacts {
  const lines = text.split(/\r?\n/)
  const tokens = parser.parse(withoutFrontMatter(text), {})
  const anchors = anchorsOf(text, tokens)
  // Scripts that the text tells to write are the reader's own.
  const isDefinedHere = (mention: Mention): boolean =>
    mention.kind === 'command' && text.includes(`"${mention.name}":`)
  const facts: DocumentFacts = {
    mentions: distinct([...mentionsOf(tokens, lines)].filter((mention) => !isDefinedHere(mention))),
    ...(anchors === undefined ? {} : { anchors }),
  }
  return ASIDE.test(lines.slice(0, 25).join('\n')) ? { ...facts, aside: true } : facts
}

/** The same number of lines, so that those below keep theirs. */
const withoutFrontMatter = (text: string): string =>
  text.replace(/^---\r?\n[\s\S]*?\n---(?=\r?\n|$)/, (matter) => matter.replace(/[^\n]+/g, ''))

function distinct(mentions: readonly Mention[]): Mention[] {
  const seen = new Set<string>()
  return mentions.filter(({ kind, text }) => !seen.has(`${kind} ${text}`) && seen.add(`${kind} ${text}`))
}

function* mentionsOf(tokens: readonly Token[], lines: readonly string[]): Generator<Mention> {
  const headings: string[] = []
  let place: [number, number] = [0, lines.length]
  for (const [at, token] of tokens.entries()) {
    if (token.map !== null) place = token.map
    if (token.type === 'heading_open') {
      const level = Number(token.tag.slice(1))
      headings.length = Math.min(headings.length, level - 1)
      headings[level - 1] = tokens[at + 1]?.content ?? ''
    }
    const heading = headings.join(' ')
    if (NOT_NOW.test(heading)) continue
    const own = OWN_WORK.test(heading)
    if (token.type === 'inline') yield* mentionsOfProse(token, lines, place, own)
    if (token.type === 'fence') yield* mentionsOfFence(token, place[0] + 2, own)
  }
}

/** The line that holds a text, best as a code span of its own, from where its block begins. */
function lineOf(lines: readonly string[], [from, to]: readonly [number, number], text: string): number {
  const block = lines.slice(from, to)
  const found = [`\`${text}\``, `(${text})`, text].map((form) =>
    block.findIndex((line) => line.includes(form)),
  )
  return from + 1 + Math.max(0, found.find((at) => at >= 0) ?? 0)
}

function* mentionsOfProse(
  { children }: Token,
  lines: readonly string[],
  place: [number, number],
  own: boolean,
): Generator<Mention> {
  // Links lead somewhere whatever the sentence says.
  for (const child of children ?? []) {
    const href = String(child.attrGet(child.type === 'image' ? 'src' : 'href') ?? '')
    if (isRelative(href)) yield { kind: 'link', line: lineOf(lines, place, href), text: href }
  }
  for (const sentence of sentencesOf(children ?? [])) {
    if (NOT_NOW.test(sentence.text)) continue
    for (const [at, span] of sentence.spans.entries()) {
      const line = lineOf(lines, place, span.text)
      const file = pathIn(span.text)
      if (file !== undefined) yield { kind: 'path', line, text: file }
      const bare = fileNameIn(span.text)
      if (bare !== undefined) yield { kind: 'file', line, text: bare }
      const member = memberOf(span.text)
      if (member !== undefined) yield { kind: 'member', line, text: span.text, ...member }
      const name = /^([A-Za-z_]\w{3,})\(\)$/.exec(span.text)?.[1]
      const next = sentence.spans[at + 1]
      const home =
        next === undefined || !/^\s*(?:in|from|of)\s*$/.test(span.after) ? undefined : pathIn(next.text)
      if (name !== undefined && home !== undefined)
        yield { kind: 'placed', line, text: span.text, name, file: home }
      for (const command of readCommands(span.text)) yield { kind: 'command', line, own, ...command }
    }
  }
}

interface Sentence {
  text: string
  /** Code spans and the plain text up to the next. */
  spans: { text: string; after: string }[]
}

/** A paragraph, or a list item, cut where a sentence ends in plain text. */
function sentencesOf(children: readonly Token[]): Sentence[] {
  const found: Sentence[] = [{ text: '', spans: [] }]
  let links = 0
  for (const { type, content } of children) {
    if (type === 'link_open' || type === 'link_close') links += type === 'link_open' ? 1 : -1
    const sentence = found.at(-1)
    if (sentence === undefined) continue
    if (type === 'code_inline') {
      sentence.text += ' `` '
      // The text of a link is told by where it leads.
      if (links === 0) sentence.spans.push({ text: content.trim(), after: '' })
    } else {
      const parts = (type === 'text' ? content : type.endsWith('break') ? ' ' : '').split(
        /(?<=[.!?])\s+(?=[A-Z])/,
      )
      for (const [at, part] of parts.entries()) {
        if (at > 0) found.push({ text: '', spans: [] })
        const current = found.at(-1)
        const last = current?.spans.at(-1)
        if (current !== undefined) current.text += part
        if (last !== undefined) last.after += part
      }
    }
  }
  return found
}

const isRelative = (href: string): boolean =>
  !/^(?:[a-z][a-z0-9+.-]*:|\/\/|\?)/i.test(href) && !/[{}<>$*|]|%7B|%3C|\.\.\./i.test(href) && href !== ''

const SHELL = /^(?:sh|bash|shell|zsh|console|shell-session|sh-session|terminal|cmd)?$/i

function* mentionsOfFence({ info, content }: Token, first: number, own: boolean): Generator<Mention> {
  const language = info.trim().split(/[\s{,:]/)[0] ?? ''
  if (/[├└]/.test(content)) {
    // With a prompt above it, it is what a program printed.
    if (!/^\s*(?:[$❯➜>%]|PS>)\s/m.test(content))
      for (const { path, line } of readTree(content))
        yield { kind: 'path', line: first + line, text: path, picture: first }
    return
  }
  if (!SHELL.test(language)) return
  const rows = content.split('\n')
  // Elsewhere everything may have other names.
  if (language === '' && !rows.some((row) => /^\s*\$ /.test(row)) && !rows.every(isCommand)) return
  for (const [at, row] of rows.entries()) {
    const command = row
      .replace(/^\s*(?:\$|%|>)\s+/, '')
      .replace(/\s#.*$/, '')
      .trim()
    if (NOT_NOW.test(row.split('#')[1] ?? '')) continue
    if (
      /^(?:cd|pushd|mkdir|git clone|npx?m? (?:create|init)|npx create)\b/.test(command) &&
      /\S\s+\S/.test(command)
    )
      return
    for (const found of readCommands(command)) yield { kind: 'command', line: first + at, own, ...found }
    for (const path of pathsOfCommand(command)) yield { kind: 'path', line: first + at, text: path }
  }
}

const isCommand = (row: string): boolean =>
  /^\s*(?:$|#|(?:npm|pnpm|yarn|bun|make|cargo|go|node|bash|sh|python3?|\.\/)\b)/.test(row)

/** What a command line starts by its path: a script, or a package of Go. */
function pathsOfCommand(command: string): string[] {
  const run =
    /^(?:(?:node|bash|sh|python3?|ruby|tsx|ts-node|source)\s+)?(\.?\/?(?:[\w.-]+\/)+[\w.-]+\.(?:sh|bash|py|rb|[cm]?[jt]s|pl|ps1))(?=\s|$)/.exec(
      command,
    )?.[1] ??
    /^go (?:run|build|install|test|vet)\s+(?:-\S+\s+)*\.\/((?:[\w.-]+\/?)+?)(?:\/\.\.\.)?(?=\s|$)/.exec(
      command,
    )?.[1]
  const path = run === undefined ? undefined : pathIn(run)
  return path === undefined ? [] : [path]
}
