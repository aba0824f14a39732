import type { Analysis } from '../analysis.ts'
import { checkDocuments } from '../documents/check-documents.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import { dependencyRows } from './dependencies.ts'
import { code, list } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { wayOf } from './structure-sections.ts'
import { isNamedPackage, unusedModules, withoutNamedInTests } from './unused-modules.ts'
import { count, enumeration, figure, paths } from './wording.ts'

/** What a reader can do next, each step drawn from something that was found, with what it brings. */
export function nextStepsSection(survey: Survey, analysis: Analysis): Section {
  const steps = [
    readingStep(analysis),
    documentStep(survey),
    ...cycleSteps(analysis),
    folderStep(analysis),
    testStep(survey, analysis),
    splitStep(survey, analysis),
    knowledgeStep(survey, analysis),
    unusedStep(survey, analysis),
    dependencyStep(survey),
    [...survey.files, ...survey.leftOut].some(({ path }) =>
      /^(\.github\/|docs\/)?readme(\.\w+)?$/i.test(path),
    )
      ? undefined
      : 'Write a README: the repository has none, so nothing in it says what it is for',
    survey.head === undefined ? 'Commit the work: there is no history to learn from yet' : undefined,
  ].filter((step) => step !== undefined)
  if (steps.length === 0)
    steps.push(survey.files.length === 0 ? 'Add files: the repository is empty' : nextDocuments(survey))
  return { title: 'Next steps', body: list(steps) }
}

function readingStep({ core }: Analysis): string | undefined {
  const first = core
    .slice(0, 3)
    .map(
      ({ file, bySources, uses }) =>
        `${code(file.path)} (used by ${figure(bySources.length)}, uses ${figure(uses.length)})`,
    )
  return first.length === 0
    ? undefined
    : `Read ${enumeration(first)} first: much of the rest comes together there`
}

function documentStep(survey: Survey): string | undefined {
  const stale = checkDocuments(survey)
  const documents = [...new Set(stale.map(({ document }) => document))]
  return stale.length === 0
    ? undefined
    : `Correct ${paths(documents, 3)}: ${count(stale.length, 'path, link or name', 'paths, links and names')} in ${documents.length === 1 ? 'it' : 'them'} lead${stale.length === 1 ? 's' : ''} a reader to what is not there`
}

/** Two neighbours that know each other are one thing in two files; more, or across folders, are a knot. */
function cycleSteps({ cycles }: Analysis): string[] {
  const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/')
  return cycles
    .filter(({ members }) => members.length > 2 || new Set(members.map(folderOf)).size > 1)
    .slice(0, 2)
    .map(
      ({ members, way }) =>
        `Break the cycle ${wayOf(way)}: move what both sides need into a module that imports neither; the circle holds ${count(members.length, 'module')}`,
    )
}

/** Few imports against many: the direction is clear, and little is to turn. */
const FEW_IMPORTS = 5
const MANY_TIMES = 4

function folderStep({ mutualFolders }: Analysis): string | undefined {
  const ends = mutualFolders.map(([there, back]) =>
    there.imports <= back.imports ? { weak: there, strong: back } : { weak: back, strong: there },
  )
  const clear = ends.find(
    ({ weak, strong }) => weak.imports <= FEW_IMPORTS && weak.imports * MANY_TIMES <= strong.imports,
  )
  if (clear === undefined) return undefined
  const { weak, strong } = clear
  return `Turn the ${weak.imports === 1 ? 'one import' : `${figure(weak.imports)} imports`} from ${code(weak.from)} to ${code(weak.to)}, against ${figure(strong.imports)} the other way: then ${code(weak.from)} can be read and changed without ${code(weak.to)}`
}

/** Less often, or less to go wrong, and a test may not pay. */
const OFTEN = 5
const LONG_ENOUGH = 100

/** Languages in which code is reached by names that no import tells, or by linking. */
const REACHED_BY_NAME = new Set(['cpp', 'csharp', 'ruby', 'php'])

/** What is shown, measured or declared is not what tests are written for. */
const NOT_TESTED =
  /(?:^|\/)(?:www|website|site|docs?|public|static|assets|scripts?|tools?|bin|metrics|bench\w*|types|\.[^/]+)\/|bench\w*\.\w+$|\.d\.[cm]?ts$/i

function testStep(survey: Survey, analysis: Analysis): string | undefined {
  const { tests, sources, testsOf, ranking } = analysis
  if (tests.length === 0 && sources.length > 0 && testsOf.size === 0) {
    const widest = ranking.find(({ file }) => !/\.d\.[cm]?ts$/.test(file.path))
    return `Add tests: there are none yet${widest === undefined || widest.bySources.length < 2 ? '' : `, and a mistake in ${code(widest.file.path)} would reach ${count(widest.bySources.length, 'module')} at once`}`
  }
  const worth = tests.length === 0 ? [] : untestedWorthIt(survey, analysis)
  return worth.length === 0
    ? undefined
    : `Write a first test for ${enumeration(worth.map(({ file, history }) => `${code(file.path)} (${count(history.commits, 'commit')})`))}: no test imports ${worth.length === 1 ? 'it' : 'them'}, even through others; a test would show what the next one breaks`
}

/** Code that is changed often, long enough to hold mistakes, and no part of a program that a test may start. */
function untestedWorthIt(survey: Survey, { untested, hotSpots, tests }: Analysis): Analysis['hotSpots'] {
  const { graph, byPath } = survey
  const bare = new Set(untested.map(({ path }) => path))
  const isStarted = (path: string): boolean => byPath.get(path)?.facts.code?.entry !== undefined
  const worth = hotSpots
    .filter(
      ({ file, history }) =>
        bare.has(file.path) &&
        history.commits >= OFTEN &&
        file.facts.lines >= LONG_ENOUGH &&
        file.facts.code?.symbols.some(({ kind }) => /^(?:function|method|class)$/.test(kind)) === true &&
        !REACHED_BY_NAME.has(file.language?.id ?? '') &&
        !NOT_TESTED.test(file.path) &&
        !isStarted(file.path) &&
        !(graph.dependents.get(file.path) ?? []).some(isStarted),
    )
    .slice(0, 6)
  return withoutNamedInTests(survey, worth, tests).slice(0, 3)
}

const HUGE = 1_000
const MANY_SYMBOLS = 20

/** Length alone is no fault: a file is worth splitting that holds many things, and that people keep changing. */
function splitStep({ history }: Survey, { sources, hotSpots }: Analysis): string | undefined {
  const lengths = sources.map(({ facts }) => facts.lines).toSorted((a, b) => a - b)
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0
  const symbolsIn = (file: SurveyedFile): number =>
    file.facts.code?.symbols.filter(({ owner }) => owner === undefined).length ?? 0
  const often = new Set(hotSpots.slice(0, Math.max(10, sources.length / 20)).map(({ file }) => file.path))
  const huge = sources
    .filter(
      (file) =>
        file.facts.lines > Math.max(HUGE, 5 * median) &&
        symbolsIn(file) >= MANY_SYMBOLS &&
        (history === undefined || often.has(file.path)),
    )
    .toSorted((a, b) => b.facts.lines - a.facts.lines || (a.path < b.path ? -1 : 1))
    .slice(0, 3)
  const named = huge.map(
    (file) =>
      `${code(file.path)} (${figure(file.facts.lines)} lines, ${count(symbolsIn(file), 'top-level symbol')}${history?.files[file.path] === undefined ? '' : `, ${count(history.files[file.path]?.commits ?? 0, 'commit')}`})`,
  )
  return huge.length === 0
    ? undefined
    : `Split ${enumeration(named)} by what changes together: half of the modules have ${count(median, 'line')} or fewer, and each change here is made among far more`
}

/** So many commits by one person alone are knowledge that nobody else has. */
const MUCH_WORK = 10

function knowledgeStep({ history }: Survey, { hotSpots }: Analysis): string | undefined {
  const alone = hotSpots
    .slice(0, 10)
    .filter(
      ({ history: past, file }) =>
        past.authors === 1 &&
        past.commits >= MUCH_WORK &&
        file.facts.lines >= LONG_ENOUGH &&
        !NOT_TESTED.test(file.path),
    )
  return alone.length === 0 || (history?.authors ?? 0) < 3 || history?.shallow === true
    ? undefined
    : `Have a second person work on ${paths(
        alone.map(({ file }) => file.path),
        3,
      )}: a single author made every change, so without that one nobody knows ${alone.length === 1 ? 'it' : 'them'}`
}

function unusedStep(survey: Survey, analysis: Analysis): string | undefined {
  const unused = unusedModules(survey, analysis)
  const lines = unused.reduce((sum, path) => sum + (survey.byPath.get(path)?.facts.lines ?? 0), 0)
  return unused.length === 0
    ? undefined
    : `Check whether ${paths(unused, 4)} ${unused.length === 1 ? 'is' : 'are'} still needed: no code imports ${unused.length === 1 ? 'it' : 'them'}, and no manifest, build file or configuration names ${unused.length === 1 ? 'it' : 'them'}; without ${unused.length === 1 ? 'it' : 'them'} there are ${count(lines, 'line')} less to read`
}

const MOST_QUIET = 8

function dependencyStep(survey: Survey): string | undefined {
  const quiet = dependencyRows(survey).filter(
    ({ name, development, usedBy, declaredIn }) =>
      !development &&
      // Types are for the compiler; their package is used where the one they describe is.
      !name.startsWith('@types/') &&
      name !== 'typescript' &&
      usedBy.length === 0 &&
      declaredIn.some((path) => /package\.json$|Cargo\.toml$|go\.mod$/.test(path)),
  )
  // So many are a matter of how the project is built; and only few are worth a search.
  if (quiet.length > MOST_QUIET) return undefined
  const unused = quiet.filter(({ name, declaredIn }) => !isNamedPackage(survey, name, declaredIn))
  return unused.length === 0
    ? undefined
    : `Check whether ${paths(
        unused.map(({ name }) => name),
        MOST_QUIET,
      )} ${unused.length === 1 ? 'is' : 'are'} still needed: declared for use, but named by no file but ${unused.length === 1 ? 'its' : 'their'} manifest; each package less is one less to install and to keep up to date`
}

/** Where to begin when there is no code: the README or the first document, then the longest. */
function nextDocuments(survey: Survey): string {
  const documents = survey.files.filter(({ facts }) => facts.title !== undefined)
  const first =
    documents.find(({ path }) => /^readme(\.\w+)?$/i.test(path)) ?? documents[0] ?? survey.files[0]
  const longest = documents
    .filter(({ path }) => path !== first?.path)
    .toSorted((a, b) => b.facts.lines - a.facts.lines || (a.path < b.path ? -1 : 1))[0]
  return `Read ${code(first?.path ?? '')}${longest === undefined ? '' : `, then ${code(longest.path)}, the longest of the other documents`}`
}
