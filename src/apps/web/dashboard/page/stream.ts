/** What the server told: the event's name and its JSON. A name of `lost` is this side's own: nobody tells anything. */
export interface Heard {
  readonly name: string
  readonly text: string
}

/** Longest time without a word from the server, in milliseconds; it says something every 15 seconds. */
const silenceMs = 40_000
/** Between two attempts, in milliseconds: longer each time, so that a night without a server costs nothing. */
const shortestWaitMs = 300
const longestWaitMs = 5000

/** Server-sent events, for as long as anybody listens; a server that went away is waited for. */
export class Stream {
  readonly #names: ReadonlySet<string>
  readonly #hear: (heard: Heard) => void
  #source: EventSource | undefined
  #again: ReturnType<typeof setTimeout> | undefined
  #waitMs = shortestWaitMs
  #heardAt = 0

  constructor(names: ReadonlySet<string>, hear: (heard: Heard) => void) {
    this.#names = names
    this.#hear = hear
    setInterval(() => this.look(), silenceMs / 4)
  }

  /** Connects anew: the server tells everything to whoever comes. */
  open(): void {
    this.#close()
    const source = new EventSource('events')
    this.#source = source
    this.#heardAt = Date.now()
    for (const name of [...this.#names, 'beat'])
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        this.#heardAt = Date.now()
        this.#waitMs = shortestWaitMs
        if (name !== 'beat') this.#hear({ name, text: data })
      })
    source.addEventListener('error', () => this.#lose())
  }

  /** A machine that slept has a connection that nobody ended, or waits longer than it has to. */
  look(): void {
    const isSilent = this.#source !== undefined && Date.now() - this.#heardAt > silenceMs
    if (isSilent) this.#lose()
  }

  #lose(): void {
    this.#close()
    this.#hear({ name: 'lost', text: '' })
    this.#again = setTimeout(() => this.open(), this.#waitMs)
    this.#waitMs = Math.min(longestWaitMs, this.#waitMs * 1.5)
  }

  #close(): void {
    clearTimeout(this.#again)
    this.#source?.close()
    this.#source = undefined
  }
}
