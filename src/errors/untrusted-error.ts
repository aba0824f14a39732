import { RefusedError } from './fed-error.ts'

/** What of a repository runs only where a person trusts it: its files, and the commands that its configuration names. */
export type TrustedPart =
  'importHook' | 'agentCommand' | 'agents' | 'chatConfig.server' | 'checks' | 'confinement' | '.fed'

/** What is not trusted, and what therefore does not happen. */
const sentences: Readonly<Record<TrustedPart, readonly [subject: string, consequence: string]>> = {
  importHook: ['the code of importHook', 'so none of it runs'],
  agentCommand: ['the agentCommand of federate.config.json', 'so it is not started'],
  agents: ['the agents of federate.config.json', 'so none of them is started by its name'],
  'chatConfig.server': ['the chatConfig.server of federate.config.json', 'so it is not started'],
  checks: ['what checks and setup of federate.config.json run', 'so nothing of it runs'],
  confinement: ['what confinement of federate.config.json gives agents', 'so none is started'],
  '.fed': ['the .fed that git tracks here', 'so nothing works by what it says'],
}

/** Nobody on this machine has allowed this yet, or it has changed since. */
export class UntrustedError extends RefusedError {
  readonly part: TrustedPart
  /** What is so, without what helps. */
  readonly what: string

  constructor(part: TrustedPart, isChanged: boolean) {
    const [subject, consequence] = sentences[part]
    const state = isChanged ? 'has changed since it was trusted' : 'is not trusted on this machine'
    const what = `${subject} ${state}, ${consequence}`
    super(`${what}; to see and allow it: fed trust`)
    this.part = part
    this.what = what
  }
}
