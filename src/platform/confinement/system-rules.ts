import { existsSync, lstatSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { packageRoot } from '../process/package.ts'
import { isSystemError } from '../storage/system-error.ts'
import { isWithin, real, sharedFolders, type Rule } from './walls.ts'

/** Folders in which people's homes lie. */
const homes = ['/home', '/root', '/Users']

/** What every program needs of folders that are otherwise empty: names of hosts, and programs of some systems. */
const neededOfShared = ['/etc/resolv.conf', '/run/current-system', '/run/wrappers', '/run/opengl-driver']

/** What only the machine's administrator reads: as such an agent would find it open. */
const ofTheSystem: readonly Rule[] = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers'].map((at): Rule => ({
    kind: 'nothing',
    at,
  })),
  ...['/etc/ssl/private', '/etc/sudoers.d', '/etc/kubernetes', '/var/lib/docker', '/var/lib/containerd'].map(
    (at): Rule => ({ kind: 'empty', at }),
  ),
]

/** Where toolchains lie in a home, and the variables that name other places; nothing in them is a secret. */
const toolchains: readonly (readonly [folder: string, variable?: string])[] = [
  ['.nvm', 'NVM_DIR'],
  ['.fnm', 'FNM_DIR'],
  ['.local/share/fnm'],
  ['.volta', 'VOLTA_HOME'],
  ['.asdf', 'ASDF_DATA_DIR'],
  ['.local/share/mise', 'MISE_DATA_DIR'],
  ['.local/bin'],
  ['.local/lib'],
  ['.local/share/uv'],
  ['.local/share/pipx'],
  ['.local/share/pnpm', 'PNPM_HOME'],
  ['.pyenv', 'PYENV_ROOT'],
  ['.rbenv', 'RBENV_ROOT'],
  ['.nodenv', 'NODENV_ROOT'],
  ['.rustup', 'RUSTUP_HOME'],
  ['.cargo/bin'],
  ['.bun/bin'],
  ['.deno/bin'],
  ['.sdkman', 'SDKMAN_DIR'],
  ['.jdks'],
  ['.dotnet', 'DOTNET_ROOT'],
  ['sdk/go'],
  ['go/bin'],
  ['.juliaup'],
  ['.ghcup'],
]

/** What a process inside is to find beside what every one does. */
interface Found {
  /** Its PATH. */
  readonly searched: string
  /** Programs that it starts by their full paths. */
  readonly programs: readonly string[]
  /** Folder that lies in the place of the person's home. */
  readonly home: string
}

/**
 * Why no walls can stand here, though this machine makes some: a home is replaced by another within walls, and what
 * holds it, or lies in its place, is given. Undefined where all is well.
 * @param given folder that those inside are given as it is.
 */
export function homeFault(given: string): string | undefined {
  const home = real(os.homedir())
  if (home === undefined || path.dirname(home) === home)
    return `the home folder is ${os.homedir()}, which cannot be replaced`
  const place = real(given) ?? given
  return isWithin(home, place) ? `the home folder lies in the codebase ${place}` : undefined
}

/**
 * The rules for every process within walls, whoever it works for: nobody's home, nothing that programs share, and in
 * the place of the person's home a folder of its own, with the programs over it that the person has there.
 */
export function systemRules({ searched, programs, home }: Found): Rule[] {
  const person = real(os.homedir()) ?? os.homedir()
  const hidden = [...sharedFolders, ...homes, person].flatMap((place) => real(place) ?? [])
  const isHidden = (place: string) => hidden.some((folder) => isWithin(place, folder))
  // what holds a hidden folder would give all of it back
  const isSafe = (place: string) => isHidden(place) && !hidden.some((folder) => isWithin(folder, place))
  const places = [
    ...neededOfShared,
    ...toolchains.flatMap(([folder, variable]) => [
      path.join(person, folder),
      ...(variable === undefined ? [] : (process.env[variable] ?? [])),
    ]),
    ...searched.split(path.delimiter).flatMap(withItsPrograms),
    ...[process.execPath, ...programs].flatMap((file) => [file, packageOf(file)]),
    packageOf(packageRoot),
  ]
  const found = new Set(places.flatMap((place) => real(place) ?? []))
  return [
    ...[...sharedFolders, ...homes].map((at): Rule => ({ kind: 'empty', at })),
    ...ofTheSystem,
    { kind: 'write', at: person, from: home },
    ...[...found].filter(isSafe).map((at): Rule => ({ kind: 'read', at })),
  ]
}

/** A folder of the PATH, and what its links lead to; of a `bin` all of what it belongs to, as toolchains lie. */
function withItsPrograms(folder: string): string[] {
  if (!path.isAbsolute(folder)) return []
  const above = path.dirname(folder)
  const isOfToolchain = ['lib', 'libexec', 'share'].some((name) => existsSync(path.join(above, name)))
  const prefix =
    path.basename(folder) === 'bin' && isOfToolchain && path.basename(above) !== '.local' ? [above] : []
  const names = unless(isSystemError, () => readdirSync(folder)) ?? []
  const led = names.flatMap((name) => {
    const file = path.join(folder, name)
    return isLink(file) ? [file, packageOf(file)] : []
  })
  return [folder, ...prefix, ...led]
}

/** All that a program consists of, where that can be told; else the file alone. */
function packageOf(file: string): string {
  const target = real(file) ?? file
  const parts = target.split(path.sep)
  const modules = parts.indexOf('node_modules')
  if (modules > 0) return parts.slice(0, modules + 1).join(path.sep)
  const shared = parts.findIndex((part, index) => part === '.local' && parts[index + 1] === 'share')
  if (shared > 0 && parts.length > shared + 3) return parts.slice(0, shared + 3).join(path.sep)
  const above = path.dirname(target)
  return path.basename(above) === 'bin' && path.basename(path.dirname(above)) !== '.local'
    ? path.dirname(above)
    : target
}

function isLink(file: string): boolean {
  return unless(isSystemError, () => lstatSync(file).isSymbolicLink()) ?? false
}
