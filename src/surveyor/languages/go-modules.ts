import { posix } from 'node:path'
import { replacedBy, requiredModules } from '../manifests/go-mod.ts'
import type { ModuleIndex } from './language.ts'

/** A Go module of the repository. */
interface GoModule {
  dir: string
  name: string
  /** Every module that its `go.mod` requires, the longest path first. */
  required: string[]
  /** Folders of the repository that stand for modules of other names. */
  replaced: ModuleFolder[]
}

/** A folder that stands for a module path. */
interface ModuleFolder {
  name: string
  dir: string
}

/** Whether an import path is a module's or leads into it: by whole segments. */
export const isWithinPath = (specifier: string, module: string): boolean =>
  specifier === module || specifier.startsWith(`${module}/`)

/** The modules of the repository, the deepest folder first. */
export function readGoModules(index: ModuleIndex): GoModule[] {
  return index.paths
    .filter((path) => posix.basename(path) === 'go.mod')
    .map((path): GoModule => {
      const source = index.read(path)
      const dir = posix.dirname(path)
      return {
        dir,
        name: /^module\s+(\S+)/m.exec(source)?.[1] ?? '',
        required: requiredModules(source)
          .map(({ name }) => name)
          .toSorted((a, b) => b.length - a.length),
        replaced: foldersFor(dir, source),
      }
    })
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => b.dir.length - a.dir.length)
}

const foldersFor = (dir: string, source: string): ModuleFolder[] =>
  [...replacedBy(source)]
    .filter(([, to]) => to.startsWith('.'))
    .map(([name, to]) => ({ name, dir: posix.join(dir, to) }))

/** The folder that each module path means, by `go.mod` and `go.work`, the longest path first. */
export function placesOf(index: ModuleIndex, modules: readonly GoModule[]): ModuleFolder[] {
  const ofWork = index.paths
    .filter((path) => posix.basename(path) === 'go.work')
    .flatMap((path) => foldersFor(posix.dirname(path), index.read(path)))
  return [...modules, ...modules.flatMap(({ replaced }) => replaced), ...ofWork].toSorted(
    (a, b) => b.name.length - a.name.length,
  )
}

/** The module from outside that holds a package: the one that the nearest `go.mod` requires, else by habit. */
export function externalModuleOf(specifier: string, from: string, modules: readonly GoModule[]): string {
  const own = modules.find(({ dir }) => dir === '.' || from.startsWith(`${dir}/`))
  return own?.required.find((name) => isWithinPath(specifier, name)) ?? moduleByHabit(specifier)
}

/** Host, owner and repository; a host with a name of its own has the repository directly below it. */
function moduleByHabit(specifier: string): string {
  const parts = specifier.split('/')
  const hasOwner =
    /^(github|gitlab|bitbucket)\./.test(specifier) ||
    parts[1] === 'x' ||
    (parts[0] === 'gopkg.in' && !/\.v\d+$/.test(parts[1] ?? ''))
  const length = hasOwner ? 3 : 2
  return parts.slice(0, /^v\d+$/.test(parts[length] ?? '') ? length + 1 : length).join('/')
}
