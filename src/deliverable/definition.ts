const definition =
  /\[((?:[^[\]\\]|\\.){1,999})\]:[ \n]*(?:<[^<>\n]*>|[^\s<]\S*)(?:[ \n]+(?:"[^"]*"|'[^']*'|\([^()]*\)))? *(?:\n|$)/y
const withoutTitle = /\[((?:[^[\]\\]|\\.){1,999})\]:[ \n]*(?:<[^<>\n]*>|[^\s<]\S*) *(?:\n|$)/y

/** Two labels name the same definition when they differ only in case and blank space. */
export function normalizeLabel(label: string): string {
  return label.trim().replaceAll(/\s+/g, ' ').toLowerCase().toUpperCase()
}

/**
 * Splits link definitions (`[label]: target "title"`) off the start of a paragraph. Returns their normalized
 * labels and the offset at which the paragraph's own text begins.
 */
export function leadingDefinitions(text: string): { labels: string[]; end: number } {
  const labels: string[] = []
  let end = 0
  while (text[end] === '[') {
    const match = matchAt(definition, text, end) ?? matchAt(withoutTitle, text, end)
    const label = normalizeLabel(match?.[1] ?? '')
    if (match === undefined || label === '') break
    labels.push(label)
    end += match[0].length
  }
  return { labels, end }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
