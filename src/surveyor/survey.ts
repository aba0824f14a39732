import path from 'node:path'
import { isExample, isTest, leftOutByPath, roleOf } from './classify.ts'
import { FactCache, keyOf } from './fact-cache.ts'
import { FactReader } from './fact-reader.ts'
import type { FileFacts, LeftOut } from './facts.ts'
import { unknownPaths } from './documents/unknown-paths.ts'
import { listAttributed, listIgnored, readWorkTree } from './work-tree.ts'
import type { Head, Marks, TreeEntry } from './work-tree.ts'
import { buildGraph } from './graph.ts'
import type { ModuleGraph } from './graph.ts'
import type { History } from './commit-history.ts'
import { findHotSpots } from './hot-spots.ts'
import { findPlaces, readHistory } from './history-log.ts'
import { digestOf, KeptResults } from './kept-results.ts'
import { languageNameOf, languageOf } from './languages/index.ts'
import type { Language } from './languages/language.ts'
import { resolveLinks } from './links.ts'
import type { Manifest } from './manifests/manifest.ts'
import { readManifests } from './manifests/index.ts'
import { RepositoryFiles } from './repository-files.ts'
import { isSourceCode } from './surveyed-file.ts'
import type { SurveyedFile } from './surveyed-file.ts'

export interface Survey {
  /** Base name of the repository's folder. */
  folder: string
  head: Head | undefined
  /** Files that differ from the commit, sorted. */
  changed: string[]
  /** What is read as the project, sorted by path. */
  files: SurveyedFile[]
  byPath: ReadonlyMap<string, SurveyedFile>
  leftOut: { path: string; reason: LeftOut }[]
  /** Files that git does not know and does not ignore; they are not read. */
  untracked: string[]
  /** Paths that documents name, that are not there, and that git would ignore. */
  ignored: ReadonlySet<string>
  manifests: Manifest[]
  /** Who depends on whom; found when it is first asked for. */
  readonly graph: ModuleGraph
  history: History | undefined
  /** The parser's language for a path, surveyed or not. */
  languageOf(path: string): Language | undefined
  /** Text of a file of the repository as it is on disk now. */
  source(path: string): string
  /**
   * What `make` makes of this survey, of `asked` and of nothing else, both plain data: where the same was made
   * before, it is kept.
   */
  remember<T>(kind: string, asked: unknown, make: () => T): T
  /** What this run cost; never part of a report. */
  statistics: { parsed: number; fromCache: number; read: number }
}

export interface SurveyOptions {
  /** Folder for what is remembered between runs; none: nothing is. */
  cacheFolder?: string
  /** Told of each file that is read. */
  onRead?: (path: string) => void
  /** Threads that parse beside this one; left out, as many as pay. */
  threads?: number
}

/** Hot spots whose changed lines are counted: as many as a report shows to those who ask for change. */
export const MOST_COUNTED = 30

/** What only the federation puts into a repository is no part of the project. */
const isOurOwn = (file: string): boolean => file === 'federate.config.json' || file.startsWith('.fed/')

/**
 * Reads a whole repository. The result depends on nothing but the checked-out content and the commits: two
 * runs on one commit are equal, in whatever order the file system lists.
 */
export async function survey(root: string, options: SurveyOptions = {}): Promise<Survey> {
  const { cacheFolder } = options
  const asked = Promise.all([readWorkTree(root), findPlaces(root)])
  const onDisk = new RepositoryFiles(root)
  const cache = new FactCache(cacheFolder)
  const reader = new FactReader(onDisk, cache)
  reader.lookAhead()

  const [{ head, tree, changed, untracked }, places] = await asked
  const project = tree.filter((entry) => !isOurOwn(entry.path))
  const attributeFiles = project.map((entry) => entry.path).filter(isAttributes)
  const reading =
    head === undefined
      ? undefined
      : readHistory(
          root,
          head.commit,
          places,
          [...attributeFiles, ...untracked.filter(isAttributes)],
          cacheFolder,
        )

  // It is awaited at the end, which an error on the way would never reach.
  reading?.catch(() => undefined)

  const { kept, leftOut } = sift(project, await readMarks(root, project, attributeFiles, onDisk))
  const files: SurveyedFile[] = []
  const paths = kept.map(({ path: file }) => file)
  // Which files are hot is known when all are parsed; by their sizes it is known now, nearly.
  reading?.then(
    (past) => past.countAhead(() => largestChanged(past.history, paths, onDisk)),
    () => undefined,
  )
  for (const [at, facts] of (await reader.readAll(paths, options)).entries()) {
    const file = paths[at] ?? ''
    if (facts === undefined) leftOut.push({ path: file, reason: 'not readable' })
    else if (facts.leftOut === undefined) files.push(surveyedFile(file, facts))
    else leftOut.push({ path: file, reason: facts.leftOut })
  }

  const history = reading?.then((past) =>
    past.withLines(
      findHotSpots(past.history, files.filter(isSourceCode))
        .slice(0, MOST_COUNTED)
        .map(({ file }) => file.path),
    ),
  )
  history?.catch(() => undefined)
  const known = new Set([...tree.map((entry) => entry.path), ...untracked])
  const asking = listIgnored(root, unknownPaths(files, known))
  // Git is at work meanwhile.
  cache.save()
  const ignored = await asking
  const byPath = new Map(files.map((file) => [file.path, file]))
  // What was written after a file was looked at is told to whoever asks, and kept by nobody.
  let isAsRead = true
  const source = (file: string): string => {
    const bytes = onDisk.bytes(file)
    if (cacheFolder !== undefined && (bytes === undefined || keyOf(file, bytes) !== reader.keyOf(file)))
      isAsRead = false
    return bytes?.toString('utf8') ?? ''
  }
  const results = new KeptResults(cacheFolder)
  const contents = files.map(({ path: file }) => [file, reader.keyOf(file)])
  const manifest = remembering(source)
  const said = {
    folder: path.basename(root),
    head,
    changed: changed.filter((file) => !isOurOwn(file)).toSorted(),
    leftOut: leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    untracked: head === undefined ? [] : untracked.filter((file) => !isOurOwn(file)),
    history: await history,
  }
  let graph: ModuleGraph | undefined
  let digest: string | undefined
  return {
    ...said,
    files,
    byPath,
    ignored,
    manifests: readManifests(
      files.filter(({ path: file }) => !isTest(file) && !isExample(file)).map(({ path: file }) => file),
      manifest,
    ),
    get graph() {
      return (graph ??= buildGraph(
        results.get(
          'links',
          digestOf(contents),
          () => resolveLinks(files, byPath, manifest),
          () => isAsRead,
          1,
        ),
      ))
    },
    languageOf,
    source,
    remember(kind, of, make) {
      digest ??= digestOf([said, [...ignored], contents])
      return results.get(kind, digestOf([digest, of]), make, () => isAsRead)
    },
    statistics: reader.statistics,
  }
}

/** The files whose change × size is highest, by their names and sizes on disk. */
function largestChanged(history: History, paths: readonly string[], onDisk: RepositoryFiles): string[] {
  const weight = (file: string): number =>
    (history.files[file]?.commits ?? 0) * (onDisk.stamp(file)?.size ?? 0)
  return paths
    .filter(
      (file) =>
        history.files[file] !== undefined && roleOf(file, languageOf(file) !== undefined) === 'source',
    )
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, MOST_COUNTED)
}

/** The same function, asked once for each argument. */
function remembering(read: (file: string) => string): (file: string) => string {
  const known = new Map<string, string>()
  return (file) => {
    const text = known.get(file) ?? read(file)
    known.set(file, text)
    return text
  }
}

function surveyedFile(file: string, facts: FileFacts): SurveyedFile {
  const language = languageOf(file, facts.shebang)
  const role = roleOf(file, language !== undefined)
  return {
    path: file,
    role,
    languageName: languageNameOf(file, facts.shebang),
    ...(language === undefined ? {} : { language }),
    facts,
  }
}

const isAttributes = (file: string): boolean => path.posix.basename(file) === '.gitattributes'

/** What `.gitattributes` say of the files, where they say anything that matters. */
async function readMarks(
  root: string,
  tree: readonly TreeEntry[],
  attributeFiles: readonly string[],
  onDisk: RepositoryFiles,
): Promise<Marks | undefined> {
  return attributeFiles.some((file) => onDisk.text(file).includes('linguist-'))
    ? await listAttributed(
        root,
        tree.map((entry) => entry.path),
      )
    : undefined
}

/** Separates what a name or `.gitattributes` already leaves out. */
function sift(
  tree: readonly TreeEntry[],
  marked: Marks | undefined,
): { kept: TreeEntry[]; leftOut: { path: string; reason: LeftOut }[] } {
  const kept: TreeEntry[] = []
  const leftOut: { path: string; reason: LeftOut }[] = []
  for (const entry of tree) {
    const byAttribute =
      marked?.generated.has(entry.path) === true
        ? 'generated'
        : marked?.vendored.has(entry.path) === true
          ? 'vendored'
          : undefined
    const byPath = marked?.ordinary.has(entry.path) === true ? undefined : leftOutByPath(entry.path)
    const reason = entry.kind === 'file' ? (byAttribute ?? byPath) : entry.kind
    if (reason === undefined) kept.push(entry)
    else leftOut.push({ path: entry.path, reason })
  }
  return { kept, leftOut }
}
