import { FedError } from '../errors/fed-error.ts'
import { builtIn } from '../federation/catalogue.ts'
import type { Federation } from '../federation/federation.ts'
import { META } from '../protocol/team-id.ts'
import type { Link } from './connection.ts'
import type { View } from './line-view.ts'
import { nonceOf, sayHere, sayMs } from './presence.ts'
import { membersAtWork } from './work.ts'

/** What this site says of itself to the others, now and then. */
export class OwnPresence {
  readonly nonce: string
  readonly #federation: Federation
  readonly #view: View
  readonly #slots: number
  #archetypes: readonly string[] = []
  #saidAt = 0

  /** @param slots how many teams of goals may work here at once. */
  constructor(federation: Federation, view: View, slots: number) {
    this.#federation = federation
    this.#view = view
    this.#slots = slots
    this.nonce = nonceOf(federation.root)
  }

  /** Whether it is time to say it again. */
  get isDue(): boolean {
    return performance.now() - this.#saidAt >= sayMs
  }

  /** Says it for the first time on a connection. */
  async begin(link: Link): Promise<void> {
    this.#archetypes = await archetypesOf(this.#federation)
    await this.say(link)
  }

  async say(link: Link): Promise<void> {
    this.#saidAt = performance.now()
    const teams = [...this.#view.teams().keys()].filter((id) => id !== META && this.#view.own(id))
    await sayHere(link, {
      nonce: this.nonce,
      archetypes: [...this.#archetypes],
      slots: this.#slots,
      taken: this.#slots === 0 ? 0 : membersAtWork(this.#federation),
      teams: teams.length,
      sequence: this.#view.sequence,
    })
  }
}

/** The archetypes that can be worked with here: a hook that cannot be used, or is not trusted, adds none. */
async function archetypesOf(federation: Federation): Promise<string[]> {
  try {
    return (await federation.archetypes()).ids
  } catch (error) {
    if (error instanceof FedError) return builtIn.ids
    throw error
  }
}
