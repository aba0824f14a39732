import type { Budget } from './budget.ts'
import type { SessionOptions } from './run-session.ts'

export interface LaunchOptions extends SessionOptions {
  /** What the mission may use up, in all of its sessions. */
  readonly budget?: Budget
  /** How often an agent that ends unfinished is started, in all. */
  readonly maxSessions: number
  /** Milliseconds until the launch gives up and stops the agent. */
  readonly timeoutMs?: number
}
