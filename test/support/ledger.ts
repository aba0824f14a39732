import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** What a long proof has passed already, in a file: a run that was ended goes on where it stopped. */
export class Ledger {
  readonly #file: string | undefined
  readonly #passed: ReadonlySet<string>

  /** @param file one line for each thing that passed; nothing is kept, and nothing was passed, when it is left out. */
  constructor(file: string | undefined) {
    this.#file = file
    const lines = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    // a line that was not written whole tells nothing
    this.#passed = new Set(lines.slice(0, -1))
  }

  has(what: string): boolean {
    return this.#passed.has(what)
  }

  pass(what: string): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${what}\n`)
  }
}

/** The one that `FED_LINK_LEDGER` names. */
export const linkLedger = new Ledger(process.env.FED_LINK_LEDGER)
