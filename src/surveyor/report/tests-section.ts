import type { Analysis } from '../analysis.ts'
import type { Survey } from '../survey.ts'
import { code, list, paragraphs, table } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { count, figure, paths, percent } from './wording.ts'

/** Which tests stand beside which code. What they check is not measured: nothing is run. */
export function testsSection(survey: Survey, analysis: Analysis, room = 1): Section {
  const title = 'Tests'
  const { sources, tests, testsOf, reachedIndirectly, untested } = analysis
  if (sources.length === 0) return { title, body: '' }
  if (tests.length === 0 && testsOf.size === 0)
    return { title, body: `No test file was found beside ${count(sources.length, 'source module')}.` }
  const sum = (files: readonly { facts: { lines: number } }[]): number =>
    files.reduce((total, file) => total + file.facts.lines, 0)
  const direct = sources.filter(({ path }) => testsOf.has(path))
  const filesOf = (path: string): string[] => testsOf.get(path)?.filter((test) => test !== path) ?? []
  const most = direct
    .filter(({ path }) => filesOf(path).length > 0)
    .toSorted((a, b) => filesOf(b.path).length - filesOf(a.path).length || (a.path < b.path ? -1 : 1))
  const gaps = untested.toSorted(
    (a, b) =>
      (survey.history?.files[b.path]?.commits ?? 0) - (survey.history?.files[a.path]?.commits ?? 0) ||
      b.facts.lines - a.facts.lines ||
      (a.path < b.path ? -1 : 1),
  )
  const indirect = [...reachedIndirectly].filter((path) => survey.byPath.get(path)?.role === 'source').length
  const inline = sources.filter((file) => file.facts.code?.inlineTests === true).length
  const folders = new Map<string, number>()
  for (const { path } of tests)
    folders.set(
      path.split('/').slice(0, -1).join('/') || '.',
      (folders.get(path.split('/').slice(0, -1).join('/') || '.') ?? 0) + 1,
    )
  const where = [...folders].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return {
    title,
    body: paragraphs(
      `${count(tests.length, 'test file')} with ${count(sum(tests), 'line')} stand beside ${count(sources.length, 'source module')} with ${figure(sum(sources))}: ${(sum(tests) / Math.max(1, sum(sources))).toFixed(2)} lines of test for each line of source.${inline > 0 ? ` ${count(inline, 'module')} ${inline === 1 ? 'carries' : 'carry'} tests inside.` : ''} Nothing was run; this is what imports and calls say.`,
      tests.length > 0 &&
        `They stand in ${where
          .slice(0, 5)
          .map(([folder, files]) => `${code(folder)} (${figure(files)})`)
          .join(', ')}${where.length > 5 ? ` and ${count(where.length - 5, 'more folder')}` : ''}.`,
      list([
        `${count(direct.length, 'module')} (${percent(direct.length, sources.length)}) ${direct.length === 1 ? 'is' : 'are'} imported by a test, called by one of ${direct.length === 1 ? 'its name, or holds tests itself' : 'their name, or hold tests themselves'}`,
        `${figure(indirect)} ${indirect === 1 ? 'is' : 'are'} reached only through other modules`,
        `${figure(untested.length)} with symbols of ${untested.length === 1 ? 'its own is' : 'their own are'} imported by no test, even through others; a test that starts a program is not seen, nor is code that is reached by a computed name, by configuration or by linking`,
      ]),
      most.length > 0 &&
        table(
          ['Most tested module', 'Test files', 'Such as'],
          most
            .slice(0, 6 * room)
            .map(({ path }) => [code(path), figure(filesOf(path).length), paths(filesOf(path), 2)]),
        ),
      gaps.length > 0 &&
        `Imported by no test, even through others, the most changed first: ${paths(
          gaps.map(({ path }) => path),
          12 * room,
        )}.`,
    ),
  }
}
