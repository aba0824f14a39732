import { baseOf, nearness, partsOf } from './word-forms.ts'

/** A place of a term in a text. */
export interface Hit {
  readonly line: number
  readonly term: number
  readonly near: number
}

/** How near the best word of a text comes to each term. */
export type Held = readonly number[]

export interface Holding {
  /** Every word of a text that is near to a term, in the order of the lines. */
  hits(text: string): Hit[]
  /** The nearest word of a short text, for each term. */
  text(text: string): Held
}

/**
 * Finds terms, given by their bases, in texts: what each word is near to is worked out once. `meaning` says for each term
 * what share a word counts that only means the same: less where the code has the term itself in many names.
 */
export function holding(bases: readonly string[], meaning: readonly number[] = []): Holding {
  const known = new Map<string, readonly { term: number; near: number }[]>()
  const met = (word: string) => {
    const found = known.get(word)
    if (found !== undefined) return found
    const parts = partsOf(word)
    // two parts may be one word elsewhere: `shutDown` and `shutdown`
    const own = [...parts, ...parts.slice(1).map((part, at) => `${parts[at] ?? ''}${part}`)].map(baseOf)
    const whole = parts.map(baseOf).join(' ')
    const near = bases.flatMap((asked, term) => {
      const best = asked.includes(' ')
        ? Number(` ${whole} `.includes(` ${asked} `))
        : Math.max(0, ...own.map((part) => nearness(asked, part)))
      if (best > 0 && best < 0.5) return [{ term, near: best * (meaning[term] ?? 1) }]
      return best > 0 ? [{ term, near: best }] : []
    })
    known.set(word, near)
    return near
  }
  const word = /[\p{L}\p{N}_$]+/gu
  return {
    hits(text) {
      const hits: Hit[] = []
      let line = 1
      for (const row of text.split('\n')) {
        for (const [one] of row.matchAll(word))
          for (const { term, near } of met(one)) hits.push({ line, term, near })
        line += 1
      }
      return hits
    },
    text(text) {
      const held = bases.map(() => 0)
      for (const [one] of text.matchAll(word))
        for (const { term, near } of met(one)) held[term] = Math.max(held[term] ?? 0, near)
      return held
    },
  }
}
