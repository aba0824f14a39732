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

/** A message, and the place in the channel behind it: what to give `read` to go on after it. */
interface Heard {
  readonly message: ChatMessage
  readonly place: string
}

export interface Reading {
  /** Oldest first. What lies near the place may have been told before. */
  readonly heard: readonly Heard[]
  /** The place behind all that was read. */
  readonly place: string
}

/** Something to say in a channel. */
export interface Post {
  /** UUID; the same for the same post, whoever says it and however often. */
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
  /** Of its words: see `own-posts.ts`. */
  readonly digest: string
}

/** What is known when something is to be said. */
export interface Tries {
  /** When it was tried first, ISO 8601. */
  readonly since: string
  /** Whether that was another time, which may have said it. */
  readonly isAgain: boolean
  /** What else was said here lately. */
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
   * What was said after a place, in whatever number of pages.
   * @param place from an earlier reading; undefined when the channel is read for the first time.
   * @throws {ChannelError} when the channel cannot be read now.
   */
  read(place: string | undefined): Promise<Reading>
  /**
   * Says something; what an earlier try may have said is looked for first.
   * @returns the message's id, null where it is not told.
   * @throws {ChannelError} when it is not sure that it was said.
   */
  post(post: Post, tries: Tries): Promise<string | null>
  /** Calls `hear` soon after something may have been said; undefined where nothing tells of it. */
  watch?(hear: () => void): () => void
  close(): Promise<void>
}
