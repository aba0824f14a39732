import { posix } from 'node:path'
import type { SymbolFact } from '../facts.ts'
import type { Survey } from '../survey.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import { openingOf } from './excerpt.ts'

/** An entry of the project: a program runs, a library is called. */
export interface Entry {
  file: SurveyedFile
  isProgram: boolean
  /** The function that the manifest names, or else the name of the package. */
  name?: string | undefined
}

const SHOWS_OR_MEASURES =
  /(^|[/._-])(bench(es|mark(s|ing)?)?|demos?|examples?|samples?|snippets?)([/._-]|$)|Bench(mark)?s?\.\w+$|(Demo|Example|Sample)s?\.\w+$/i

/** A program that reaches a smaller share of the project than this is a tool beside it. */
const TOOL = 0.1

const LINES = 14

/** The function that runs first, from the entry that puts most of the project together; empty where none does. */
export function beginning(survey: Survey, entries: readonly Entry[]): string {
  const reached = entries
    .filter(({ file }) => file.role === 'source' && !SHOWS_OR_MEASURES.test(file.path))
    .filter((entry) => !isSelfTest(survey, entry))
    .map((entry) => ({ ...entry, reach: reachOf(survey, entry.file.path) }))
  const modules = survey.files.filter(({ role, facts }) => role === 'source' && facts.code !== undefined)
  const isAlone = modules.length <= 3
  const ranked = reached
    .filter(
      ({ isProgram, reach }) => isAlone || (reach > 0 && (!isProgram || reach >= modules.length * TOOL)),
    )
    .toSorted((a, b) => Number(b.isProgram) - Number(a.isProgram) || b.reach - a.reach)
  for (const entry of ranked.map((one) => followed(survey, one))) {
    const { file } = entry
    const start = entry.isProgram ? startOfProgram(survey, entry) : startOfLibrary(entry)
    if (start === undefined) continue
    const limit = Math.min(LINES, (start.end ?? Number.MAX_SAFE_INTEGER) - start.line + 1)
    return `How it begins, in ${openingOf(survey, file.path, start.line, limit)}`
  }
  return ''
}

/** A module of a Python package that no manifest names as a program tries itself out when it is run. */
const isSelfTest = (survey: Survey, { file, name }: Entry): boolean =>
  file.language?.id === 'python' &&
  name === undefined &&
  !/^(?:__main__|main)\.py$/.test(posix.basename(file.path)) &&
  survey.byPath.has(posix.join(posix.dirname(file.path), '__init__.py'))

/** The file that makes the function a manifest names, where the entry only imports it. */
function followed(survey: Survey, entry: Entry): Entry {
  const { file, name } = entry
  const makes = (path: string): boolean =>
    survey.byPath.get(path)?.facts.code?.symbols.some((symbol) => symbol.name === name) === true
  if (name === undefined || makes(file.path)) return entry
  const link = (survey.graph.out.get(file.path) ?? []).find(
    ({ to, names }) => to !== undefined && names?.includes(name) === true && makes(to),
  )
  return { ...entry, file: survey.byPath.get(link?.to ?? '') ?? file }
}

/** How many files are loaded, directly or not, when one is. */
function reachOf(survey: Survey, path: string): number {
  const seen = new Set([path])
  for (const one of seen)
    for (const { to, mode } of survey.graph.out.get(one) ?? [])
      if (to !== undefined && mode !== 'type' && survey.byPath.get(to)?.role === 'source') seen.add(to)
  return seen.size - 1
}

interface Start {
  line: number
  end?: number
}

/** Declarations that do nothing when the file that holds them is run. */
const IDLE = new Set([
  'interface',
  'type',
  'enum',
  'function',
  'class',
  'method',
  'namespace',
  'struct',
  'trait',
])

function startOfProgram(survey: Survey, { file, name: wanted }: Entry): Start | undefined {
  const facts = file.facts.code
  const symbols = facts?.symbols ?? []
  const functions = symbols.filter(({ kind }) => /^(function|method)$/.test(kind))
  const main =
    functions.find(({ name, owner }) => name === wanted && owner === undefined) ??
    functions.find(({ name }) => /^main$/i.test(name))
  if (main !== undefined) return main
  const lines = survey.source(file.path).split(/\r?\n/)
  const guard = lines.findIndex((line) => /^if\s+__name__\s*==/.test(line))
  if (guard >= 0) return { line: guard + 1 }
  const imports = (facts?.imports ?? []).filter(({ mode }) => mode !== 'lazy').map(({ line }) => line)
  const idle = symbols.filter(({ kind }) => IDLE.has(kind))
  const from = Math.max(0, ...imports) + 1
  for (let line = from; line <= lines.length; line++) {
    const text = lines[line - 1] ?? ''
    if (!isStatement(text) || idle.some((symbol) => symbol.from <= line && line <= symbol.end)) continue
    return calledBy(text, symbols) ?? { line }
  }
  return undefined
}

/** Never the middle of a block, such as the `try` around a last import; nor a comment, or what tools append. */
const isStatement = (line: string): boolean =>
  /^[^\s})\]/*#]/.test(line) && !/^(?:except|else|elif|finally|catch)\b/.test(line)

/** The function of the same file that a statement does nothing but call. */
function calledBy(statement: string, symbols: readonly SymbolFact[]): SymbolFact | undefined {
  const name = /^(?:(?:await|void)\s+)?([\w$]+)\(/.exec(statement)?.[1]
  return symbols.find((symbol) => symbol.name === name && symbol.kind === 'function')
}

/** The function that a library is named for, where its entry makes one: callers begin there. */
function startOfLibrary({ file, name: wanted }: Entry): Start | undefined {
  const names = [wanted, file.path.split('/').at(-1)?.replace(/\..*$/, '')].map((name) => name?.toLowerCase())
  return file.facts.code?.symbols.find(
    ({ name, kind, exported, owner }) =>
      exported && kind === 'function' && owner === undefined && names.includes(name.toLowerCase()),
  )
}
