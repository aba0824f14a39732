let clock: () => number = () => Date.now()

/** The present time in milliseconds since 1970, for everything that fed does. */
export function presentMs(): number {
  return clock()
}

/**
 * Has this process live by another clock: one that a test turns, say.
 * @returns how to go back to the machine's.
 */
export function setClock(another: () => number): () => void {
  const before = clock
  clock = another
  return () => {
    clock = before
  }
}
