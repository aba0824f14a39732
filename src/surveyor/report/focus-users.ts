import { callersOf } from '../callers.ts'
import type { Focus } from '../focus.ts'
import { firstSentence } from '../languages/doc-comment.ts'
import type { Survey } from '../survey.ts'
import { chooseSymbols } from './choose-symbols.ts'
import { code, list, paragraphs, prose } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { flowchart, nodeOf } from './draw-flowchart.ts'
import { readable } from './module-map.ts'
import { count, enumeration } from './wording.ts'

/** What the chosen symbols call in files that are not shown: the next step down. */
function calledItems(survey: Survey, focus: Focus): string[] {
  const shown = new Set(focus.files.map(({ file }) => file.path))
  const found = new Map<string, string>()
  for (const { path, symbol } of chooseSymbols(focus).slice(0, 8)) {
    const body = survey
      .source(path)
      .split(/\r?\n/)
      .slice(symbol.line - 1, symbol.end)
      .join('\n')
    for (const { to, names } of survey.graph.out.get(path) ?? []) {
      if (to === undefined || shown.has(to)) continue
      for (const called of survey.byPath.get(to)?.facts.code?.symbols ?? []) {
        const name = called.name.replaceAll('$', '\\$')
        // Of a class that is imported, its methods are what is called.
        const isCalled =
          called.owner === undefined
            ? names?.includes(called.name) === true &&
              /^(?:function|class|macro)$/.test(called.kind) &&
              new RegExp(`(?<![\\w$.])${name}\\s*[(<]`).test(body)
            : names?.includes(called.owner) === true && new RegExp(`\\.${name}\\s*[(<]`).test(body)
        if (isCalled)
          found.set(
            `${to}:${called.line}`,
            `${code(symbol.name)} calls ${code(called.name)} in ${code(`${to}:${called.line}`)}${called.doc === undefined ? '' : `: ${prose(firstSentence(called.doc))}`}`,
          )
      }
    }
  }
  return [...found.values()].slice(0, 12)
}

/** What several of the chosen symbols call in the files that are shown: words alone do not lead to it. */
function sharedItems(survey: Survey, focus: Focus): string[] {
  const chosen = chooseSymbols(focus)
  const names = new Set(chosen.map(({ symbol }) => symbol.name))
  const callers = new Map<string, Set<string>>()
  for (const { path, symbol } of chosen) {
    const lines = survey.source(path).split(/\r?\n/)
    const body = lines.slice(symbol.line, symbol.end).join('\n')
    for (const [, name = ''] of body.matchAll(/([A-Za-z_$][\w$]{3,})\s*\(/g))
      if (!names.has(name)) callers.set(name, (callers.get(name) ?? new Set()).add(symbol.name))
  }
  const found = [...callers].flatMap(([name, from]) => {
    if (from.size < 2) return []
    // The files stand in the order of the ranking; the first that makes it is meant.
    for (const { file } of focus.files) {
      const made = file.facts.code?.symbols.find(
        (symbol) =>
          symbol.name === name && /^(?:function|method)$/.test(symbol.kind) && symbol.end > symbol.line,
      )
      if (made !== undefined) return [{ path: file.path, made, from: [...from].toSorted() }]
    }
    return []
  })
  return found
    .toSorted((a, b) => b.from.length - a.from.length || (a.made.name < b.made.name ? -1 : 1))
    .slice(0, 6)
    .map(
      ({ path, made, from }) =>
        `${code(made.name)} in ${code(`${path}:${made.line}`)} is called by ${enumeration(from.map(code))}${made.doc === undefined ? '' : `: ${prose(firstSentence(made.doc))}`}`,
    )
}

/** Who stands around the files that matter, and which functions use their key symbols. */
export function usersSection(survey: Survey, focus: Focus): Section {
  const central = focus.files.slice(0, 6).map(({ file }) => file.path)
  const around = new Map<string, number>()
  for (const path of central) {
    const near = [
      ...(survey.graph.dependents.get(path) ?? []),
      ...(survey.graph.out.get(path) ?? []).flatMap(({ to }) => (to === undefined ? [] : [to])),
    ]
    for (const other of near)
      if (survey.byPath.get(other)?.role === 'source' && !central.includes(other))
        around.set(other, (around.get(other) ?? 0) + 1)
  }
  const neighbours = [...around]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, 18)
    .map(([path]) => path)
  const nodes = [...central, ...neighbours].toSorted()
  const shown = new Set(nodes)
  const isCentral = new Set(central)
  const edges = nodes.flatMap((from) =>
    (survey.graph.out.get(from) ?? []).flatMap(({ to, names }) =>
      to !== undefined && shown.has(to) && (isCentral.has(from) || isCentral.has(to))
        ? [{ from, to, weight: 1 + (names?.length ?? 0) }]
        : [],
    ),
  )
  const linked = new Set([...central, ...edges.flatMap(({ from, to }) => [from, to])])
  const left = around.size - neighbours.length
  const items = chooseSymbols(focus)
    .slice(0, 8)
    .flatMap(({ path, symbol }) => {
      const { callers, more } = callersOf(survey, path, symbol, 6)
      if (callers.length === 0) return []
      const places = callers.map(
        ({ path: file, line, within }) =>
          `${within === undefined ? '' : `${code(within)} in `}${code(`${file}:${line}`)}`,
      )
      return [
        `${code(symbol.owner === undefined ? symbol.name : `${symbol.owner}.${symbol.name}`)} is used by ${more > 0 ? `${places.join(', ')} and ${count(more, 'more place')}` : enumeration(places)}`,
      ]
    })
  const called = [...sharedItems(survey, focus), ...calledItems(survey, focus)]
  return {
    title: 'Who uses it',
    body: paragraphs(
      edges.length > 0 && 'An arrow means “uses”; the framed files are those above.',
      edges.length > 0 &&
        flowchart(
          nodes.filter((path) => linked.has(path)).map((path) => nodeOf(path, isCentral.has(path))),
          readable(edges).edges,
        ),
      left > 0 && `${count(left, 'more neighbour')} ${left === 1 ? 'is' : 'are'} not drawn.`,
      edges.length === 0 && 'No module of the repository imports these files, nor do they import another.',
      items.length > 0 && 'By name, which cannot tell two methods of one name apart:',
      list(items),
      called.length > 0 && 'What it rests on in turn:',
      list(called),
    ),
  }
}
