import { FedError, RefusedError } from './fed-error.ts'

/** The sandbox that was asked for cannot be had; the message says why. */
export class SandboxError extends RefusedError {
  readonly why: string

  constructor(why: string, options?: ErrorOptions) {
    super(`--sandbox on: ${why}; or leave it away, and the codebase is only watched`, options)
    this.why = why
  }
}

/** A chat channel could not be read or written; what was taken up is kept, and goes on when it can. */
export class ChannelError extends FedError {}

/** An agent that is talked to did not answer, or not as the protocol says. */
export class AgentHostError extends FedError {}
