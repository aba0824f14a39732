/** Version of the inspector's protocol that the messages follow (`@statelyai/inspect`). */
export const PROTOCOL_VERSION = '0.7.2'

/** What every message says. */
interface Base {
  /** The team's machine in one mission: `docs/1`. */
  readonly sessionId: string
  readonly rootId: string
  /** Milliseconds since 1970, as the inspector writes them. */
  readonly createdAt: string
  /** The same for the same happening, whoever tells it: `docs/12/0`. */
  readonly id: string
  readonly _version: string
  /** What fed adds, which the inspector does not look at. */
  readonly fed: WirePlace
}

/** Where a message stands in a team's life; messages of one team are in the order of version, then index. */
interface WirePlace {
  readonly team: string
  readonly mission: number
  readonly version: number
  readonly index: number
}

/** A machine begins, or a wire hears of it for the first time. */
export interface ActorMessage extends Base {
  readonly type: '@xstate.actor'
  readonly name: string
  readonly parentId: undefined
  /** The machine's literal as JSON. */
  readonly definition: string
  readonly snapshot: WireSnapshot
}

/** A signal was handled. One that was refused is followed by no snapshot: nothing changed. */
interface EventMessage extends Base {
  readonly type: '@xstate.event'
  /** A team's session, or the address of whoever else sent it. */
  readonly sourceId: string
  readonly event: WireEvent
}

/** Where the machine stood afterwards. */
interface SnapshotMessage extends Base {
  readonly type: '@xstate.snapshot'
  readonly event: WireEvent
  readonly snapshot: WireSnapshot
}

export type WireMessage = ActorMessage | EventMessage | SnapshotMessage

export interface WireEvent {
  readonly type: string
  readonly signal: {
    readonly id: string
    readonly from: string
    readonly subject: string
    readonly file: string
  }
  readonly outcome: 'accepted' | 'refused' | 'duplicate'
  readonly refusal?: { readonly kind: string; readonly message: string }
  readonly evidence?: Readonly<Record<string, unknown>>
}

export interface WireSnapshot {
  readonly status: 'active' | 'done'
  readonly value: unknown
  /** Missing between two signals of one commit, which keeps only the last. */
  readonly context?: Readonly<Record<string, unknown>>
  readonly historyValue?: Readonly<Record<string, readonly string[]>>
}
