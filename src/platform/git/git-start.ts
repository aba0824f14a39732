import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { GitMissingError } from '../../errors/git-errors.ts'
import { findProgram, pathOutside } from '../process/find-program.ts'
import { placeOf, type RepositoryPlace } from './repository-place.ts'
import { silencedFilters, type Setting } from './strange-filters.ts'

/** Variables that git sets for a hook: with them git works in the hook's repository, whatever the folder. */
const inherited = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
]

/** Variables that name a program, or change what git takes a repository or a path for. */
const misleading =
  /^(?:GIT_(?:EXTERNAL_DIFF|DIFF_OPTS|SSH.*|ASKPASS|PROXY_COMMAND|.*EDITOR|PAGER.*|TEMPLATE_DIR|NAMESPACE|ALTERNATE_OBJECT_DIRECTORIES|ATTR_SOURCE|CONFIG|SHALLOW_FILE|.*_PATHSPECS)|SSH_ASKPASS.*|PAGER|EDITOR|VISUAL)$/

/** This process's environment without the variables that git sets for a hook. */
export function outsideOfHooks(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.includes(name)))
}

/**
 * Options with which git starts no program by itself that a repository or a person named, and believes no cache and
 * no setting that could hide a change. What a command runs only when it is asked to (an external diff, a text
 * conversion), no command of fed's asks for.
 */
const harmless: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.commitGraph=false',
  'core.checkStat=default',
  'core.trustctime=true',
  'log.showSignature=false',
  'commit.gpgSign=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'core.alternateRefsCommand=false',
  // of no file of grafts it would say that such files are old
  'advice.graftFileDeprecated=false',
].flatMap((setting) => ['-c', setting])

/**
 * What git takes from the environment, in any folder: no optional locks, messages in English, commits as they are,
 * whatever stands in their place elsewhere, no program to page, edit or ask with, and no way to another repository.
 * `FED_NO_PROGRAM` is the value for what names a program.
 */
const always = {
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_ASKPASS: 'false',
  GIT_SSH_COMMAND: 'false',
  GIT_TERMINAL_PROMPT: '0',
  // of a promised object git would ask the remote, by whatever program its address names
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  FED_NO_PROGRAM: 'false',
}

/** Commands that make a repository: there is none to be named. */
const makers = ['init', 'clone']

/** A git to be started. */
export interface GitStart {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

interface GitStartOptions {
  /** Variables that count more than those for any git. */
  readonly env?: Readonly<Record<string, string>>
  /** The repository, where it is not the one in which the folder lies. */
  readonly own?: OwnRepository
}

/** A repository that fed made: there is nothing in its configuration that somebody else wrote. */
export interface OwnRepository {
  readonly gitDir: string
  readonly workTree: string
}

/**
 * How git is started in a folder: by its absolute path, told its repository, and without a way to a program that an
 * agent, a repository or the environment names. The one place where that is decided.
 * @throws {GitMissingError}; {GitRewrittenError} where the folder's `.git` leads to another repository than it did.
 */
export function gitStart(
  dir: string,
  args: readonly string[],
  { env = {}, own }: GitStartOptions = {},
): GitStart {
  const command = commandIn(args)
  const place = own !== undefined || makers.includes(command) ? undefined : placeOf(dir, command)
  const bare = started(dir, args, place, { ...always, ...env, ...(own && namesOf(own)) })
  if (place === undefined) return bare
  const ask = (...question: string[]) => answerOf(dir, started(dir, question, place, always))
  return { ...bare, env: withSettings(bare.env, silencedFilters(place, ask)) }
}

/** git's own command among the options before it, such as `status`. */
export function commandIn(args: readonly string[]): string {
  return args.find((word, index) => !word.startsWith('-') && args[index - 1] !== '-c') ?? String(args[0])
}

function started(
  dir: string,
  args: readonly string[],
  place: RepositoryPlace | undefined,
  env: Readonly<Record<string, string>>,
): GitStart {
  const { file, folders } = programFor(dir, place)
  const kept = Object.entries(outsideOfHooks()).filter(([name]) => !misleading.test(name))
  return {
    file,
    args: args[0] === '--version' ? args : [...harmless, ...args],
    env: { ...Object.fromEntries(kept), PATH: folders, ...(place?.isOwn && namesOf(place)), ...env },
  }
}

function namesOf(place: OwnRepository & Partial<RepositoryPlace>): Record<string, string> {
  const { gitDir, workTree, commonDir } = place
  const common = 'commonDir' in place ? commonDir : gitDir
  return {
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    ...(common !== undefined && { GIT_COMMON_DIR: common }),
  }
}

function withSettings(env: NodeJS.ProcessEnv, settings: readonly Setting[]): NodeJS.ProcessEnv {
  if (settings.length === 0) return env
  const count = Number(env.GIT_CONFIG_COUNT ?? 0)
  const named = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${count + at}`, key],
    [`GIT_CONFIG_VALUE_${count + at}`, value],
  ])
  return { ...env, ...Object.fromEntries(named), GIT_CONFIG_COUNT: String(count + settings.length) }
}

function answerOf(dir: string, { file, args, env }: GitStart): string | undefined {
  try {
    return execFileSync(file, args, {
      cwd: dir,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    // there is no such setting, or the configuration is damaged, which the command itself will say
    return undefined
  }
}

/** Tops of all work trees where this process asked git: agents write in them, wherever the next git works. */
const worked = new Set<string>()

const programs = new Map<string, { readonly file: string; readonly folders: string }>()

/** git, and the PATH for what it starts: without folders of the repository's, where agents write. */
function programFor(dir: string, place: RepositoryPlace | undefined) {
  if (place !== undefined) for (const top of [place.workTree, place.around]) if (top) worked.add(top)
  const tops = [...worked]
  const key = [process.env.PATH ?? '', ...tops].join('\0')
  const before = programs.get(key)
  if (before !== undefined) return before
  const folders = pathOutside(tops)
  const file = findProgram('git', dir, folders)
  if (file === undefined) throw new GitMissingError(dir, existsSync(dir), undefined)
  programs.set(key, { file, folders })
  return { file, folders }
}
