/** A process to start: never a shell line. */
export interface Command {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Variables that it gets beside the launcher's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Whether its standard input is the gate's descriptor 3, to which the launcher writes; else none. */
  readonly takesInput?: boolean
  /** Whether the program is a sandbox: it ends when its agent ends, and kills its agent when it is ended. */
  readonly isSandboxed?: boolean
}
