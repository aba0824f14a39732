import { execFile } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Scenario } from './scenario.ts'

const execute = promisify(execFile)

/** What a killed launch had started may write for another moment. */
const patient = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }

const places = new Set<string>()
process.once('exit', () => {
  for (const place of places) rmSync(place, patient)
})

/**
 * Where a scenario is played again and again, each time on a fresh copy of what it prepared. A federation
 * names its folders by absolute paths, so every copy stands in the same place, and one stand plays one run
 * at a time.
 */
export class Stand {
  readonly scenario: Scenario
  readonly #place: string

  private constructor(scenario: Scenario, place: string) {
    this.scenario = scenario
    this.#place = place
  }

  static async build(scenario: Scenario): Promise<Stand> {
    const stand = new Stand(scenario, mkdtempSync(path.join(os.tmpdir(), 'fed-stand-')))
    places.add(stand.#place)
    await scenario.prepare(stand.root)
    renameSync(stand.root, stand.#template)
    return stand
  }

  get root(): string {
    return path.join(this.#place, 'federation')
  }

  get #template(): string {
    return path.join(this.#place, 'template')
  }

  /** Puts a fresh copy in place; times and links are as they were. */
  async renew(): Promise<void> {
    rmSync(this.root, patient)
    await execute('cp', ['-a', this.#template, this.root])
  }

  remove(): void {
    rmSync(this.#place, patient)
    places.delete(this.#place)
  }
}
