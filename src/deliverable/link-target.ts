/** Parentheses nested deeper than this end a target; the bound keeps reading linear. */
const deepestParentheses = 32

const title = /[ \n]+(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\))/y
const bracketed = /<((?:[^<>\\\n]|\\.)*)>/y

/**
 * Reads `(target "title")` behind the text of a link; `at` is the opening parenthesis. Undefined when the
 * text there is no target (CommonMark §6.3).
 */
export function linkTarget(text: string, at: number): { target: string; end: number } | undefined {
  let end = skipBlank(text, at + 1)
  let target: string
  bracketed.lastIndex = end
  const match = text[end] === '<' ? bracketed.exec(text) : null
  if (match !== null) {
    target = match[1] ?? ''
    end += match[0].length
  } else if (text[end] === '<') {
    return undefined
  } else {
    const from = end
    const bare = bareTargetEnd(text, from)
    if (bare === undefined) return undefined
    end = bare
    target = text.slice(from, end)
  }
  title.lastIndex = end
  if ((text[end] === ' ' || text[end] === '\n') && title.test(text)) end = title.lastIndex
  end = skipBlank(text, end)
  return text[end] === ')'
    ? { target: target.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'), end: end + 1 }
    : undefined
}

/** Undefined where the parentheses do not balance. */
function bareTargetEnd(text: string, from: number): number | undefined {
  let depth = 0
  let at = from
  for (; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character <= ' ') break
    if (character === '\\') at += 1
    else if (character === '(') depth += 1
    else if (character === ')' && depth === 0) break
    else if (character === ')') depth -= 1
    if (depth > deepestParentheses) return undefined
  }
  return depth === 0 ? Math.min(at, text.length) : undefined
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n') at += 1
  return at
}
