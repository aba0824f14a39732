import { rankCore } from './core.ts'
import type { Ranked } from './core.ts'
import type { SymbolFact } from './facts.ts'
import { findCycles, folderOf, shortestCycle } from './graph.ts'
import { findHotSpots } from './hot-spots.ts'
import type { Survey } from './survey.ts'
import { isSourceCode } from './surveyed-file.ts'
import type { SurveyedFile } from './surveyed-file.ts'

interface Cycle {
  members: string[]
  /** A shortest way round, its start repeated at the end. */
  way: string[]
}

interface FolderLink {
  from: string
  to: string
  imports: number
}

/** What follows from a survey: the questions that sections, findings and next steps all ask. */
export interface Analysis {
  /** Code of the project itself, and of its tests. */
  sources: SurveyedFile[]
  tests: SurveyedFile[]
  /** Sources that something depends on, the most depended-on first. */
  ranking: Ranked[]
  /** The modules that explain the project, those to read first before the others. */
  core: Ranked[]
  cycles: Cycle[]
  /** Imports that cross folders, strongest first, and pairs of folders that import each other. */
  folderLinks: FolderLink[]
  mutualFolders: [FolderLink, FolderLink][]
  /** Pairs of which one folder stands in the other, the outer one first. */
  nestedFolders: [FolderLink, FolderLink][]
  /** Three folders and more that reach each other, pairs of a folder and one within it left aside. */
  folderCircles: Cycle[]
  /** Change × size, highest first. */
  hotSpots: ReturnType<typeof findHotSpots>
  /** Tests that import a source or are named for it; sources reached only through others; the rest. */
  testsOf: ReadonlyMap<string, readonly string[]>
  reachedIndirectly: ReadonlySet<string>
  untested: SurveyedFile[]
}

/** Languages whose compiler forbids cycles between units, or in which a cycle within one means nothing. */
const CYCLES_MEAN_NOTHING = new Set(['go', 'rust', 'csharp'])

/** Whether a circle of imports through a file would mean something. */
export const canBeInCycle = ({ language }: SurveyedFile): boolean =>
  !CYCLES_MEAN_NOTHING.has(language?.id ?? '')

const analyses = new WeakMap<Survey, Analysis>()

/** Each survey is analysed once, however many ask. */
export function analyse(survey: Survey): Analysis {
  const analysis = analyses.get(survey) ?? analyseAnew(survey)
  analyses.set(survey, analysis)
  return analysis
}

function analyseAnew(survey: Survey): Analysis {
  const sources = survey.files.filter(isSourceCode)
  const tests = survey.files.filter((file) => file.role === 'test')
  const isSource = new Set(sources.map((file) => file.path))
  const covered = coverage(survey, sources, tests)
  const modules = sources.map((file): Ranked => {
    const dependents = survey.graph.dependents.get(file.path) ?? []
    return {
      file,
      bySources: dependents.filter((path) => isSource.has(path)),
      byTests:
        covered.testsOf
          .get(file.path)
          ?.filter((path) => path !== file.path)
          .toSorted() ?? [],
      uses: (survey.graph.out.get(file.path) ?? []).flatMap(({ to }) =>
        to !== undefined && isSource.has(to) ? [to] : [],
      ),
    }
  })
  const ranking = modules
    .filter(({ bySources, byTests }) => bySources.length + byTests.length > 0)
    .toSorted(
      (a, b) =>
        b.bySources.length - a.bySources.length ||
        b.byTests.length - a.byTests.length ||
        (a.file.path < b.file.path ? -1 : 1),
    )

  const loads = (path: string): string[] =>
    (survey.graph.out.get(path) ?? []).flatMap(({ to, mode }) =>
      to !== undefined && mode === 'load' && isSource.has(to) ? [to] : [],
    )
  const cyclic = sources
    .filter((file) => !CYCLES_MEAN_NOTHING.has(file.language?.id ?? ''))
    .map((file) => file.path)
  const cycles = findCycles(cyclic, loads).map((members) => ({ members, way: shortestCycle(members, loads) }))

  const folderLinks = linkFolders(survey, isSource)
  return {
    sources,
    tests,
    ranking,
    core: rankCore(survey, modules),
    cycles,
    folderLinks,
    ...circlesOfFolders(folderLinks),
    hotSpots: findHotSpots(survey.history, sources),
    ...covered,
  }
}

function circlesOfFolders(
  links: readonly FolderLink[],
): Pick<Analysis, 'mutualFolders' | 'nestedFolders' | 'folderCircles'> {
  const back = new Map(links.map((link) => [`${link.from}\0${link.to}`, link]))
  const pairs = links.flatMap((link): [FolderLink, FolderLink][] => {
    const other = back.get(`${link.to}\0${link.from}`)
    const isFirst = isNested(link) ? isWithin(link.to, link.from) : link.from < link.to
    return other !== undefined && isFirst ? [[link, other]] : []
  })
  const next = new Map<string, string[]>()
  for (const link of links)
    if (!isNested(link)) next.set(link.from, [...(next.get(link.from) ?? []), link.to])
  const follow = (folder: string): string[] => next.get(folder) ?? []
  return {
    mutualFolders: pairs.filter(([link]) => !isNested(link)),
    nestedFolders: pairs.filter(([link]) => isNested(link)),
    folderCircles: findCycles([...next.keys()].toSorted(), follow)
      .filter((members) => members.length > 2)
      .map((members) => ({ members, way: shortestCycle(members, follow) })),
  }
}

const isNested = ({ from, to }: FolderLink): boolean => isWithin(from, to) || isWithin(to, from)

const isWithin = (inner: string, outer: string): boolean => outer === '.' || inner.startsWith(`${outer}/`)

function linkFolders(survey: Survey, isSource: ReadonlySet<string>): FolderLink[] {
  const found = new Map<string, FolderLink>()
  for (const [path, links] of survey.graph.out) {
    if (!isSource.has(path)) continue
    for (const { to, mode } of links) {
      if (to === undefined || mode === 'type' || !isSource.has(to) || folderOf(path) === folderOf(to))
        continue
      const key = `${folderOf(path)}\0${folderOf(to)}`
      const link = found.get(key) ?? { from: folderOf(path), to: folderOf(to), imports: 0 }
      link.imports++
      found.set(key, link)
    }
  }
  return [...found.values()].toSorted(
    (a, b) => b.imports - a.imports || (`${a.from}\0${a.to}` < `${b.from}\0${b.to}` ? -1 : 1),
  )
}

function coverage(
  survey: Survey,
  sources: SurveyedFile[],
  tests: SurveyedFile[],
): Pick<Analysis, 'testsOf' | 'reachedIndirectly' | 'untested'> {
  const testsOf = new Map<string, string[]>()
  const add = (path: string, test: string): void => {
    const known = testsOf.get(path)
    if (known === undefined) testsOf.set(path, [test])
    else if (!known.includes(test)) known.push(test)
  }
  const bySubject = new Map<string, string[]>()
  for (const { path } of sources)
    bySubject.set(subjectOf(path), [...(bySubject.get(subjectOf(path)) ?? []), path])
  for (const { path } of tests) {
    for (const { to } of survey.graph.out.get(path) ?? [])
      if (to !== undefined && survey.byPath.get(to)?.role === 'source') add(to, path)
    // a test may reach its subject without importing it; its name says which one it may be, and that it calls it
    const [named, ...more] = bySubject.get(subjectOf(path)) ?? []
    if (named !== undefined && more.length === 0 && isBeside(path, named) && callsSome(survey, path, named))
      add(named, path)
  }
  for (const file of sources) if (file.facts.code?.inlineTests === true) add(file.path, file.path)
  const byInnerTests = [...survey.graph.byInnerTests].flatMap(([path, used]) => [path, ...used])
  const reached = new Set([...testsOf.keys(), ...byInnerTests])
  const queue = [...reached]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    for (const { to } of survey.graph.out.get(path) ?? []) {
      if (to === undefined || reached.has(to)) continue
      reached.add(to)
      queue.push(to)
    }
  }
  // Declarations for a compiler do nothing, and no test includes a C file: it is linked.
  const isMatter = (file: SurveyedFile): boolean =>
    (file.facts.code?.symbols.length ?? 0) > 0 && !/\.(?:d\.[cm]?ts|c|cc|cpp|cxx|c\+\+)$/i.test(file.path)
  // An extension method whose name several files have is called by a test all the same.
  const called = new Set(
    tests.flatMap(({ facts }) => facts.code?.words?.filter((word) => word.startsWith('.')) ?? []),
  )
  const isCalled = (file: SurveyedFile): boolean =>
    file.facts.code?.symbols.some(
      ({ name, kind }) => kind === 'extension method' && called.has(`.${name}`),
    ) === true
  return {
    testsOf,
    reachedIndirectly: new Set([...reached].filter((path) => !testsOf.has(path))),
    untested: sources.filter((file) => !reached.has(file.path) && isMatter(file) && !isCalled(file)),
  }
}

/** File names that many folders have: they name nothing. */
const ANY_NAME =
  /^(?:utils?|helpers?|common|shared|index|main|mod|lib|types?|errors?|base|core|config|constants?|setup|support)$/

/** Whether a test can be of a file: of a name of its own, within the folder that the tests stand in or beside. */
function isBeside(test: string, path: string): boolean {
  const above = test.replace(/(^|\/)(?:tests?|__tests__|specs?|e2e)\/.*$|(^|\/)[^/]*$/, '$1$2')
  return !ANY_NAME.test(subjectOf(path)) && path.startsWith(above)
}

/** Whether a file calls something that another declares, by its name. */
function callsSome(survey: Survey, path: string, declaring: string): boolean {
  const text = survey.source(path)
  const own = new Set(survey.byPath.get(path)?.facts.code?.symbols.map(({ name }) => name))
  return (survey.byPath.get(declaring)?.facts.code?.symbols ?? []).some(
    ({ name }) =>
      !own.has(name) &&
      ['(', '<', '{', '!'].some((mark) => {
        const at = text.indexOf(`${name}${mark}`)
        return at >= 0 && !/[\w$]/.test(text[at - 1] ?? '')
      }),
  )
}

/** What a file name is about without its extension and the marks of a test: `test_parser.py` is `parser`. */
const subjectOf = (path: string): string =>
  (path.split('/').at(-1) ?? '')
    .replace(/\.[^.]+$/, '')
    .replace(/([._-](test|spec|e2e)s?|Tests?|Spec|TestCase)$/, '')
    .replace(/^tests?[_-]/, '')
    .toLowerCase()

/** The exported symbols of a file, those that other files name most first, then by place. */
export function publicSymbols(survey: Survey, path: string): (SymbolFact & { uses: number })[] {
  const uses = new Map<string, number>()
  for (const from of survey.graph.dependents.get(path) ?? []) {
    for (const link of survey.graph.out.get(from) ?? []) {
      if (link.to === path) for (const name of link.names ?? []) uses.set(name, (uses.get(name) ?? 0) + 1)
    }
  }
  return (
    (survey.byPath.get(path)?.facts.code?.symbols ?? [])
      .filter(
        (symbol) =>
          symbol.exported &&
          (symbol.owner === undefined || (symbol.kind === 'method' && !hasOwner(survey, path, symbol))),
      )
      .map((symbol) => ({ ...symbol, uses: uses.get(symbol.name) ?? 0 }))
      .toSorted((a, b) => Number(b.doc !== undefined) - Number(a.doc !== undefined))
      // Overloads are one symbol to a reader.
      .filter(
        (symbol, at, all) =>
          all.findIndex(({ name, owner }) => name === symbol.name && owner === symbol.owner) === at,
      )
      .toSorted((a, b) => b.uses - a.uses || a.line - b.line)
  )
}

/** Whether a method's class stands in the same file and speaks for it. */
const hasOwner = (survey: Survey, path: string, symbol: SymbolFact): boolean =>
  survey.byPath
    .get(path)
    ?.facts.code?.symbols.some(({ name, owner }) => owner === undefined && name === symbol.owner) === true
