import type { Analysis } from '../analysis.ts'
import type { Survey } from '../survey.ts'
import { dependencyRows } from './dependencies.ts'
import { code, list } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { wayOf } from './structure-sections.ts'
import { count, enumeration, figure, paths } from './wording.ts'

const HUGE = 800

/** What a reader can do next, each step drawn from something that was found. */
export function nextStepsSection(survey: Survey, analysis: Analysis): Section {
  const steps: string[] = []
  const first = analysis.core
    .slice(0, 3)
    .map(
      ({ file, bySources, uses }) =>
        `${code(file.path)} (used by ${figure(bySources.length)}, uses ${figure(uses.length)})`,
    )
  if (first.length > 0) steps.push(`Read ${enumeration(first)} first: much of the rest comes together there`)
  for (const { members, way } of analysis.cycles.slice(0, 2))
    steps.push(
      `Break the cycle ${wayOf(way)}${members.length + 1 > way.length ? `, which ties ${figure(members.length)} modules together` : ''}: move what both sides need into a module that imports neither`,
    )
  for (const [there, back] of analysis.mutualFolders.slice(0, 1)) {
    const weak = there.imports <= back.imports ? there : back
    steps.push(
      `Decide which of ${code(there.from)} and ${code(there.to)} stands below the other; ${weak.imports === 1 ? 'the one import' : `the ${figure(weak.imports)} imports`} from ${code(weak.from)} to ${code(weak.to)} ${weak.imports === 1 ? 'is' : 'are'} the smaller part to turn`,
    )
  }
  const untested = new Set(analysis.untested.map(({ path }) => path))
  const bare = analysis.hotSpots.filter(({ file }) => untested.has(file.path)).slice(0, 3)
  if (analysis.tests.length > 0 && bare.length > 0)
    steps.push(
      `Write a first test for ${enumeration(bare.map(({ file, history }) => `${code(file.path)} (${count(history.commits, 'commit')})`))}: often changed, and reached by no test`,
    )
  const widest = analysis.ranking.find(({ file }) => !/\.d\.[cm]?ts$/.test(file.path))
  if (analysis.tests.length === 0 && analysis.sources.length > 0 && analysis.testsOf.size === 0)
    steps.push(
      `Add tests: there are none yet${widest === undefined || widest.bySources.length < 2 ? '' : `, and a mistake in ${code(widest.file.path)} would reach ${count(widest.bySources.length, 'module')} at once`}`,
    )
  const huge = analysis.sources
    .filter((file) => file.facts.lines > HUGE)
    .toSorted((a, b) => b.facts.lines - a.facts.lines || (a.path < b.path ? -1 : 1))
    .slice(0, 3)
  if (huge.length > 0)
    steps.push(
      `See whether ${huge.length === 1 ? 'this file holds' : 'these files hold'} more than one thing and can be split: ${enumeration(huge.map((file) => `${code(file.path)} (${figure(file.facts.lines)} lines, ${count(file.facts.code?.symbols.filter(({ owner }) => owner === undefined).length ?? 0, 'top-level symbol')})`))}`,
    )
  const alone = analysis.hotSpots
    .slice(0, 10)
    .filter(({ history }) => history.authors === 1 && history.commits >= 5)
  if (alone.length > 0 && (survey.history?.authors ?? 0) > 2)
    steps.push(
      `Share the knowledge of ${paths(
        alone.map(({ file }) => file.path),
        3,
      )}: a single author made every change`,
    )
  const orphans = orphansOf(survey, analysis)
  if (orphans.length > 0)
    steps.push(
      `Check whether ${paths(orphans, 4)} ${orphans.length === 1 ? 'is' : 'are'} still needed: nothing in the repository imports ${orphans.length === 1 ? 'it' : 'them'}, and no manifest names ${orphans.length === 1 ? 'it' : 'them'}`,
    )
  const rows = dependencyRows(survey)
  const quiet = rows.filter(
    ({ name, development, usedBy, declaredIn }) =>
      !development &&
      // Types are for the compiler; their package is used where the one they describe is.
      !name.startsWith('@types/') &&
      name !== 'typescript' &&
      usedBy.length === 0 &&
      declaredIn.some((path) => /package\.json$|Cargo\.toml$|go\.mod$/.test(path)),
  )
  if (quiet.length > 0 && quiet.length <= 8)
    steps.push(
      `Check whether ${paths(
        quiet.map(({ name }) => name),
        8,
      )} ${quiet.length === 1 ? 'is' : 'are'} still needed: declared, but imported nowhere`,
    )
  if (!survey.files.some(({ path }) => /^(\.github\/|docs\/)?readme(\.\w+)?$/i.test(path)))
    steps.push('Write a README: the repository has none, so nothing in it says what it is for')
  if (survey.head === undefined) steps.push('Commit the work: there is no history to learn from yet')
  if (steps.length === 0)
    steps.push(survey.files.length === 0 ? 'Add files: the repository is empty' : documentSteps(survey))
  return { title: 'Next steps', body: list(steps) }
}

/** Where to begin when there is no code: the README or the first document, then the longest. */
function documentSteps(survey: Survey): string {
  const documents = survey.files.filter(({ facts }) => facts.title !== undefined)
  const first =
    documents.find(({ path }) => /^readme(\.\w+)?$/i.test(path)) ?? documents[0] ?? survey.files[0]
  const longest = documents
    .filter(({ path }) => path !== first?.path)
    .toSorted((a, b) => b.facts.lines - a.facts.lines || (a.path < b.path ? -1 : 1))[0]
  return `Read ${code(first?.path ?? '')}${longest === undefined ? '' : `, then ${code(longest.path)}, the longest of the other documents`}`
}

/** Modules that nothing imports and nothing starts, in languages where that is unusual. */
function orphansOf(survey: Survey, analysis: Analysis): string[] {
  const named = survey.manifests.map(({ path }) => survey.source(path)).join('\n')
  return analysis.sources
    .filter(({ path, language, facts }) => {
      // A Python package without a manifest is a library: its modules wait for others to import them.
      if (language?.id === 'python' && survey.manifests.length === 0) return false
      if (!['typescript', 'javascript', 'python'].includes(language?.id ?? '') || !path.includes('/'))
        return false
      const stem = (path.split('/').at(-1) ?? '').replace(/\.[^.]+$/, '')
      // Tools find configuration, scripts and plugins by name; an index is a public entry.
      if (
        /^(index|main|__init__|__main__|cli|setup|manage|wsgi|asgi|app|server)$|[._-](config|setup|d)$|config/.test(
          stem,
        ) ||
        /(^|\/)(\.[^/]+|bin|scripts?|tools?|pages|app|routes|migrations|plugins|public|docs?|website|site)\//.test(
          path,
        )
      )
        return false
      const quiet = (survey.graph.dependents.get(path)?.length ?? 0) === 0 && facts.code?.entry === undefined
      return (
        quiet &&
        !named.includes(`/${stem}`) &&
        !named.includes(`${stem}.`) &&
        (facts.code?.symbols.some(({ exported }) => exported) ?? false)
      )
    })
    .map(({ path }) => path)
}
