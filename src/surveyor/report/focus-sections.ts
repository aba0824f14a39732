import type { Analysis } from '../analysis.ts'
import { describeFile } from './describe.ts'
import { excerptOf } from './excerpt.ts'
import type { Focus, FocusedFile } from '../focus.ts'
import type { FoundSymbol } from '../search/found.ts'
import { wayOf } from './answer-way.ts'
import { chooseSymbols } from './choose-symbols.ts'
import { firstSentence } from '../languages/doc-comment.ts'
import type { Survey } from '../survey.ts'
import { symbolTable } from './core-modules.ts'
import { code, list, paragraphs, prose, sentence, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { count, enumeration, figure, paths } from './wording.ts'

const quoted = (words: readonly string[]): string => enumeration(words.map((word) => `“${prose(word)}”`))

/** What the words of the mission led to, best first. */
export function foundSection(survey: Survey, focus: Focus): Section {
  const known = focus.terms.filter(({ files }) => files > 0)
  return {
    title: 'What was found',
    body: paragraphs(
      known.length > 0 &&
        `The mission's words ${enumeration(known.map(({ word, files }) => `“${prose(word)}” (${count(files, 'file')})`))} were looked up in paths, symbols, comments and text, in every form of grammar; words of the same root or meaning count less.`,
      focus.namedPaths.length > 0 && `It names ${paths(focus.namedPaths, 8)}.`,
      focus.files.length > 0 &&
        'The files are ranked by how much of that they hold, rare words and names before text.',
      focus.files.length > 0 &&
        table(
          ['File', 'What it does', 'Holds'],
          focus.files.map(({ file, words, named }) => [
            code(file.path),
            describeFile(survey, file.path),
            [...(named ? ['named'] : []), ...words.map((word) => prose(word))].join(', '),
          ]),
        ),
    ),
  }
}

/** The code that answers, in the order in which it calls itself: the symbols that matter with their own lines. */
export function keyCodeSection(survey: Survey, focus: Focus): Section {
  const chosen = wayOf(survey, focus).symbols
  const first = (path: string): number => {
    const at = chosen.findIndex((symbol) => symbol.path === path)
    return at < 0 ? chosen.length : at
  }
  const found = focus.files.filter(
    ({ file, named }, at) => named || at < 6 || chosen.some(({ path }) => path === file.path),
  )
  const called = [...new Set(chosen.map(({ path }) => path))].flatMap((path) => {
    const file = survey.byPath.get(path)
    return file === undefined || found.some((one) => one.file === file) ? [] : [{ file, named: false }]
  })
  const shown = [...found.slice(0, 8), ...called.slice(0, 3)].toSorted(
    (a, b) => Number(b.named) - Number(a.named) || first(a.file.path) - first(b.file.path),
  )
  return {
    title: 'The code that matters',
    body: paragraphs(...shown.map((focused) => fileBlock(survey, focused, chosen))),
  }
}

function fileBlock(
  survey: Survey,
  { file }: Pick<FocusedFile, 'file'>,
  chosen: readonly FoundSymbol[],
): string {
  const own = chosen.filter(({ path }) => path === file.path).map(({ symbol }) => symbol)
  const uses = (survey.graph.out.get(file.path) ?? []).flatMap(({ to }) => (to === undefined ? [] : [to]))
  const users = (survey.graph.dependents.get(file.path) ?? []).filter(
    (path) => survey.byPath.get(path)?.role === 'source',
  )
  const doc = file.facts.code?.doc
  const symbols = own
  const all = file.facts.code?.symbols ?? []
  const others = all.filter(
    ({ exported, owner, name }) =>
      exported &&
      // A method whose type stands in another file is what this file adds to it.
      (owner === undefined || !all.some((other) => other.name === owner)) &&
      !own.some((symbol) => symbol.name === name),
  )
  return paragraphs(
    `### ${code(file.path)}`,
    `${sentence(doc === undefined ? describeFile(survey, file.path) : prose(doc))} ${count(file.facts.lines, 'line')}; ${uses.length === 0 ? 'imports nothing of the repository' : `imports ${paths(uses, 4)}`}; ${users.length === 0 ? 'no module imports it' : `used by ${paths(users, 4)}`}.`,
    ...symbols.map((symbol) =>
      paragraphs(
        symbol.doc !== undefined &&
          symbol.line - symbol.from > 8 &&
          `${code(symbol.name)}: ${prose(firstSentence(symbol.doc, 300))}`,
        excerptOf(survey, file.path, symbol, 34),
      ),
    ),
    symbols.length === 0 && symbolTable(others, 8),
    symbols.length > 0 &&
      others.length > 0 &&
      `Also exported: ${paths(
        others.map(({ name }) => name),
        10,
      )}.`,
  )
}

/** The tests of the files that matter, those that speak of the topic first. */
export function focusTestsSection(analysis: Analysis, focus: Focus): Section {
  const title = 'Where it is tested'
  const items = focus.tests.map(({ file, hits, words }) => {
    const doc = file.facts.code?.doc
    return `${code(file.path)}${words.length > 0 ? ` (${count(hits.length, 'line')} on ${quoted(words)})` : ''}${doc === undefined ? '' : `: ${prose(firstSentence(doc))}`}`
  })
  const listed = new Set(focus.tests.map(({ file }) => file.path))
  const imported = focus.files.slice(0, 6).flatMap(({ file }) => {
    const tests = (analysis.testsOf.get(file.path) ?? []).filter((path) => !listed.has(path))
    return tests.length > 0 ? [`${code(file.path)} is also imported by ${paths(tests, 4)}`] : []
  })
  const alone = focus.files
    .slice(0, 6)
    .filter(({ file }) => file.role === 'source' && !analysis.testsOf.has(file.path))
    .map(({ file }) => file.path)
  const [indirect, none] = [
    alone.filter((path) => analysis.reachedIndirectly.has(path)),
    alone.filter((path) => !analysis.reachedIndirectly.has(path)),
  ]
  if (indirect.length > 0) imported.push(`Only through other modules do tests reach ${paths(indirect, 6)}`)
  if (none.length > 0) imported.push(`No test imports ${paths(none, 6)}, directly or through other modules`)
  return {
    title,
    body:
      items.length + imported.length === 0
        ? 'No test speaks of it, and no test imports these files.'
        : list([...items, ...imported]),
  }
}

/** Documents that speak of the topic, with the headings that do. */
export function focusDocumentsSection(focus: Focus): Section {
  const items = focus.documents.map(({ file, words, hits }) => {
    const about = (file.facts.headings ?? [])
      .slice(1)
      .filter((heading) =>
        words.some((word) =>
          heading.toLowerCase().includes(word.toLowerCase().slice(0, Math.max(4, word.length - 2))),
        ),
      )
      .slice(0, 4)
    return `${code(file.path)}${hits.length > 0 ? ` (${count(hits.length, 'line')}, from ${code(`${file.path}:${hits[0] ?? 1}`)})` : ''}${about.length > 0 ? `: ${enumeration(about.map((heading) => `“${prose(heading)}”`))}` : ''}`
  })
  return { title: 'Documents that speak of it', body: list(items) }
}

/** What the commits say of the files that matter. */
export function focusHistorySection(survey: Survey, focus: Focus): Section {
  const rows = focus.files.slice(0, 8).flatMap(({ file }) => {
    const past = survey.history?.files[file.path]
    return past === undefined
      ? []
      : [
          [
            code(file.path),
            figure(past.commits),
            figure(past.authors),
            past.last,
            past.subjects
              .slice(0, 2)
              .map((subject) => prose(subject))
              .join('; '),
          ],
        ]
  })
  return {
    title: 'History of these files',
    body:
      rows.length === 0 ? '' : table(['File', 'Commits', 'Authors', 'Last change', 'Latest commits'], rows),
  }
}

/** Steps for a reader of a focused report. */
export function focusNextSteps(analysis: Analysis, focus: Focus): Section {
  const first = focus.files.slice(0, 3).map(({ file }) => code(file.path))
  const steps =
    first.length > 0 ? [`Read ${enumeration(first)}${first.length > 1 ? ', in this order' : ''}`] : []
  const symbol = chooseSymbols(focus)[0]
  if (symbol !== undefined)
    steps.push(
      `Start at ${code(symbol.symbol.name)} in ${code(`${symbol.path}:${symbol.symbol.line}`)} and follow its callers`,
    )
  const bare = focus.files
    .slice(0, 6)
    .filter(
      ({ file }) =>
        file.role === 'source' &&
        !analysis.testsOf.has(file.path) &&
        !analysis.reachedIndirectly.has(file.path),
    )
  if (bare.length > 0)
    steps.push(
      `Write a test for ${paths(
        bare.map(({ file }) => file.path),
        3,
      )}: no test reaches ${bare.length === 1 ? 'it' : 'them'}`,
    )
  else if (focus.tests[0] !== undefined)
    steps.push(`Read ${code(focus.tests[0].file.path)}: it shows how this is meant to behave`)
  const central = new Set(focus.files.map(({ file }) => file.path))
  const cycle = analysis.cycles.find(({ way }) => way.some((path) => central.has(path)))
  if (cycle !== undefined)
    steps.push(`Mind the import cycle ${cycle.way.map(code).join(' → ')} before moving any of this`)
  const spot = analysis.hotSpots.slice(0, 10).find(({ file }) => central.has(file.path))
  if (spot !== undefined)
    steps.push(
      `Expect change in ${code(spot.file.path)}: ${count(spot.history.commits, 'commit')} make it one of the most changed files`,
    )
  const unknown = focus.terms.filter(({ files }) => files === 0)
  if (unknown.length > 0)
    steps.push(
      `Ask again with the project's own word for ${quoted(unknown.map(({ word }) => word))}: it stands nowhere in the repository`,
    )
  const document = focus.documents[0]
  if (document !== undefined && first.length === 0)
    steps.push(
      `Read ${code(document.file.path)}${(document.hits[0] ?? 1) > 1 ? ` from line ${figure(document.hits[0] ?? 1)}` : ''}: it speaks most of the topic`,
    )
  else if (document !== undefined)
    steps.push(`Check ${code(document.file.path)} against the code above: it speaks of the same thing`)
  return { title: 'Next steps', body: list(steps) }
}
