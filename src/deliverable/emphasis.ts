/** A run of `*`, `_` or `~` in visible text: the index of its piece, and what it may do there. */
export interface DelimiterRun {
  piece: number
  character: string
  length: number
  opens: boolean
  closes: boolean
}

const blank = /^[\s]?$/
const punctuation = /^[\p{P}\p{S}]$/u

/** Whether a run may open or close emphasis, from the characters around it (CommonMark §6.2). */
export function flanks(
  character: string,
  before: string,
  after: string,
): { opens: boolean; closes: boolean } {
  const left =
    !blank.test(after) && (!punctuation.test(after) || blank.test(before) || punctuation.test(before))
  const right =
    !blank.test(before) && (!punctuation.test(before) || blank.test(after) || punctuation.test(after))
  if (character !== '_') return { opens: left, closes: right }
  return {
    opens: left && (!right || punctuation.test(before)),
    closes: right && (!left || punctuation.test(after)),
  }
}

/** Shortens the runs that pair up as emphasis in `pieces`, so that only the visible characters stay. */
export function removeEmphasis(pieces: string[], runs: readonly DelimiterRun[]): void {
  const openers = new Map<string, DelimiterRun[]>()
  for (const run of runs) {
    const open = openers.get(run.character) ?? []
    openers.set(run.character, open)
    while (run.closes && run.length > 0) {
      const opener = open.at(-1)
      if (opener === undefined) break
      const used = Math.min(opener.length, run.length)
      opener.length -= used
      run.length -= used
      if (opener.length === 0) open.pop()
    }
    if (run.opens && run.length > 0) open.push(run)
  }
  for (const run of runs) pieces[run.piece] = run.character.repeat(run.length)
}
