/** Never the end of a sentence, whatever follows. */
const bound = new Set(
  'e.g i.e eg ie vs cf viz approx ca resp incl excl esp dr mr mrs ms prof st mt al z.b d.h'.split(' '),
)

/** No end of a sentence where a number follows. */
const numbered = new Set('no nr fig figs sec eq vol ch art p pp'.split(' '))

/** The end of a sentence only where a capital letter follows. */
const ambiguous = new Set(
  'etc inc ltd co corp jr sr a.m p.m dept est min max jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
)

/** Runs of terminators with the quotes, brackets and emphasis that close behind them. */
const terminators = /([.…?!]{1,99}|[。！？｡．।۔؟።]{1,99})["'”’»)\]」』）*_~]{0,99}/gu

const spoken = /[\p{L}\p{N}]/u

/**
 * Counts the sentences of one paragraph of visible text. Full stops inside of words (`1.5`, `Node.js`,
 * `deliverable.md`), behind abbreviations, initials and a leading list number end none; terminators of scripts
 * that write no blank space between sentences do. A rest without a terminator is a sentence of its own.
 */
export function countSentences(paragraph: string): number {
  const text = paragraph.replaceAll(/\s+/g, ' ').trim()
  let count = 0
  let from = 0
  let seen = 0
  let content = false
  for (const match of text.matchAll(terminators)) {
    const end = match.index + match[0].length
    content ||= spoken.test(text.slice(seen, match.index))
    seen = end
    if (!content) continue
    if (end < text.length && !ends(text, from, match.index, match[1] ?? '', end)) continue
    count += 1
    from = end
    content = false
  }
  return content || spoken.test(text.slice(seen)) ? count + 1 : count
}

/** Whether the terminator at `at`, with more text behind `end`, ends the sentence that began at `from`. */
function ends(text: string, from: number, at: number, terminator: string, end: number): boolean {
  if (!/[.…?!]/.test(terminator)) return true
  if (text[end] !== ' ') return false
  const capital = /^[^\p{L}\p{N}]{0,9}[\p{Lu}\p{Lo}\p{N}]/u.test(text.slice(end + 1, end + 12))
  const quoted = end > at + terminator.length
  if (terminator !== '.' || (quoted && !capital)) return capital
  const start = Math.max(from, text.lastIndexOf(' ', at) + 1)
  const word = text.slice(Math.max(start, at - 40), at).replace(/^[^\p{L}\p{N}]+/u, '')
  if (bound.has(word.toLowerCase())) return false
  if (numbered.has(word.toLowerCase()) && /^[^\p{L}]?\d/u.test(text.slice(end + 1, end + 3))) return false
  if (/^\p{Lu}$/u.test(word) || /^(?:\p{Lu}\.)+\p{Lu}$/u.test(word)) return false
  if (/^\d+$/.test(word) && text.slice(from, start).trim() === '') return false
  return capital || !ambiguous.has(word.toLowerCase())
}
