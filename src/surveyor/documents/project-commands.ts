import { posix } from 'node:path'
import { fieldsOf, parseJson, parseToml, textOf } from '../data-files.ts'
import type { CommandTool } from './document-facts.ts'

export interface KnownCommands {
  /** Files that define them, sorted. */
  files: string[]
  names: ReadonlySet<string>
}

/** All paths of a repository, and their texts. */
export interface Project {
  paths: readonly string[]
  source(path: string): string
}

/** What a tool can be asked for in a repository; undefined where nothing defines it, or not all of it can be known. */
export function commandsOf(project: Project, tool: CommandTool): KnownCommands | undefined {
  switch (tool) {
    case 'npm':
      return npmScripts(project)
    case 'make':
      return makeTargets(project)
    default:
      return cargoNames(project, tool.slice('cargo '.length))
  }
}

const filesNamed = ({ paths }: Project, name: RegExp): string[] =>
  paths.filter((path) => name.test(posix.basename(path)))

function npmScripts(project: Project): KnownCommands | undefined {
  const files = filesNamed(project, /^package\.json$/)
  if (!files.includes('package.json')) return undefined
  const names = files.flatMap((path) =>
    Object.keys(fieldsOf(fieldsOf(parseJson(project.source(path)))['scripts'])),
  )
  return { files: ['package.json'], names: new Set(names) }
}

function makeTargets(project: Project): KnownCommands | undefined {
  const files = filesNamed(project, /^(?:GNUmakefile|[Mm]akefile(?:\..+)?|.+\.mk)$/)
  if (!files.some((path) => /^(?:GNUm|[Mm])akefile$/.test(path))) return undefined
  const text = files.map((path) => project.source(path)).join('\n')
  // Targets that a pattern or a variable makes cannot be listed.
  if (/^[^\s#:=]*[%$][^\n=]*:(?!=)/m.test(text) || /^-?s?include\s/m.test(text) || /\$\(eval/.test(text))
    return undefined
  const names = [...text.matchAll(/^([^\s#:=][^:=\n]*?)\s*::?(?!=)/gm)].flatMap(([, targets]) =>
    (targets ?? '').split(/\s+/),
  )
  const folders = project.paths.flatMap((path) => path.split('/').slice(0, -1))
  return { files: files.filter((path) => !path.includes('/')), names: new Set([...names, ...folders]) }
}

const CARGO_FOLDERS: Record<string, RegExp> = {
  bin: /(?:^|\/)src\/bin\/([^/]+?)(?:\.rs|\/main\.rs)$/,
  example: /(?:^|\/)examples\/([^/]+?)(?:\.rs|\/main\.rs)$/,
  test: /(?:^|\/)tests\/([^/]+?)(?:\.rs|\/main\.rs)$/,
  bench: /(?:^|\/)benches\/([^/]+?)(?:\.rs|\/main\.rs)$/,
}

function cargoNames(project: Project, kind: string): KnownCommands | undefined {
  const files = filesNamed(project, /^Cargo\.toml$/)
  if (files.length === 0) return undefined
  const names = files.flatMap((path) => {
    const tables = parseToml(project.source(path))
    const own = textOf(fieldsOf(tables['package'])['name'])
    const targets = kind === 'package' ? [] : tables[kind]
    const listed = Array.isArray(targets)
      ? targets.map((target) => textOf(fieldsOf(target)['name']) ?? '')
      : []
    const needed = kind === 'package' ? Object.keys(fieldsOf(tables['dependencies'])) : []
    return [...(own !== undefined && /^(?:bin|package)$/.test(kind) ? [own] : []), ...listed, ...needed]
  })
  const folder = CARGO_FOLDERS[kind]
  const found = project.paths.flatMap((path) => folder?.exec(path)?.[1] ?? [])
  return { files: files.slice(0, 1), names: new Set([...names, ...found]) }
}
