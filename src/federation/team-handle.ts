import type { StepReport } from '../engine/step/step.ts'
import type { HistoryEntry } from './history-of-missions.ts'
import type { Team } from './team.ts'
import type { TeamStatus } from './team-status.ts'

/**
 * A team by its name. Its machine is loaded when a method is first called; each rejects with
 * TeamNotFoundError when no such team is registered.
 */
export class TeamHandle {
  readonly id: string
  readonly #open: () => Promise<Team>

  constructor(id: string, open: () => Promise<Team>) {
    this.id = id
    this.#open = open
  }

  /** Where the team stands and what it accepts now. */
  async status(): Promise<TeamStatus> {
    return (await this.#open()).status()
  }

  /** Handles every signal that waits. */
  async step(): Promise<StepReport> {
    return (await this.#open()).step()
  }

  /** Every signal that the present mission handled, in order; or all missions, or one by its number. */
  async history(of?: 'present' | 'all' | number): Promise<HistoryEntry[]> {
    return (await this.#open()).history(of)
  }

  /** @throws {RefusedError} with the machine's reason; the same holds for the three below. */
  async pause(): Promise<void> {
    return (await this.#open()).pause()
  }

  async resume(): Promise<void> {
    return (await this.#open()).resume()
  }

  async archive(): Promise<void> {
    return (await this.#open()).archive()
  }

  async restore(): Promise<void> {
    return (await this.#open()).restore()
  }
}
