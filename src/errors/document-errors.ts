import { FedError } from './fed-error.ts'
import { inOneLine, printable } from './printable.ts'

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

/** A document of fed's own cannot be read; it is never silently replaced. */
export abstract class UnreadableDocumentError extends FedError {
  override readonly exitCode = 2
  readonly file: string
  /** Why, without the file and without what to do. */
  readonly reason: string

  constructor(message: string, file: string, reason: string) {
    super(message)
    this.file = file
    this.reason = reason
  }
}

/** A persisted document was damaged or edited. */
export class CorruptDocumentError extends UnreadableDocumentError {
  constructor(file: string, reason: string) {
    const what = `${printable(file, Infinity)} is damaged: ${inOneLine(reason)}`
    super(`${what}. Nothing was changed: 'fed doctor' says what can be repaired`, file, reason)
  }
}

/** Something else lies where fed keeps a plain file or a folder: a pipe, a device, a link. */
export class NotPlainFileError extends FedError {
  override readonly exitCode = 2
  readonly file: string
  /** What lies there, in words. */
  readonly found: string

  constructor(file: string, found: string, kept: 'a plain file' | 'a folder' = 'a plain file') {
    super(
      `${printable(file, Infinity)} is ${found}, and fed keeps ${kept} there; move it away, and give the command again`,
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
    // within walls nobody sees the files of another team
    this.advice =
      process.env['FED_TRAY'] === undefined
        ? `put the folder back from a copy, or 'fed offboard ${team}' takes the team out of the federation and keeps its work`
        : `within walls a session sees the files of its own team alone; 'fed status ${team}' tells how that one stands`
    this.message = `${team}: ${this.what}; ${this.advice}`
  }
}
