import { printable } from './printable.ts'

/**
 * Every error that a user can cause or meet. A message says what was wrong, where, and what to do next;
 * `exitCode` is what the command line ends with (0 done, 1 failed, 2 wrong usage, input or configuration,
 * 3 timed out, 4 not found, 5 refused).
 */
export class FedError extends Error {
  readonly exitCode: number = 1

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** The operating system said no; says what was not done because of it. The cause names the file. */
export class NotDoneError extends FedError {
  readonly what: string

  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.what = what
  }
}

/**
 * The operating system said no after what counts was done: it stands, and whoever comes next finishes what follows
 * from it. The cause names the file.
 */
export class UnfinishedError extends FedError {
  /** What is so now, such as `docs is paused`. */
  readonly stands: string
  /** Who finishes the rest, such as `whatever steps docs next finishes it`. */
  readonly next: string

  constructor(stands: string, next: string, cause: unknown) {
    // what could not be done because of it, the system's error says best
    const first = cause instanceof NotDoneError || cause instanceof UnfinishedError ? cause.cause : cause
    super(`${stands}, but ${first instanceof Error ? first.message : String(first)}; ${next}`, {
      cause: first,
    })
    this.stands = stands
    this.next = next
  }
}

/** A command, an argument or a name that cannot be meant. */
export class UsageError extends FedError {
  override readonly exitCode = 2
}

/** A name from outside that may not become a path (spec §2.4, design: `[a-z0-9]` words joined by `-`). */
export class InvalidNameError extends FedError {
  override readonly exitCode = 2
  readonly given: string

  constructor(given: string, reason: string) {
    super(`'${printable(given)}' is not a team id: ${reason}`)
    this.given = given
  }
}

export interface ValidationProblem {
  /** Dotted path of the field, empty for the whole document. */
  path: string
  message: string
}

/** The configuration or the registry does not say what it must; lists all problems at once, one in one line (spec §7). */
export class ConfigValidationError extends FedError {
  override readonly exitCode = 2
  readonly file: string
  readonly problems: readonly ValidationProblem[]

  constructor(file: string, problems: readonly ValidationProblem[]) {
    const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    const [only, ...others] = lines
    const list = others.length === 0 ? ` ${only}` : `\n  ${lines.join('\n  ')}`
    super(`${printable(file, Infinity)} is not valid:${list}`)
    this.file = file
    this.problems = problems
  }
}

/** The JSON Schema that the configuration names for deliverables cannot be used. */
export class DeliverableSchemaError extends FedError {
  override readonly exitCode = 2
  readonly file: string
  readonly reason: string

  constructor(file: string, reason: string, cause?: unknown) {
    super(
      `deliverableSchema: ${printable(file, Infinity)}: ${inOneLine(reason)}; correct it, or what federate.config.json says`,
      { cause },
    )
    this.file = file
    this.reason = reason
  }
}

export interface HookProblem {
  readonly message: string
  /** Absolute path, where it is another file than the module itself. */
  readonly file?: string
  /** Counted from 1, where it is known. */
  readonly line?: number
}

/** The module that `importHook` names cannot be used; lists all problems at once, one in one line. */
export class HookError extends FedError {
  override readonly exitCode = 2
  /** Absolute path of the module. */
  readonly file: string
  readonly problems: readonly HookProblem[]

  constructor(file: string, problems: readonly HookProblem[], cause?: unknown) {
    const lines = problems.map(
      ({ file: at = file, line, message }) =>
        `${printable(at, Infinity)}${line === undefined ? '' : `:${line}`}: ${inOneLine(message)}`,
    )
    const [only, ...others] = lines
    const list = others.length === 0 ? ` ${only}` : `\n  ${lines.join('\n  ')}\n`
    super(
      `importHook:${list}${others.length === 0 ? '; ' : ''}correct it, or what federate.config.json says`,
      {
        cause,
      },
    )
    this.file = file
    this.problems = problems
  }
}

/** A reason may quote the damage, with all that it holds. */
function inOneLine(reason: string): string {
  return printable(reason.replace(/\s*\n\s*/g, ' '), 1000)
}

/** A persisted document was damaged or edited; it is never silently replaced. */
export class CorruptDocumentError extends FedError {
  override readonly exitCode = 2
  readonly file: string
  readonly reason: string

  constructor(file: string, reason: string) {
    super(
      `${printable(file, Infinity)} is damaged: ${inOneLine(reason)}. Nothing was changed: 'fed doctor' says what can be repaired`,
    )
    this.file = file
    this.reason = reason
  }
}

/** Something else lies where fed keeps a plain file: a pipe, a device, a link, a folder. */
export class NotPlainFileError extends FedError {
  override readonly exitCode = 2
  readonly file: string
  /** What lies there, in words. */
  readonly found: string

  constructor(file: string, found: string) {
    super(
      `${printable(file, Infinity)} is ${found}, and fed keeps a plain file there; move it away, and give the command again`,
    )
    this.file = file
    this.found = found
  }
}

/** Nothing is left of a team's life: somebody removed its workspace, or what git ignores in it. */
export class LifecycleGoneError extends CorruptDocumentError {
  /** What is gone, without what to do. */
  readonly what: string
  readonly advice: string

  constructor(team: string, workspace: string, file: string, isFolderThere: boolean) {
    super(file, 'it is gone')
    this.what = isFolderThere
      ? `${printable(file, Infinity)} is gone with its versions ('git clean -x' does that)`
      : `its workspace ${printable(workspace, Infinity)} is gone`
    this.advice = `put the folder back from a copy, or 'fed offboard ${team}' takes the team out of the federation and keeps its work`
    this.message = `${team}: ${this.what}; ${this.advice}`
  }
}

/** The directory is not inside a git repository. */
export class NotARepositoryError extends FedError {
  override readonly exitCode = 2

  constructor(dir: string) {
    super(`${dir} is not inside a git repository; run 'git init' there, or name another with --dir`)
  }
}

/** The directory belongs to a repository, but holds none of its files: there is nothing to work on. */
export class NoWorkTreeError extends FedError {
  override readonly exitCode = 2

  constructor(dir: string, isBare: boolean) {
    super(
      isBare
        ? `${dir} is a bare repository, which has no files to work on; clone it, or make a work tree ('git worktree add <folder>') and work there`
        : `${dir} is inside of git's own folder; work in the folder that holds it`,
    )
  }
}

/** git itself could not be started, or not there. */
export class GitMissingError extends FedError {
  constructor(dir: string, isFolderThere: boolean, cause: unknown) {
    super(
      isFolderThere
        ? 'there is no git on the PATH; install it, or correct the PATH, and give the command again'
        : `git cannot work in ${dir}: there is no such folder`,
      { cause },
    )
  }
}

/** git does not say what must be known before a worktree is made or removed. */
export class GitTooOldError extends FedError {
  override readonly exitCode = 2

  constructor(found: string, needed: string) {
    super(
      `${found} is too old for worktrees of teams: it does not say which of them are locked or gone; install git ${needed} or newer, or use teams without a worktree`,
    )
  }
}

/** git was asked and said no. */
export class GitError extends FedError {
  /** git's own words. */
  readonly words: string

  constructor(command: string, dir: string, words: string, cause: unknown) {
    super(`git ${command} failed in ${dir}: ${inOneLine(words)}`, { cause })
    this.words = words
  }

  /** Whether git found no space for what it wrote, in the words of the system or its own. */
  get isOfFullDisk(): boolean {
    return /No space left on device|Out of diskspace|Disk quota exceeded/i.test(this.words)
  }
}

/** git cannot go on because of what another git holds, or has left when it was killed. */
export class GitBlockedError extends FedError {
  /** Absolute path of the file or folder. */
  readonly file: string

  constructor(file: string, what: string, advice: string, cause: unknown) {
    super(`${printable(file, Infinity)}: ${what}; ${advice}`, { cause })
    this.file = file
  }
}

/** A team's worktree cannot be made, or not removed, as things are; says what is in the way and what helps. */
export class WorktreeError extends FedError {
  override readonly exitCode = 2
  readonly workspace: string

  constructor(workspace: string, what: string, advice: string, cause?: unknown) {
    super(`worktree ${workspace}: ${what}; ${advice}`, { cause })
    this.workspace = workspace
  }
}

/** No federation was set up in the directory or above it, as far as its repository goes. */
export class FederationNotFoundError extends FedError {
  override readonly exitCode = 4
  /** Top of the repository at which the search ended. */
  readonly repository: string | undefined
  /** Root of a federation around that repository. */
  readonly outer: string | undefined

  constructor(dir: string, { repository, outer }: { repository?: string; outer?: string | undefined } = {}) {
    super(
      outer === undefined
        ? `no federation in ${dir} or above it; set one up with 'fed init'`
        : `no federation in ${dir}, which lies in the repository ${repository}: set one up there with 'fed init', ` +
            `or work with the one of the repository around it by '--dir ${outer}'`,
    )
    this.repository = repository
    this.outer = outer
  }
}

/** So many names are a help; more are told by 'fed status'. */
const fewTeams = 8

/** The registry holds no such team. */
export class TeamNotFoundError extends FedError {
  override readonly exitCode = 4
  readonly team: string

  /** @param nearest the one of the known teams that was probably meant. */
  constructor(team: string, known: readonly string[], nearest?: string) {
    const there =
      known.length === 0
        ? `it has none yet: 'fed onboard ${printable(team)} --archetype deliverable'`
        : nearest !== undefined
          ? `did you mean ${nearest}?`
          : known.length <= fewTeams
            ? `it has ${known.join(', ')}`
            : `it has ${known.length}, which 'fed status' lists`
    super(`no team '${printable(team)}' in this federation; ${there}`)
    this.team = team
  }
}

/** What was named is nowhere. */
export class NotFoundError extends FedError {
  override readonly exitCode = 4
}

/** A mailbox holds no such signal. */
export class SignalNotFoundError extends FedError {
  override readonly exitCode = 4
}

/** A team of that name exists already. */
export class TeamExistsError extends FedError {
  override readonly exitCode = 2
}

/** The machine, a policy or a running session says no. */
export class RefusedError extends FedError {
  override readonly exitCode = 5
}

/** The sandbox that was asked for cannot be had; the message says why. */
export class SandboxError extends RefusedError {
  readonly why: string

  constructor(why: string, options?: ErrorOptions) {
    super(`--sandbox on: ${why}; or leave it away, and the codebase is only watched`, options)
    this.why = why
  }
}

/** The time that the caller allowed ran out. */
export class TimedOutError extends FedError {
  override readonly exitCode = 3
}

/** A chat channel could not be read or written; what was taken up is kept, and goes on when it can. */
export class ChannelError extends FedError {}

/** An agent that is talked to did not answer, or not as the protocol says. */
export class AgentHostError extends FedError {}

/** The user interrupted; what was done so far is kept. */
export class InterruptedError extends FedError {
  override readonly exitCode = 130
}
