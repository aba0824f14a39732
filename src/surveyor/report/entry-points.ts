import { posix } from 'node:path'
import type { ManifestEntry } from '../manifests/manifest.ts'
import type { Survey } from '../survey.ts'
import { sourceOf } from './entry-sources.ts'
import { beginning } from './first-function.ts'
import type { Entry } from './first-function.ts'
import { code, list, paragraphs } from './write-markdown.ts'
import type { Section } from './write-markdown.ts'
import { figure } from './wording.ts'

interface Declared extends ManifestEntry {
  /** The manifest. */
  path: string
  source: string | undefined
}

/** Where the program or library is entered: as manifests declare it, and as the code shows. */
export function entryPointsSection(survey: Survey, room = 1): Section {
  const declared = survey.manifests
    // Within a monorepo only what others can call is told; scripts of each part are its own affair.
    .flatMap(({ path, entries }) =>
      entries
        .filter(({ what }) => !path.includes('/') || !what.startsWith('script'))
        .map((entry): Declared => ({ ...entry, path, source: sourceOf(survey, path, entry) })),
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
    declared.unshift({
      what: 'library entry, by default',
      target: 'index.js',
      path: 'package.json',
      source: 'index.js',
    })
  const most = 24 * room
  const items = declared.slice(0, most).map((entry) => {
    const { what, path, target } = entry
    const place = posix.dirname(path) === '.' ? '' : ` of ${code(path)}`
    return `${what.charAt(0).toUpperCase() + what.slice(1)}${place}: ${code(target)}${originOf(entry)}`
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
  const entries = [
    ...declared.flatMap((entry) => entryOf(survey, entry)),
    ...found.map((file): Entry => ({ file, isProgram: true })),
  ]
  return {
    title: 'Entry points',
    body: items.length === 0 ? '' : paragraphs(list(items), beginning(survey, entries)),
  }
}

/** Where a declared entry may begin: what a package offers below its name is no beginning. */
function entryOf(survey: Survey, { what, path, target, source }: Declared): Entry[] {
  const file = survey.byPath.get(source ?? '')
  if (file?.facts.code === undefined || what.startsWith('export')) return []
  const isProgram = !what.startsWith('library')
  const ofManifest = survey.manifests
    .find((manifest) => manifest.path === path)
    ?.name?.split('/')
    .at(-1)
  return [{ file, isProgram, name: isProgram ? target.split(':')[1] : ofManifest }]
}

/** Whether an entry names the very file that is its source. */
const isSource = (manifest: string, target: string, source: string): boolean =>
  posix.join(posix.dirname(manifest), target) === source || target.endsWith(source)

/** What is known of a target that is no file of the repository. */
function originOf({ path, what, target, source }: Declared): string {
  if (source !== undefined)
    return isSource(path, target, source) ? '' : `, which is made from ${code(source)}`
  return /^(library|command|export)/.test(what) && /^[\w./@-]+\.[cm]?[jt]sx?$/.test(target)
    ? ', which is not in the repository; what it is made from could not be told'
    : ''
}
