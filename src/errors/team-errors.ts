import { FedError } from './fed-error.ts'
import { asWord, printable } from './printable.ts'

/** A name from outside that may not become a path (spec §2.4, design: `[a-z0-9]` words joined by `-`). */
export class InvalidNameError extends FedError {
  override readonly exitCode = 2
  readonly given: string

  constructor(given: string, reason: string) {
    super(`'${printable(given)}' is not a team id: ${reason}`)
    this.given = given
  }
}

/** No federation was set up in the directory or above it, as far as its repository goes. */
export class FederationNotFoundError extends FedError {
  override readonly exitCode = 4
  /** Top of the repository at which the search ended. */
  readonly repository: string | undefined
  /** Root of a federation around that repository. */
  readonly outer: string | undefined

  constructor(dir: string, { repository, outer }: { repository?: string; outer?: string | undefined } = {}) {
    const place = printable(dir, Infinity)
    super(
      outer === undefined
        ? `no federation in ${place} or above it; set one up with 'fed init'`
        : `no federation in ${place}, which lies in the repository ${printable(repository ?? '', Infinity)}: set one up there with 'fed init', ` +
            `or work with the one of the repository around it by '--dir ${asWord(printable(outer, Infinity))}'`,
    )
    this.repository = repository
    this.outer = outer
  }
}

/** So many names are a help; more are told by 'fed status'. */
const fewTeams = 8

/** The registry holds no such team. */
export class TeamNotFoundError extends FedError {
  override readonly exitCode = 4
  readonly team: string

  /** @param nearest the one of the known teams that was probably meant. */
  constructor(team: string, known: readonly string[], nearest?: string) {
    const there =
      known.length === 0
        ? `it has none yet: 'fed onboard ${printable(team)} --archetype deliverable'`
        : nearest !== undefined
          ? `did you mean ${nearest}?`
          : known.length <= fewTeams
            ? `it has ${known.join(', ')}`
            : `it has ${known.length}, which 'fed status' lists`
    super(`no team '${printable(team)}' in this federation; ${there}`)
    this.team = team
  }
}

/** A mailbox holds no such signal. */
export class SignalNotFoundError extends FedError {
  override readonly exitCode = 4
}

/** A team of that name exists already. */
export class TeamExistsError extends FedError {
  override readonly exitCode = 2
}
