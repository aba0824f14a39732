import { FedError, RefusedError } from './fed-error.ts'

/** The walls that were asked for cannot be had; the message says why, and what helps. */
export class ConfinementError extends RefusedError {
  constructor(why: string, remedy: string) {
    super(`confinement is on, and cannot be had: ${why}; ${remedy}`)
  }
}

/** A chat channel could not be read or written; what was taken up is kept, and goes on when it can. */
export class ChannelError extends FedError {}

/** An agent that is talked to did not answer, or not as the protocol says. */
export class AgentHostError extends FedError {}
