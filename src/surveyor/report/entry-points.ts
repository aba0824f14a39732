import { posix } from 'node:path'
import { openingOf } from './excerpt.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import { code, list, paragraphs } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { figure } from './wording.ts'

/** Where the program or library is entered: as manifests declare it, and as the code shows. */
export function entryPointsSection(survey: Survey, room = 1): Section {
  const declared = survey.manifests
    // Within a monorepo only what others can call is told; scripts of each part are its own affair.
    .flatMap(({ path, entries }) =>
      entries
        .filter(({ what }) => !path.includes('/') || !what.startsWith('script'))
        .map(({ what, target }) => ({
          what: posix.dirname(path) === '.' ? what : `${what} of ${code(path)}`,
          target,
          source: sourceOf(survey, path, target),
        })),
    )
  // Node takes index.js where a package names no entry.
  const silent = survey.manifests.filter(
    ({ path, kind, entries }) =>
      kind === 'npm package' &&
      !path.includes('/') &&
      !entries.some(({ what }) => /^(library|command|export)/.test(what)) &&
      survey.byPath.has('index.js'),
  )
  if (silent.length > 0)
    declared.unshift({ what: 'library entry, by default', target: 'index.js', source: 'index.js' })
  const most = 24 * room
  const items = declared.slice(0, most).map(({ what, target, source }) => {
    const compiled =
      source === undefined || samePath(source, target) ? '' : `, which is made from ${code(source)}`
    return `${what.charAt(0).toUpperCase() + what.slice(1)}: ${code(target)}${compiled}`
  })
  if (declared.length > most) items.push(`${figure(declared.length - most)} more that manifests declare`)
  const listed = new Set(declared.map(({ source }) => source))
  const found = survey.files.filter(
    (file) => file.facts.code?.entry !== undefined && file.role === 'source' && !listed.has(file.path),
  )
  const limit = 15 * room
  items.push(...found.slice(0, limit).map((file) => `${code(file.path)}: ${file.facts.code?.entry ?? ''}`))
  if (found.length > limit)
    items.push(`${figure(found.length - limit)} more files that can be started directly`)
  const example =
    declared
      .map(({ source }) => survey.byPath.get(source ?? ''))
      .find((file) => file?.facts.code !== undefined) ?? found[0]
  return {
    title: 'Entry points',
    body:
      items.length === 0 ? '' : paragraphs(list(items), example !== undefined && beginning(survey, example)),
  }
}

/** The first lines of an entry's own work, after its imports. */
function beginning(survey: Survey, file: SurveyedFile): string {
  const facts = file.facts.code
  const main = facts?.symbols.find(
    ({ name, owner, kind }) => /^main$/i.test(name) && (owner === undefined || kind === 'method'),
  )
  const lastImport = Math.max(
    0,
    ...(facts?.imports ?? []).filter(({ mode }) => mode !== 'lazy').map(({ line }) => line),
  )
  const lines = survey.source(file.path).split(/\r?\n/)
  let from = main?.line ?? lastImport + 1

  // Never in the middle of a block, such as the `try` around a last import; nor at what tools append.
  const isStart = (line: string): boolean => /^[^\s})\]]/.test(line) && !/sourceMappingURL=|^\/\/#/.test(line)
  if (main === undefined) while (from <= lines.length && !isStart(lines[from - 1] ?? '')) from++
  const isEmpty = lines.slice(from - 1).every((line) => /^\s*(?:$|\/\/|\/?\*|#)/.test(line))
  return isEmpty ? '' : `How it begins, in ${openingOf(survey, file.path, from, 14)}`
}

const samePath = (source: string, target: string): boolean =>
  target.replace(/^\.\//, '') === source || target.endsWith(source)

/** The surveyed file behind a target that may be compiled output, a Python module or a command line. */
export function sourceOf(survey: Survey, manifest: string, target: string): string | undefined {
  const dir = posix.dirname(manifest)
  const direct = posix.join(dir, target.split(':')[0]?.trim() ?? '')
  const module = /^[\w.]+:[\w.]+$/.test(target)
    ? (target.split(':')[0] ?? '').replaceAll('.', '/')
    : undefined
  const stem = direct.replace(/\.d\.ts$|\.[cm]?[jt]sx?$/, '')
  const inSource = stem.replace(/(^|\/)(dist|lib|build|out)(\/(cjs|esm|types))?\//, '$1src/')
  const candidates = [
    direct,
    ...[stem, inSource, inSource.replace(/\/src\/src\//, '/src/')].flatMap((base) =>
      ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'].map((end) => base + end),
    ),
  ]
  if (module !== undefined)
    candidates.push(
      ...['', 'src/'].flatMap((root) =>
        [`${module}.py`, `${module}/__init__.py`, `${module}/__main__.py`].map((file) =>
          posix.join(dir, root + file),
        ),
      ),
    )
  const exact = candidates.find((candidate) => survey.byPath.has(candidate))
  if (exact !== undefined || !/^\.?\/?(dist|build|out)\//.test(target)) return exact
  // A bundle is named for its entry: dist/tool.js comes from the one tool.ts there is.
  const named = survey.files.filter(
    ({ path, role }) =>
      role === 'source' && posix.basename(path).replace(/\.[^.]+$/, '') === posix.basename(stem),
  )
  return named.length === 1 ? named[0]?.path : undefined
}
