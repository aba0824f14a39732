/** One way to reach for something; whoever tries it is held within walls. */
export type Try =
  /** A file that holds something, or a folder that does. */
  | { readonly do: 'read'; readonly at: string }
  /** A text at the end of a file, which is made where it is not there. */
  | { readonly do: 'write'; readonly at: string }
  /** Whoever listens on a socket, by its path, or on a port of an address. */
  | { readonly do: 'connect'; readonly to: string | { readonly host: string; readonly port: number } }
  /** `host:port`, by the proxy that the session has. */
  | { readonly do: 'ask-proxy'; readonly to: string }
  | { readonly do: 'variable'; readonly name: string }
  /** A process with this word on its command line. */
  | { readonly do: 'see'; readonly marked: string }
  /** Leaves a process with this word on its command line behind. */
  | { readonly do: 'stay'; readonly marked: string }
  | { readonly do: 'run'; readonly command: readonly string[] }

/** Something that an agent within walls reaches for, or uses. */
export interface Attempt {
  /** What it is, in a few words. */
  readonly what: string
  /** Whether the walls give it; `maybe`: this federation's configuration may. */
  readonly given: boolean | 'maybe'
  readonly tries: readonly Try[]
  /** File outside whose change tells that it was reached, whatever the tries say. */
  readonly watched?: string
}

/** What came of an attempt: as it should be, or not; `absent`: there is nothing of the kind here. */
export type Outcome = 'refused' | 'given' | 'reached' | 'denied' | 'absent'

/** What came of an attempt that was made. */
export function outcomeOf({ given }: Pick<Attempt, 'given'>, wasReached: boolean): Outcome {
  if (given === 'maybe') return wasReached ? 'given' : 'refused'
  if (given) return wasReached ? 'given' : 'denied'
  return wasReached ? 'reached' : 'refused'
}

/** Whether something is reached that must not be, or cannot be used although it is given. */
export function isWrong(outcome: Outcome | undefined): boolean {
  return outcome === 'reached' || outcome === 'denied'
}

/** What the agent of a probe is told, in a file. */
export interface Orders {
  readonly attempts: readonly Pick<Attempt, 'what' | 'tries'>[]
  /** File of its workspace for what it did: of each attempt the tries that went well. */
  readonly notes: string
}
export type Notes = Readonly<Record<string, readonly Try[]>>
