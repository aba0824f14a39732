import { publicSymbols } from '../analysis.ts'
import type { Analysis } from '../analysis.ts'
import type { Ranked } from '../core.ts'
import { describeFile } from './describe.ts'
import { excerptOf } from './excerpt.ts'
import type { SymbolFact } from '../facts.ts'
import { firstSentence } from '../languages/doc-comment.ts'
import type { Survey } from '../survey.ts'
import { code, paragraphs, prose, sentence, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { count, figure, paths } from './wording.ts'

/** The modules that explain the project, with what they offer and a look at their code. */
export function coreModulesSection(survey: Survey, analysis: Analysis, room = 1): Section {
  const ranked = analysis.core
  const shown = ranked.slice(0, 6 * room)
  const rest = ranked.slice(shown.length, shown.length + 10)
  return {
    title: 'Core modules',
    body: paragraphs(
      shown.length > 0 &&
        'The modules that explain most of the project: what is depended on, what puts others together, entry points and size all count; errors, constants, types and small leaves count less.' +
          limitsOf(analysis),
      ...shown.map((item, at) => moduleBlock(survey, item, at < 4 * room)),
      rest.length > 0 &&
        table(
          ['Next in line', 'What it does', 'Used by modules', 'Used by tests'],
          rest.map(({ file, bySources, byTests }) => [
            code(file.path),
            describeFile(survey, file.path),
            figure(bySources.length),
            figure(byTests.length),
          ]),
        ),
    ),
  }
}

/** How each language marks what is not to be used any more. */
const DEPRECATED = /@deprecated|#\[deprecated|\bDeprecated:|\[Obsolete|\.\. deprecated::/i

/** What a number of uses leaves out or joins, by the languages that the project is written in. */
const LIMITS: Record<string, string> = {
  go: ' In Go a use is one of a name of the package, or of a method whose name one file of the package has.',
  csharp: ' In C# the parts of a type are used alike.',
  ruby: ' In Ruby a use is one by `require`, or of a constant by its whole name or within its own modules; what a mixin makes visible is not seen.',
  cpp: ' A C or C++ file is used through its header, where its uses are counted.',
}

/** Of a language in which hardly anything is written, nothing is said. */
const SPOKEN = 0.1

const limitsOf = ({ sources }: Analysis): string =>
  Object.entries(LIMITS)
    .filter(([id]) => sources.filter(({ language }) => language?.id === id).length > sources.length * SPOKEN)
    .map(([, limit]) => limit)
    .join('')

function moduleBlock(survey: Survey, { file, bySources, byTests, uses }: Ranked, withCode: boolean): string {
  const symbols = publicSymbols(survey, file.path)
  const use = `Used by ${count(bySources.length, 'module')}${bySources.length > 0 ? ` (${paths(bySources, 3)})` : ''} and ${count(byTests.length, 'test file')}, uses ${count(uses.length, 'module')}; ${count(file.facts.lines, 'line')}.`
  const lines = withCode ? survey.source(file.path).split('\n') : []
  const isCurrent = ({ from, line, end }: SymbolFact): boolean =>
    !lines.slice(from - 1, Math.min(line + 2, end)).some((text) => DEPRECATED.test(text))
  const example = withCode
    ? chooseExample(symbols.filter(isCurrent), (file.facts.code?.symbols ?? []).filter(isCurrent))
    : undefined
  return paragraphs(
    `### ${code(file.path)}`,
    `${sentence(describeFile(survey, file.path))} ${use}`,
    symbolTable(symbols, 8),
    example !== undefined && excerptOf(survey, file.path, example, 16),
  )
}

/** Symbols as a table of at most `limit` rows. */
export function symbolTable(symbols: readonly SymbolFact[], limit: number): string {
  if (symbols.length === 0) return ''
  const shown = symbols.slice(0, limit)
  const documented = shown.some(({ doc }) => doc !== undefined)
  const rows = shown.map(({ name, owner, kind, line, doc }) => {
    const row = [
      code(owner === undefined || name.includes('::') ? name : `${owner}.${name}`),
      kind,
      String(line),
    ]
    return documented ? [...row, doc === undefined ? '' : prose(firstSentence(doc))] : row
  })
  const rest = symbols.length - shown.length
  return paragraphs(
    table(['Symbol', 'Kind', 'Line', ...(documented ? ['What its comment says'] : [])], rows),
    rest > 0 && `And ${figure(rest)} more.`,
  )
}

/** The most used symbol that is worth reading: more than one line, and documented where there is a choice. */
function chooseExample(
  symbols: readonly (SymbolFact & { uses: number })[],
  all: readonly SymbolFact[],
): SymbolFact | undefined {
  const readable = symbols.filter(({ line, end }) => end - line >= 2).slice(0, 6)
  const most = readable[0]
  if (most === undefined || most.end - most.line < 60)
    return readable.find(({ doc, uses }) => doc !== undefined && uses >= (most?.uses ?? 0) / 2) ?? most
  // The head of a long class is all comment: one of its methods shows more.
  const methods = all.filter(
    ({ owner, exported, line, end, name }) =>
      owner === most.name && exported && end - line >= 3 && end - line <= 24 && !name.startsWith('__'),
  )
  return methods.find(({ doc }) => doc !== undefined) ?? methods[0] ?? most
}
