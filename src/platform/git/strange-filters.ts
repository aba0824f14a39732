import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { refuseNewer } from '../../errors/newer-format.ts'
import { unless } from '../../errors/unless.ts'
import { replaceFile } from '../storage/disk.ts'
import { readOutside } from '../storage/outside-file.ts'
import { personsFolder } from '../storage/persons-folder.ts'
import type { RepositoryPlace } from './repository-place.ts'

/** A setting of git's and its value. */
export type Setting = readonly [key: string, value: string]

/** A filter that a repository's own configuration names, or one of a person's that it changes. */
export interface RepositoryFilter {
  /** Such as `lfs`. */
  readonly name: string
  /** What the repository says of it. */
  readonly settings: readonly Setting[]
  /** SHA-256 of that. */
  readonly digest: string
}

const FORMAT = 'fed-git-filters-1'

/** By git's folder that all work trees share, links followed: digests of what a person allowed, by the filter's name. */
const allowedSchema = z.strictObject({
  format: z.literal(FORMAT),
  repositories: z.record(z.string(), z.record(z.string(), z.string())),
})
type Allowed = z.infer<typeof allowedSchema>['repositories']

/** What a filter may say: its programs, and that nothing goes on where they fail. */
const programs = ['clean', 'smudge', 'process']

/** A configuration without these sections names no filter, and git need not be asked. */
const mayName = /\[\s*(?:filter|include)/i
const mayInclude = /\[\s*include/i
const largestConfig = 1 << 20

type Ask = (...args: string[]) => string | undefined
type Known = Pick<RepositoryPlace, 'gitDir' | 'commonDir'>

const answers = new Map<string, readonly Setting[]>()

/**
 * Settings with which git runs no filter that a repository's configuration names, but those that a person allowed:
 * in place of each the person's own of that name, if any.
 * @param ask what git prints; undefined where it says no.
 */
export function silencedFilters(place: Known, ask: Ask): readonly Setting[] {
  const text = configurationOf(place)
  if (!mayName.test(text)) return []
  // what is included may change, and this configuration would be as it was
  if (mayInclude.test(text)) return silenced(place, ask)
  const key = [place.gitDir, text, textOf(allowedFile())].join('\0')
  const before = answers.get(key)
  if (before !== undefined) return before
  const settings = silenced(place, ask)
  answers.set(key, settings)
  return settings
}

function silenced(place: Known, ask: Ask): Setting[] {
  const { own, persons } = configured(ask)
  const allowed = allowedIn(place)
  return filtersOf(own)
    .filter(({ name, digest }) => allowed[name] !== digest)
    .flatMap(({ name, settings }) => {
      const keys = new Set(settings.map(([key]) => key))
      const values = [...keys].map((key): Setting => [key, persons.get(key) ?? ''])
      // without a program of its own a filter that must work would be an error in each file
      const isRunnable = values.every(([key, value]) => value !== '' || persons.has(key))
      return isRunnable
        ? values
        : [
            ...programs.map((part): Setting => [`filter.${name}.${part}`, '']),
            [`filter.${name}.required`, 'false'],
          ]
    })
}

/** The filters that a repository's configuration names now, sorted; `ask` as for `silencedFilters`. */
export function repositoryFilters(place: Known, ask: Ask): RepositoryFilter[] {
  return mayName.test(configurationOf(place)) ? filtersOf(configured(ask).own) : []
}

/** Of these filters those that nobody allowed as they are. */
export function notAllowed(place: Known, filters: readonly RepositoryFilter[]): RepositoryFilter[] {
  const allowed = allowedIn(place)
  return filters.filter(({ name, digest }) => allowed[name] !== digest)
}

/** Allows these filters in a repository, and no other. @throws {NewerFormatError}; the file system's error. */
export function allowFilters(place: Known, filters: readonly RepositoryFilter[]): void {
  refuseNewer(allowedFile(), formatOf(textOf(allowedFile())), FORMAT)
  const { [keyOf(place)]: before = {}, ...others } = allAllowed()
  if (filters.length === 0 && Object.keys(before).length === 0) return
  const digests = Object.fromEntries(filters.map(({ name, digest }) => [name, digest]))
  const repositories = filters.length === 0 ? others : { ...others, [keyOf(place)]: digests }
  mkdirSync(path.dirname(allowedFile()), { recursive: true, mode: 0o700 })
  const text = `${JSON.stringify({ format: FORMAT, repositories }, null, 2)}\n`
  replaceFile(allowedFile(), text, undefined, { mode: 0o600 })
}

function allowedIn(place: Known): Readonly<Record<string, string>> {
  const all = allAllowed()
  return Object.hasOwn(all, keyOf(place)) ? (all[keyOf(place)] ?? {}) : {}
}

/** What every repository's filters were allowed as; nothing where another release wrote it. */
export function allAllowed(): Allowed {
  const read = unless(SyntaxError, () => allowedSchema.safeParse(JSON.parse(textOf(allowedFile()) || '{}')))
  return read?.data?.repositories ?? {}
}

function formatOf(text: string): unknown {
  return unless(SyntaxError, () => (JSON.parse(text || '{}') as { format?: unknown } | null)?.format)
}

/** Beside what else this person trusts. */
function allowedFile(): string {
  return path.join(personsFolder('config'), 'git-filters.json')
}

function keyOf({ gitDir, commonDir = gitDir }: Known): string {
  return commonDir
}

function configurationOf({ gitDir, commonDir = gitDir }: Known): string {
  return `${textOf(path.join(commonDir, 'config'))}\n${textOf(path.join(gitDir, 'config.worktree'))}`
}

/** What cannot be read as a text may name anything. */
function textOf(file: string): string {
  const read = readOutside(file, { largestBytes: largestConfig, followLinks: true, anyBytes: true })
  if (read.kind === 'missing') return ''
  return read.kind === 'text' ? read.text : '[include]'
}

interface Configured {
  readonly own: readonly Setting[]
  /** What the person's and the system's configuration and the environment say. */
  readonly persons: ReadonlyMap<string, string>
}

function configured(ask: Ask): Configured {
  const own: Setting[] = []
  const persons = new Map<string, string>()
  const fields = (ask('config', '--null', '--show-scope', '--get-regexp', '^filter\\.') ?? '').split('\0')
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope = '', entry = ''] = [fields[at], fields[at + 1]]
    const end = entry.includes('\n') ? entry.indexOf('\n') : entry.length
    const [key, value] = [entry.slice(0, end), entry.slice(end + 1)]
    if (scope === 'local' || scope === 'worktree') own.push([key, value])
    else persons.set(key, value)
  }
  return { own, persons }
}

function filtersOf(settings: readonly Setting[]): RepositoryFilter[] {
  const nameOf = (key: string) => key.slice('filter.'.length, key.lastIndexOf('.'))
  const names = [...new Set(settings.map(([key]) => nameOf(key)))].toSorted()
  return names.map((name) => {
    const own = settings.filter(([key]) => nameOf(key) === name)
    return { name, settings: own, digest: createHash('sha256').update(JSON.stringify(own)).digest('hex') }
  })
}
