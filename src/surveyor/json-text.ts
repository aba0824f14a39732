/**
 * Parses JSON as people write it in configurations, with comments and trailing commas. A file that does not
 * parse is undefined: a survey reads what others wrote and must not fail on it.
 */
export function parseJson(text: string): unknown {
  const strict = attempt(text)
  if (strict !== undefined) return strict
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
      (_, string: string | undefined) => string ?? '',
    )
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? '')
  return attempt(plain)
}

function attempt(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
