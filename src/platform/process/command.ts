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
  /** What it may use up within walls; it is ended when that is more. */
  readonly limits?: Limits
  /** Folder of the launcher's for this process, which the gate removes where the launcher cannot any more. */
  readonly leaves?: string
}

/** What a process and all that it starts may use up. */
export interface Limits {
  readonly processes: number
  /** Most that may be added to `places`, in bytes. */
  readonly bytes: number
  /** Folders that are looked at, absolute. */
  readonly places: readonly string[]
}

/** What was used up. */
export type Exceeded = keyof Pick<Limits, 'processes' | 'bytes'>
