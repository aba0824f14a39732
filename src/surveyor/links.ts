import type { CodeFacts, Link } from './facts.ts'
import { buildGraph } from './graph.ts'
import type { ModuleGraph } from './graph.ts'
import type { Language, ModuleIndex } from './languages/language.ts'
import type { SurveyedFile } from './surveyed-file.ts'

/** Who depends on whom, as each file's language finds it. `source` reads a file, for manifests. */
export function resolveLinks(
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
    for (const file of paths) {
      const code = index.code(file)
      const found = code === undefined ? [] : resolve(file, code)
      links.set(
        file,
        found.filter(({ to }) => to !== file),
      )
    }
  }
  return buildGraph(new Map([...links].toSorted(([a], [b]) => (a < b ? -1 : 1))))
}
