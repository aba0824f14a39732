/** A process to start: never a shell line. */
export interface Command {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Variables that it gets beside the launcher's environment; within walls they are all that it gets. */
  readonly env: Readonly<Record<string, string>>
  /** Whether its standard input is the gate's descriptor 3, to which the launcher writes; else none. */
  readonly takesInput?: boolean
  /** The signal by which it is asked to end before it is told to, if not SIGTERM. */
  readonly endsBy?: 'SIGINT' | 'SIGKILL'
  /** Whether the program raises walls: it ends when its agent ends, and kills its agent when it is ended. */
  readonly isConfined?: boolean
}
