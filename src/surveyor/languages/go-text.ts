const NEWLINE = 10
const [DOUBLE, SINGLE, BACKTICK, SLASH, STAR, BACKSLASH] = [34, 39, 96, 47, 42, 92]
const BRACE = 123
const [OPENS, CLOSES] = [1, 2]

/** What a character does to the depth, or that it may begin or end something else; most do nothing. */
const KINDS = new Uint8Array(128)
for (const mark of [NEWLINE, DOUBLE, SINGLE, BACKTICK, SLASH]) KINDS[mark] = 3
for (const mark of '([{') KINDS[mark.charCodeAt(0)] = OPENS
for (const mark of ')]}') KINDS[mark.charCodeAt(0)] = CLOSES

const endOr = (found: number, text: string): number => (found < 0 ? text.length : found)

/** Where the string or rune that begins here ends; at the end of its line where it is never closed. */
function afterQuoted(text: string, from: number, quote: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const mark = text.charCodeAt(at)
    if (mark === quote) return at + 1
    if (mark === NEWLINE) return at
    if (mark === BACKSLASH) at++
  }
  return text.length
}

/** Where the comment, string or rune that begins here ends; `from` itself where none begins. */
function afterText(text: string, from: number): number {
  const mark = text.charCodeAt(from)
  if (mark === DOUBLE || mark === SINGLE) return afterQuoted(text, from, mark)
  if (mark === BACKTICK) return endOr(text.indexOf('`', from + 1), text) + 1
  if (mark !== SLASH) return from
  const next = text.charCodeAt(from + 1)
  if (next === SLASH) return endOr(text.indexOf('\n', from), text)
  return next === STAR ? endOr(text.indexOf('*/', from + 2), text) + 2 : from
}

/** Whether the brace at a place belongs to a type, not to a body: `interface {`, `struct{`. */
const isOfType = (text: string, at: number): boolean =>
  /\b(?:interface|struct)\s*$/.test(text.slice(Math.max(0, at - 16), at))

/** Where the bodies of the functions at the top level open and close; undefined where brackets do not match. */
function bodiesOf(text: string): [open: number, close: number][] | undefined {
  const bodies: [number, number][] = []
  let depth = 0
  let inHead = text.startsWith('func')
  let open = -1
  for (let at = 0; at < text.length;) {
    const mark = text.charCodeAt(at)
    const kind = mark < 128 ? KINDS[mark] : 0
    if (kind === 0) {
      at++
      continue
    }
    const after = afterText(text, at)
    if (after > at) {
      at = after
      continue
    }
    if (kind === OPENS) {
      if (depth === 0 && inHead && mark === BRACE && !isOfType(text, at)) open = at
      depth++
    } else if (kind === CLOSES) {
      depth--
      if (depth < 0) return undefined
      if (depth === 0 && open >= 0) {
        bodies.push([open, at])
        open = -1
        inHead = false
      }
    } else if (depth === 0 && mark === NEWLINE) {
      // The brace of a body stands on the line on which the head ends.
      inHead = text.startsWith('func', at + 1)
    }
    at++
  }
  return depth === 0 ? bodies : undefined
}

/**
 * Go source without what stands in the bodies of its functions, each line in its place: what a file declares
 * stands outside of them, and they are most of what a parser would have to read.
 */
export function withoutBodies(source: string): string {
  const bodies = bodiesOf(source)
  if (bodies === undefined) return source
  const kept: string[] = []
  let from = 0
  for (const [open, close] of bodies) {
    kept.push(source.slice(from, open + 1))
    for (
      let line = source.indexOf('\n', open);
      line >= 0 && line < close;
      line = source.indexOf('\n', line + 1)
    )
      kept.push('\n')
    from = close
  }
  kept.push(source.slice(from))
  return kept.join('')
}

// Texts are taken as wholes, so that nothing within them is taken for a name.
const TOKENS =
  /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"?|`[^`]*`?|'(?:[^'\\\n]|\\.)+'|(?<![\w.])(?:[A-Z]\w*|[a-z]\w*(?:\.[A-Za-z]\w*|\()?)|(?<=[\w)\]}])\.[A-Za-z]\w*\(/g

/**
 * Bare names that may be package-level, and qualified ones (`storage.Open`), each once, sorted: Go imports
 * packages, not files.
 */
export function namesInGo(source: string): string[] {
  const names = new Set<string>()
  for (const token of new Set(source.match(TOKENS))) {
    // called on what a call or an element gives: a method, of whatever it is
    if (token.startsWith('.')) names.add(token.slice(0, -1))
    if (!/^[A-Za-z]/.test(token)) continue
    const dot = token.indexOf('.')
    const isCalled = token.endsWith('(')
    const name = dot >= 0 ? token.slice(0, dot) : isCalled ? token.slice(0, -1) : token
    if (isCalled || /^(?:[A-Z]|[a-z][a-z0-9]*[A-Z])/.test(name)) names.add(name)
    else if (dot >= 0) names.add(token)
  }
  return [...names].toSorted()
}
