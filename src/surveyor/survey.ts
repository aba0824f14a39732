import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isExample, isTest, leftOutByPath, roleOf } from './classify.ts'
import type { Role } from './classify.ts'
import { FactCache } from './fact-cache.ts'
import { readFacts } from './file-facts.ts'
import type { CodeFacts, FileFacts, LeftOut, Link } from './facts.ts'
import {
  countCommits,
  hashFiles,
  isShallow,
  listAttributed,
  listChanges,
  listTree,
  listUntracked,
  readHead,
  readLog,
} from './git.ts'
import type { Head, TreeEntry } from './git.ts'
import { buildGraph } from './graph.ts'
import type { ModuleGraph } from './graph.ts'
import { parseHistory } from './history.ts'
import type { History } from './history.ts'
import { SourceParser } from './languages/grammars.ts'
import { languageNameOf, languageOf } from './languages/index.ts'
import type { Language, ModuleIndex } from './languages/language.ts'
import type { Manifest } from './manifests/manifest.ts'
import { readManifests } from './manifests/index.ts'

/** Commits that the history looks back; more would tell of a project that is gone. */
const HISTORY_LIMIT = 2_000

export interface SurveyedFile {
  path: string
  role: Role
  /** As people name it; `Other` where the path does not say. */
  languageName: string
  language?: Language
  facts: FileFacts
}

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
  manifests: Manifest[]
  graph: ModuleGraph
  history: History | undefined
  /** The parser's language for a path, surveyed or not. */
  languageOf(path: string): Language | undefined
  /** Text of a file of the repository as it is on disk now. */
  source(path: string): string
  /** What this run cost; never part of a report. */
  statistics: { parsed: number; fromCache: number }
}

export interface SurveyOptions {
  /** Folder for what is remembered between runs; none: nothing is. */
  cacheFolder?: string
  /** Told of each file that is read. */
  onRead?: (path: string) => void
}

/** What only the federation puts into a repository is no part of the project. */
const isOurOwn = (file: string): boolean => file === 'federate.config.json' || file.startsWith('.fed/')

/**
 * Reads a whole repository. The result depends on nothing but the checked-out content and the commits: two
 * runs on one commit are equal, in whatever order the file system lists.
 */
export async function survey(root: string, options: SurveyOptions = {}): Promise<Survey> {
  const cache = new FactCache(options.cacheFolder)
  const head = readHead(root)
  const tree = listTree(root, head !== undefined).filter((entry) => !isOurOwn(entry.path))
  const changes = listChanges(root, head !== undefined)
  const historyKey = head === undefined ? undefined : `${head.commit} ${root}`
  const knownHistory = historyKey === undefined ? undefined : cache.history(historyKey)
  const log =
    historyKey === undefined || knownHistory !== undefined ? undefined : readLog(root, HISTORY_LIMIT)

  const reader = new RepositoryReader(root)
  const statistics = { parsed: 0, fromCache: 0 }
  const { kept, leftOut } = sift(root, rehash(root, tree, changes.unstaged))
  const files: SurveyedFile[] = []
  let parser: Promise<SourceParser> | undefined
  for (const [at, { path: file, blob }] of kept.entries()) {
    const key = `${blob} ${languageOf(file)?.id ?? path.posix.extname(file)}`
    let facts = blob === '' ? undefined : cache.facts(key)
    if (facts === undefined) {
      options.onRead?.(file)
      const bytes = reader.bytes(file)
      if (bytes === undefined) {
        leftOut.push({ path: file, reason: 'not readable' })
        continue
      }
      facts = await readFacts(file, bytes, () => (parser ??= SourceParser.start()))
      statistics.parsed++
      if (blob !== '') cache.keepFacts(key, facts)
      // The log arrives through a pipe that only drains when the event loop turns.
      if (at % 50 === 0) await new Promise(setImmediate)
    } else statistics.fromCache++
    if (facts.leftOut === undefined) files.push(surveyedFile(file, facts))
    else leftOut.push({ path: file, reason: facts.leftOut })
  }

  let history = knownHistory
  if (log !== undefined && historyKey !== undefined) {
    history = parseHistory(await log, countCommits(root), isShallow(root))
    cache.keepHistory(historyKey, history)
  }
  cache.save()

  const byPath = new Map(files.map((file) => [file.path, file]))
  const source = (file: string): string => reader.text(file)
  return {
    folder: path.basename(root),
    head,
    changed: changes.sinceHead.filter((file) => !isOurOwn(file)).toSorted(),
    files,
    byPath,
    leftOut: leftOut.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    untracked: head === undefined ? [] : listUntracked(root).filter((file) => !isOurOwn(file)),
    manifests: readManifests(
      files.filter(({ path: file }) => !isTest(file) && !isExample(file)).map(({ path: file }) => file),
      source,
    ),
    graph: resolveLinks(files, byPath, source),
    history,
    languageOf,
    source,
    statistics,
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

/** Gives files that were edited, or never added, the id of what is on disk now. */
function rehash(root: string, tree: TreeEntry[], unstaged: readonly string[]): TreeEntry[] {
  const edited = new Set(unstaged)
  const reader = new RepositoryReader(root)
  const stale = tree.filter(
    (entry) =>
      entry.kind === 'file' && (entry.blob === '' || edited.has(entry.path)) && reader.isReadable(entry.path),
  )
  const ids = hashFiles(
    root,
    stale.map((entry) => entry.path),
  )
  const byPath = new Map(stale.map((entry, at) => [entry.path, ids[at] ?? '']))
  return tree.map((entry) =>
    edited.has(entry.path) || entry.blob === '' ? { ...entry, blob: byPath.get(entry.path) ?? '' } : entry,
  )
}

/** Separates what a name or `.gitattributes` already leaves out. */
function sift(
  root: string,
  tree: TreeEntry[],
): { kept: TreeEntry[]; leftOut: { path: string; reason: LeftOut }[] } {
  const marked = tree.some(({ path: file }) => path.posix.basename(file) === '.gitattributes')
    ? listAttributed(
        root,
        tree.map((entry) => entry.path),
      )
    : undefined
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

function resolveLinks(
  files: SurveyedFile[],
  byPath: ReadonlyMap<string, SurveyedFile>,
  source: (file: string) => string,
): ModuleGraph {
  const byLanguage = new Map<Language, string[]>()
  for (const { language, path: file } of files)
    if (language !== undefined) byLanguage.set(language, [...(byLanguage.get(language) ?? []), file])
  const index: ModuleIndex = {
    paths: files.map((file) => file.path),
    has: (file) => byPath.has(file),
    code: (file): CodeFacts | undefined => byPath.get(file)?.facts.code,
    read: source,
    of: (language) => byLanguage.get(language) ?? [],
  }
  const links = new Map<string, Link[]>()
  for (const [language, paths] of byLanguage) {
    const resolve = language.createResolver(index)
    for (const file of paths) links.set(file, resolve(file))
  }
  return buildGraph(new Map([...links].toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/** Reads files of the working tree, and never one that a symbolic link leads to from inside the repository. */
class RepositoryReader {
  readonly #root: string
  readonly #folders = new Map<string, boolean>()

  constructor(root: string) {
    this.#root = realpathSync(root)
  }

  /** A regular file whose folders are real ones below the root. */
  isReadable(file: string): boolean {
    const full = path.join(this.#root, file)
    return lstatSync(full, { throwIfNoEntry: false })?.isFile() === true && this.#isInside(path.dirname(full))
  }

  bytes(file: string): Buffer | undefined {
    return this.isReadable(file) ? readFileSync(path.join(this.#root, file)) : undefined
  }

  text(file: string): string {
    return this.bytes(file)?.toString('utf8') ?? ''
  }

  #isInside(folder: string): boolean {
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const inside = realpathSync(folder) === folder
    this.#folders.set(folder, inside)
    return inside
  }
}
