import type { Readable, Writable } from 'node:stream'
import type { AgentProfile, ProfileSetting } from '../briefing/agent-profile.ts'
import type { ToldReport, Usage } from '../sessions/session-reports.ts'

/**
 * How an agent is driven: `raw` starts a command and waits for its end, `exec-json` also reads the JSON lines
 * of a headless run, `acp` talks with the agent by the Agent Client Protocol.
 */
export const driverKinds = ['raw', 'exec-json', 'acp'] as const
type DriverKind = (typeof driverKinds)[number]

/** The usage figures that an agent reports. */
export type UsageFigures = readonly (keyof Usage)[]

/** On which terms an agent works. */
export interface Terms {
  readonly profile: AgentProfile
  /** Whether walls hold it: then they say what it can do, and its program lets it do all of that. */
  readonly isHeld: boolean
}

/** What a driver is told of a session whose agent it starts. */
export interface Assignment extends Terms {
  readonly team: string
  /** When the team was onboarded, ISO 8601: tells it from other teams that had or get the same id. */
  readonly since: string
  /** Root of the federation. */
  readonly root: string
  readonly workspace: string
  /** The codebase as the agent sees it: the root, or the team's worktree. */
  readonly codebase: string
  /** The prompt, or a pointer to `promptFile` if it is too long for an argument; no NUL, no leading dash. */
  readonly prompt: string
  /** Absolute path of the file with the whole prompt. */
  readonly promptFile: string
  /** Absolute path of the session's tray, by which its agent asks fed for everything. */
  readonly tray: string
  /** Id of the agent's own session that it is to resume; without it the agent begins a new one. */
  readonly resume?: string
  /** The most that the session may cost, in US dollars, for agents that keep to it themselves. */
  readonly mayCost?: number
}

/** How an agent's process is started; never a shell line. */
export interface Start {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  /** Environment variables beside those that every agent gets (`commandFor` in agent-environment.ts). */
  readonly env?: Readonly<Record<string, string>>
  /** Folder in which it runs, if not the codebase. */
  readonly cwd?: string
  /** Files that the arguments or the environment refer to; they are written before the agent starts. */
  readonly files?: readonly { readonly file: string; readonly text: string }[]
  /** Id of the agent's session, where fed passes it on the command line; without it the agent chooses one. */
  readonly session?: string
  /** Whether fed talks to the agent by its standard input; otherwise it has none. */
  readonly takesInput?: boolean
  /** The signal by which it is asked to end, if not SIGTERM. */
  readonly endsBy?: 'SIGINT' | 'SIGKILL'
  /** Whether it keeps to `mayCost` itself. */
  readonly keepsCost?: boolean
}

/** Gets what a driver learns from its agent. */
export type Listener = (report: ToldReport) => void

/** Reads what an agent prints, and what it keeps of its session. */
export interface Ear {
  /** Takes a line that the agent printed. */
  line(line: string): void
  /** The agent is gone: what it left to read is read. */
  end(): void
}

/** What a conversation with an agent needs: the agent's streams, and where to report. */
export interface Ends {
  readonly input: Writable
  readonly output: Readable
  readonly assignment: Assignment
  readonly report: Listener
  /** Gets each line that tells what the agent says and does, for the session's log and for people. */
  readonly log: (line: string) => void
  /** Milliseconds in which the agent must answer short requests, such as opening a session. */
  readonly patienceMs: number
}

/** How a turn of a conversation ended. */
export interface TurnEnd {
  /** Why the turn failed; undefined where the agent ended it normally. */
  readonly failure?: string
}

/** A conversation with an agent that does not end by itself. */
export interface Dialogue {
  /** Settles when the agent has finished its turn and waits to be told more; never rejects. */
  turn(): Promise<TurnEnd>
  /**
   * What the agent is to be told when its turn has ended: what it asked for and may not have, in words that it can act on.
   * Each thing is told once; undefined where there is nothing.
   */
  notice(): string | undefined
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
  readonly tells: UsageFigures
  /**
   * The agent's program, absolute.
   * @throws {UsageError} when there is none.
   */
  find(): string
  /** Whether the agent is given fed's tools (`fed mcp`) when it is started on such terms. */
  givesTools(terms: Terms): boolean
  /** Settings of the profile that the driver does not pass to its agent; `FED_AGENT_PROFILE` holds all. */
  untold(terms: Terms): readonly ProfileSetting[]
  /** @throws {UsageError} as `find` does. */
  start(assignment: Assignment): Start
  /**
   * Makes a reader of what the agent prints, which reports what that tells: session id, usage, limits, written
   * files. Without `listen` the lines are only logged and shown.
   */
  readonly listen?: (report: Listener, start: Start) => Ear
  /** Begins a conversation with the agent; without `talk` it works by itself until its process ends. */
  readonly talk?: (ends: Ends) => Dialogue
}
