import type { Readable, Writable } from 'node:stream'
import type { AgentProfile, ProfileSetting } from '../briefing/agent-profile.ts'
import type { AgentReport, Usage } from '../sessions/session-reports.ts'

/**
 * How an agent is driven: `raw` starts a command and waits for its end, `exec-json` also reads the JSON lines of
 * a headless run, `acp` talks with the agent by the Agent Client Protocol.
 */
export const driverKinds = ['raw', 'exec-json', 'acp'] as const
type DriverKind = (typeof driverKinds)[number]

/** What of its usage an agent tells. */
export type Told = readonly (keyof Usage)[]

/** What a session is about, for whoever starts its agent. */
export interface Assignment {
  readonly team: string
  /** When it was onboarded, ISO 8601: its name may have been another team's before, or become one's. */
  readonly since: string
  /** Root of the federation. */
  readonly root: string
  readonly workspace: string
  /** The codebase as the agent sees it: the root, or the team's worktree. */
  readonly codebase: string
  readonly profile: AgentProfile
  /** Short enough for an argument, without a NUL, and not to be taken for an option. */
  readonly prompt: string
  /** Holds the whole prompt. */
  readonly promptFile: string
  /** The agent's own name of an earlier session, with which it goes on. */
  readonly resume?: string
}

/** How an agent's process is started; never a shell line. */
export interface Start {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  /** Beside what every agent gets. */
  readonly env?: Readonly<Record<string, string>>
  /** Where it runs, if not in the codebase. */
  readonly cwd?: string
  /** What its command line or its environment names: written before it starts. */
  readonly files?: readonly { readonly file: string; readonly text: string }[]
  /** The agent's name of the session, where it is told it. */
  readonly session?: string
  /** Whether it is talked to by its standard input; otherwise it has none. */
  readonly takesInput?: boolean
}

/** Gets what a driver learns from its agent. */
export type Listener = (report: AgentReport) => void

/** The ends of a conversation: the agent's streams, and who is told what. */
export interface Ends {
  readonly input: Writable
  readonly output: Readable
  readonly assignment: Assignment
  readonly report: Listener
  /** Gets what the agent says and does, as lines for the session's log and for people. */
  readonly log: (line: string) => void
  /** Milliseconds that the agent has to answer what it answers at once: opening a session, a cancellation. */
  readonly patienceMs: number
}

/** How a turn of a conversation ended. */
export interface TurnEnd {
  /** Undefined where the agent did what it was asked to. */
  readonly failure?: string
}

/** A conversation with an agent that does not end by itself. */
export interface Dialogue {
  /** Settles when the agent has finished its turn and waits to be told more; never rejects. */
  turn(): Promise<TurnEnd>
  /** Puts words before an agent that waits. */
  say(words: string): void
  /** Asks the agent to stop what it does. */
  cancel(): void
  /** Ends the conversation; most agents end then. */
  leave(): void
}

/** One way to drive one agent. */
export interface AgentDriver {
  readonly kind: DriverKind
  readonly tells: Told
  /**
   * The agent's program, absolute.
   * @throws {UsageError} when there is none.
   */
  find(): string
  /** Whether the agent is given fed's tools (`fed mcp`) when a team of such a profile starts it. */
  givesTools(profile: AgentProfile): boolean
  /** What of a profile the agent is not told when it starts; it finds all of it in `FED_AGENT_PROFILE`. */
  untold(profile: AgentProfile): readonly ProfileSetting[]
  /** @throws {UsageError} as `find` does. */
  start(assignment: Assignment): Start
  /** Reads the lines that the agent prints; without it nobody does. */
  readonly listen?: (report: Listener, start: Start) => (line: string) => void
  /** Talks with the agent; without it the agent is left to itself until its process ends. */
  readonly talk?: (ends: Ends) => Dialogue
}
