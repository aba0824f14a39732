/** A message of a chat channel. All of it is data from outside. */
export interface ChatMessage {
  readonly id: string
  /** Id of the message that the thread began with; its own where it began one. */
  readonly thread: string
  /** Who wrote it, as the chat product tells people apart: an address or a user's id. */
  readonly sender: string
  /** ISO 8601. */
  readonly at: string
  readonly text: string
}

/** A message, and the place in the channel behind it, with which `read` goes on after it. */
interface Heard {
  readonly message: ChatMessage
  readonly place: string
}

export interface Reading {
  /** Oldest first; messages near the place that was given may be among them again. */
  readonly heard: readonly Heard[]
  /** The place behind all that was read. */
  readonly place: string
}

/** Something to say in a channel. */
export interface Post {
  /** UUID; it stays the same however often, and by whichever process, the post is tried. */
  readonly id: string
  /** The thread to answer in, null for a message of its own. */
  readonly thread: string | null
  readonly text: string
}

/** Something that was said in a channel by the bridge. */
export interface SaidPost {
  /** Id of the message, null where the channel did not tell it. */
  readonly id: string | null
  readonly thread: string | null
  /** ISO 8601. */
  readonly at: string
  /** Digest of its text: see `digestOf` of `own-posts.ts`. */
  readonly digest: string
}

/** What is known of earlier posts when one is to be made. */
export interface Tries {
  /** When it was tried first, ISO 8601. */
  readonly since: string
  /** Whether an earlier try may have posted it already. */
  readonly isAgain: boolean
  /** What else the bridge posted here lately. */
  readonly said: readonly SaidPost[]
}

/** The port by which the bridge reads and writes a chat channel (spec §5: nobody here holds a key). */
export interface Channel {
  /** Tells this channel from every other; no path. */
  readonly key: string
  /** The channel in words. */
  readonly words: string
  /** Whether a look costs a turn of a model: then it is looked at rarely while nothing happens. */
  readonly isCostly: boolean
  /**
   * All messages after a place.
   * @param place from an earlier reading; undefined when the channel is read for the first time.
   * @throws {ChannelError} when the channel cannot be read now.
   */
  read(place: string | undefined): Promise<Reading>
  /**
   * Posts a text; where an earlier try may have posted it, the channel is searched for it first.
   * @returns the message's id, null where it is not told.
   * @throws {ChannelError} when it may not have been posted.
   */
  post(post: Post, tries: Tries): Promise<string | null>
  /**
   * Calls `hear` soon after messages may have come.
   * @returns what ends it. Undefined in a channel that cannot.
   */
  watch?(hear: () => void): () => void
  close(): Promise<void>
}
