import { FedError } from './fed-error.ts'
import { inOneLine, printable } from './printable.ts'

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

/** A worktree's `.git` leads elsewhere than its repository noted: in it git would work on another repository. */
export class GitRewrittenError extends GitError {
  /** What is so, and what helps. */
  readonly told: { readonly what: string; readonly advice: string }

  constructor(command: string, workTree: string, leadsTo: string, noted: string, repository: string) {
    const what = `its .git leads to ${leadsTo}, and the repository in ${repository} made it to lead to ${noted}`
    const advice = `'git -C ${repository} worktree repair' puts a rewritten file right; a folder in its place has to be moved away first`
    super(command, workTree, `${what}; ${advice}`, undefined)
    this.told = { what, advice }
  }
}

/** git was asked and has not answered in time, so that nothing is known. */
export class GitSlowError extends FedError {
  /** @param pipe a pipe at which git waits, where one was found. */
  constructor(command: string, dir: string, longestMs: number, pipe?: string) {
    const advice =
      pipe === undefined
        ? 'ask again when the disk is less busy'
        : `it waits at ${printable(pipe, Infinity)}, which is a pipe: move it away and ask again`
    super(`git ${command} in ${dir} gave no answer within ${longestMs / 1000} s; ${advice}`)
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
