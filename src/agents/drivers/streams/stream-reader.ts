/** Reads the events of one run, one after the other. */
export type StreamReader = (event: object) => void
