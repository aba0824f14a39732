import type { CodeFacts, Link } from './facts.ts'
import type { Language, ModuleIndex } from './languages/language.ts'
import type { SurveyedFile } from './surveyed-file.ts'

/** Whether an import takes nothing but types, so that nothing is left of it at run time, whatever it is written like. */
function isOfTypes({ to, mode, names }: Link, index: ModuleIndex): boolean {
  if (to === undefined || mode !== 'load' || names === undefined || names.length === 0) return false
  const symbols = index.code(to)?.symbols ?? []
  return names.every((name) => {
    const own = symbols.filter((symbol) => symbol.owner === undefined && symbol.name === name)
    return own.length > 0 && own.every(({ kind }) => kind === 'interface' || kind === 'type')
  })
}

/** What each file depends on, by path, as its language finds it. `source` reads a file, for manifests. */
export function resolveLinks(
  files: SurveyedFile[],
  byPath: ReadonlyMap<string, SurveyedFile>,
  source: (file: string) => string,
): Map<string, Link[]> {
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
        found
          .filter(({ to }) => to !== file)
          .map((link) => (isOfTypes(link, index) ? { ...link, mode: 'type' } : link)),
      )
    }
  }
  return new Map([...links].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
