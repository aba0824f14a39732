import type { Focus } from '../focus.ts'
import { folderOf } from '../graph.ts'
import type { FoundSymbol } from '../search/found.ts'
import { partsOf } from '../search/word-forms.ts'
import type { Survey } from '../survey.ts'
import { chooseSymbols } from './choose-symbols.ts'
import { code, fence, list, paragraphs } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'

/** One of the symbols that answer calls another, at a line of its body. */
export interface Call {
  from: FoundSymbol
  to: FoundSymbol
  line: number
}

/** The symbols that answer in the order in which they call each other, and these calls, as they are followed. */
export function wayOf(survey: Survey, focus: Focus): { symbols: FoundSymbol[]; calls: Call[] } {
  const chosen = withCalled(survey, focus)
  const calls = new Map(chosen.map((from) => [from, callsOf(survey, from, chosen)]))
  const seen = new Set<FoundSymbol>()
  const way: Call[] = []
  const follow = (symbol: FoundSymbol): void => {
    if (seen.has(symbol)) return
    seen.add(symbol)
    for (const call of calls.get(symbol) ?? []) {
      way.push(call)
      follow(call.to)
    }
  }
  for (const symbol of chosen) follow(beginOf(symbol, calls))
  for (const symbol of chosen) follow(symbol)
  return { symbols: [...seen], calls: way }
}

/** What is chosen, and what the best of it calls to do the work: its words may lead there only by the call. */
function withCalled(survey: Survey, focus: Focus): FoundSymbol[] {
  const chosen = chooseSymbols(focus)
  const others = focus.symbols.filter(
    (one) =>
      !chosen.includes(one) &&
      one.symbol.end - one.symbol.line >= 2 &&
      !/^(?:class|struct)$/.test(one.symbol.kind),
  )
  const called = chosen
    .slice(0, 3)
    .flatMap((from) => callsOf(survey, from, [from, ...others]).map(({ to }) => to))
    .toSorted((a, b) => b.score - a.score)
  return [...chosen, ...[...new Set(called)].slice(0, 6)]
}

/** Where the way to a symbol begins: its caller's caller, as far up as they are about as near to what was asked. */
function beginOf(symbol: FoundSymbol, calls: ReadonlyMap<FoundSymbol, readonly Call[]>): FoundSymbol {
  const seen = new Set([symbol])
  let begin = symbol
  for (;;) {
    const [above] = [...calls.keys()].filter(
      (one) =>
        !seen.has(one) &&
        one.score >= 0.6 * symbol.score &&
        (calls.get(one) ?? []).some(({ to }) => to === begin),
    )
    if (above === undefined) return begin
    seen.add(above)
    begin = above
  }
}

/** Calls among some symbols: by name, where only one declaration can be meant. */
function callsOf(survey: Survey, from: FoundSymbol, chosen: readonly FoundSymbol[]): Call[] {
  const { line: begin, end } = from.symbol
  const lines = codeOf(
    survey
      .source(from.path)
      .split(/\r?\n/)
      .slice(begin - 1, end),
  )
  return chosen
    .filter((to) => to !== from && to.symbol.name !== from.symbol.name && canReach(survey, from, to))
    .flatMap((to): Call[] => {
      const pattern = callOf(survey, from, to)
      if (pattern === undefined || isDeclaredIn(lines, to.symbol.name)) return []
      const at = lines.findIndex((text, index) => {
        const line = begin + index
        const isInner = line >= to.symbol.line && line <= to.symbol.end && from.path === to.path
        return index > 0 && !isInner && pattern.test(text)
      })
      return at < 0 ? [] : [{ from, to, line: begin + at }]
    })
    .toSorted((a, b) => a.line - b.line)
}

/** Whether the file of one has the other: declared there, or imported under its name or its owner's. */
function canReach(survey: Survey, from: FoundSymbol, { path, symbol }: FoundSymbol): boolean {
  if (from.path === path) return true
  const link = (survey.graph.out.get(from.path) ?? []).find(({ to }) => to === path)
  if (link === undefined) return false
  const { names } = link
  return (
    names === undefined || names.length === 0 || symbol.owner !== undefined || names.includes(symbol.name)
  )
}

/** Lines without what only looks like code: strings and comments, on one line or several. */
function codeOf(lines: readonly string[]): string[] {
  let closes: string | undefined
  return lines.map((line) => {
    let text = line
    if (closes !== undefined) {
      const at = text.indexOf(closes)
      if (at < 0) return ''
      text = text.slice(at + closes.length)
      closes = undefined
    }
    text = text
      .replaceAll(/("""|''')[^]*?\1/g, '""')
      .replaceAll(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, '""')
      .replaceAll(/\/\*.*?\*\//g, '')
      .replace(/(?:^|\s)(?:\/\/|#|--).*$/, '')
    const [, opens] = /("""|'''|\/\*|`)/.exec(text) ?? []
    if (opens === undefined) return text
    closes = opens === '/*' ? '*/' : opens
    return text.slice(0, text.indexOf(opens))
  })
}

/** Whether lines declare a name of their own: a parameter, a variable or an inner function. */
function isDeclaredIn(lines: readonly string[], name: string): boolean {
  if (!/^[\w$]+$/.test(name)) return false
  const own = name.replaceAll('$', '\\$')
  const declared = new RegExp(
    `(?:let|const|var|function|def|fn|func|val)\\s+(?:mut\\s+)?${own}(?![\\w$])|(?<![\\w$.])${own}\\s*:?=(?!=)`,
  )
  const parameter = new RegExp(`[(,]\\s*(?:[\\w$]+\\s+)?${own}\\s*[,):=?]`)
  const head = lines.findIndex((line) => /[{]|:\s*$|=>/.test(line))
  return (
    lines.slice(1).some((line) => declared.test(line)) ||
    lines.slice(0, head + 1).some((line) => parameter.test(line))
  )
}

/**
 * How a call of a symbol looks from another: undefined where its name could mean something else. A function is called by
 * its bare name, or in Go by its package; a method on the same object, or by a name of several words that nothing else in
 * the repository has.
 */
function callOf(survey: Survey, from: FoundSymbol, to: FoundSymbol): RegExp | undefined {
  const name = to.symbol.name.split('::').at(-1) ?? ''
  if (!/^[\w$]+$/.test(name)) return undefined
  const end = `${name.replaceAll('$', '\\$')}[!?]?\\s*(?:<[^<>()]*>)?\\(`
  const isOnly = declarations(survey).get(name) === 1 && partsOf(name).length > 1
  const isGo = survey.byPath.get(from.path)?.language?.id === 'go'
  const { owner } = to.symbol
  if (owner === undefined) {
    const isPackaged = isGo && isOnly && /^[A-Z]/.test(name) && folderOf(from.path) !== folderOf(to.path)
    return new RegExp(
      isPackaged ? `(?<![\\w.])[a-z]\\w*\\.${end}` : `(?<![\\w$.>${isOnly ? '' : ':'}])${end}`,
    )
  }
  if (isOnly) return new RegExp(`(?:\\.|->|::)${end}`)
  if (owner !== from.symbol.owner || from.path !== to.path) return undefined
  const own = isGo ? '(?<![\\w.])[a-z]\\.' : '(?:this|self|super|cls)(?:\\.|->|::)|Self::|\\$this->'
  return new RegExp(`(?:${own})${end}`)
}

const counted = new WeakMap<Survey, Map<string, number>>()

/** How many owners declare each name. */
function declarations(survey: Survey): Map<string, number> {
  const known = counted.get(survey)
  if (known !== undefined) return known
  const owners = new Map<string, Set<string>>()
  for (const { path, facts } of survey.files)
    for (const { name, owner = '' } of facts.code?.symbols ?? []) {
      const own = owners.get(name) ?? new Set()
      owners.set(name, own.add(`${path}\0${owner}`))
    }
  const counts = new Map([...owners].map(([name, own]) => [name, own.size]))
  counted.set(survey, counts)
  return counts
}

const nameOf = ({ symbol: { owner, name } }: FoundSymbol): string =>
  owner === undefined ? name : `${owner}.${name}`

/** The way through the code that answers, step by step, and drawn. */
export function waySection(survey: Survey, focus: Focus): Section {
  const { calls } = wayOf(survey, focus)
  const files = [...new Set(calls.flatMap(({ from, to }) => [from.path, to.path]))]
  const partOf = (path: string): string => `p${files.indexOf(path)}`
  const label = (text: string): string => text.replaceAll(/[^\p{L}\p{N}_.$/-]/gu, ' ')
  const drawn = [
    'sequenceDiagram',
    ...files.map((path) => `  participant ${partOf(path)} as ${label(path.split('/').slice(-2).join('/'))}`),
    ...calls.map(({ from, to }) => `  ${partOf(from.path)}->>${partOf(to.path)}: ${label(nameOf(to))}`),
  ].join('\n')
  return {
    title: 'The way through it',
    body:
      calls.length === 0
        ? ''
        : paragraphs(
            'Who calls whom of these, in the order of the calls. A call is told where its name can mean nothing else.',
            list(
              calls.map(
                ({ from, to, line }) =>
                  `${code(nameOf(from))} calls ${code(nameOf(to))} in ${code(`${from.path}:${line}`)}`,
              ),
            ),
            fence('mermaid', drawn),
          ),
  }
}
