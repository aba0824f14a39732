const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const letterOrDigit = /[\p{L}\p{N}]/u

/**
 * Counts words: runs of characters between blank space that hold a letter or a digit. In scripts without blank
 * space between words (Chinese, Japanese) every character is one.
 */
export function countWords(text: string): number {
  let ideographic = 0
  const spaced = text.replaceAll(ideographs, () => {
    ideographic += 1
    return ' '
  })
  return ideographic + spaced.split(/\s+/).filter((part) => letterOrDigit.test(part)).length
}
