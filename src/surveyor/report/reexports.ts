import { posix } from 'node:path'
import type { Survey } from '../survey.ts'

export interface Reexport {
  to: string
  /** What is passed on, by its name there; undefined: everything. */
  names?: string[]
}

/** What a file passes on from others of the repository, as its language writes that. */
export function reexportsOf(survey: Survey, path: string): Reexport[] {
  switch (survey.byPath.get(path)?.language?.id) {
    case 'typescript':
    case 'javascript':
      return ecmascript(survey, path)
    case 'python':
      return path.includes('__init__.py') ? python(survey, path) : []
    case 'rust':
      return rust(survey, path)
    default:
      return []
  }
}

const targetsOf = (survey: Survey, path: string): string[] =>
  (survey.graph.out.get(path) ?? []).flatMap(({ to }) => (to === undefined ? [] : [to]))

const namesIn = (list: string): string[] =>
  list
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .split(',')
    .map((item) => /^(?:type\s+)?([\w$]+)/.exec(item.trim())?.[1] ?? '')
    .filter((name) => name !== '')

function ecmascript(survey: Survey, path: string): Reexport[] {
  const text = survey.source(path)
  const targets = targetsOf(survey, path)
  const bare = (name: string): string => name.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '')
  const find = (specifier: string): string | undefined => {
    const wanted = bare(posix.join(posix.dirname(path), specifier))
    return targets.find((target) => bare(target) === wanted)
  }
  const found: Reexport[] = []
  const push = (specifier: string, names?: string[]): void => {
    const to = find(specifier)
    if (to !== undefined) found.push(names === undefined ? { to } : { to, names })
  }
  for (const [, list, specifier = ''] of text.matchAll(
    /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+[\w$]+)?|\{([^}]*)\})\s*from\s*['"]([^'"]+)['"]/g,
  ))
    push(specifier, list === undefined ? undefined : namesIn(list))
  // Imported first, then exported: `import { a } from './a'`, `export { a }` or `export default a`.
  const exported = new Set([
    ...Array.from(text.matchAll(/\bexport\s+(?:type\s+)?\{([^}]*)\}(?!\s*from)/g), ([, list = '']) =>
      namesIn(list),
    ).flat(),
    ...Array.from(text.matchAll(/\bexport\s+default\s+([\w$]+)/g), ([, name = '']) => name),
  ])
  for (const [, single, list = '', specifier = ''] of text.matchAll(
    /\bimport\s+(?:type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\})?\s*from\s*['"]([^'"]+)['"]/g,
  )) {
    const names = namesIn(list).filter((name) => exported.has(name))
    if (single !== undefined && exported.has(single)) names.push(single, 'default')
    if (names.length > 0) push(specifier, names)
  }
  for (const [, specifier = ''] of text.matchAll(
    /(?:^|[\s;=])(?:module\.)?exports(?:\.[\w$]+)?\s*=\s*require\(\s*['"]([^'"]+)['"]\s*\)/g,
  ))
    push(specifier)
  return found
}

const python = (survey: Survey, path: string): Reexport[] =>
  (survey.graph.out.get(path) ?? []).flatMap(({ to, names, mode }): Reexport[] => {
    if (to === undefined || mode === 'lazy' || names === undefined) return []
    return [names.includes('*') ? { to } : { to, names: names.filter((name) => !name.startsWith('_')) }]
  })

function rust(survey: Survey, path: string): Reexport[] {
  const uses = Array.from(survey.source(path).matchAll(/^pub use ([^;]+);/gm), ([, use = '']) => use)
  const names = uses.flatMap((use) =>
    Array.from(use.matchAll(/(\w+)(?:\s+as\s+\w+)?\s*(?=[,}]|$)/g), ([, name = '']) => name),
  )
  const globs = uses.flatMap((use) => Array.from(use.matchAll(/(\w+)::\*/g), ([, name = '']) => name))
  const crate = posix.dirname(path)
  // `pub use` may lead through private modules, so the names are looked for in the whole crate.
  const files = survey.files.filter(
    ({ path: file, facts, role }) =>
      role === 'source' && facts.code !== undefined && file !== path && file.startsWith(`${crate}/`),
  )
  return files.flatMap(({ path: file, facts }): Reexport[] => {
    const stem =
      posix.basename(file) === 'mod.rs' ? posix.basename(posix.dirname(file)) : posix.basename(file, '.rs')
    if (globs.includes(stem)) return [{ to: file }]
    const own = (facts.code?.symbols ?? [])
      .filter(({ name, owner, exported }) => owner === undefined && exported && names.includes(name))
      .map(({ name }) => name)
    return own.length > 0 ? [{ to: file, names: own }] : []
  })
}
