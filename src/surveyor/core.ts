import { posix } from 'node:path'
import type { Survey } from './survey.ts'
import type { SurveyedFile } from './surveyed-file.ts'

/** A module with its place among the others: who uses it, and what it puts together itself. */
export interface Ranked {
  file: SurveyedFile
  /** Modules of the project, and tests, that depend on it. */
  bySources: string[]
  byTests: string[]
  /** Modules of the project that it uses, for types alone as well. */
  uses: string[]
}

const LEAF = /^(?:errors?|exceptions?|constants?|consts?|types?|typings|symbols|version|globals|warnings?)$/i

/**
 * Modules in the order in which they explain the project: to be depended on, to put others together and to
 * be large all count, entry points more; what only names things (errors, constants, types) and small leaves
 * count less, however many use them.
 */
export function rankCore(survey: Survey, modules: readonly Ranked[]): Ranked[] {
  const named = new Set(
    survey.manifests.flatMap(({ path, entries }) =>
      entries.map(({ target }) => posix.join(posix.dirname(path), target.split(':')[0] ?? '')),
    ),
  )
  const weights = new Map(modules.map((module) => [module, weightOf(module, named)]))
  return modules
    .filter(({ bySources, byTests, uses }) => bySources.length + byTests.length + uses.length > 0)
    .toSorted((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0) || (a.file.path < b.file.path ? -1 : 1))
}

function weightOf({ file, bySources, byTests, uses }: Ranked, named: ReadonlySet<string>): number {
  const symbols = (file.facts.code?.symbols ?? []).filter(({ owner }) => owner === undefined)
  const stem = posix.basename(file.path).replace(/\..*$/, '')
  const { lines } = file.facts
  const onlyNames =
    symbols.length > 0 &&
    symbols.every(
      ({ kind, name }) =>
        /^(?:type|interface|constant|variable|enum)$/.test(kind) || /(?:Error|Exception|Warning)$/.test(name),
    )
  const weight =
    1.5 * Math.log2(1 + bySources.length) +
    0.3 * Math.log2(1 + byTests.length) +
    1.2 * Math.log2(1 + uses.length) +
    Math.log2(1 + lines / 30)
  const isEntry =
    named.has(file.path) || file.facts.code?.entry !== undefined || /^(?:main|index|__init__|lib)$/.test(stem)
  return (
    (weight + (isEntry ? 1 : 0)) *
    (LEAF.test(stem) || onlyNames || /\.d\.[cm]?ts$/.test(file.path) ? 0.4 : 1) *
    // A module that only passes others on has nothing to read.
    (symbols.length === 0 ? 0.4 : 1) *
    (uses.length === 0 && lines < 120 ? 0.6 : 1)
  )
}
