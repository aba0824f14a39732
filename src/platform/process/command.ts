/** A process to start: never a shell line. */
export interface Command {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** What it gets beside the launcher's environment. */
  readonly env: Readonly<Record<string, string>>
  /** Whether its standard input is what the launcher writes to the gate's fourth stream; otherwise it has none. */
  readonly takesInput?: boolean
  /** Whether the program is a sandbox that holds the agent: it ends with the agent, and kills it when it ends itself. */
  readonly isSandboxed?: boolean
}
