const NEWLINE = 10
const [DOUBLE, SINGLE, BACKTICK, SLASH, STAR, BACKSLASH] = [34, 39, 96, 47, 42, 92]
const [OPEN, CLOSE] = [new Set([40, 91, 123]), new Set([41, 93, 125])]
const [BRACE, SMALL_F] = [123, 102]

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
  let inHead = false
  let open = -1
  for (let at = 0; at < text.length;) {
    const after = afterText(text, at)
    if (after > at) {
      at = after
      continue
    }
    const mark = text.charCodeAt(at)
    if (OPEN.has(mark)) {
      if (depth === 0 && inHead && mark === BRACE && !isOfType(text, at)) open = at
      depth++
    } else if (CLOSE.has(mark)) {
      depth--
      if (depth < 0) return undefined
      if (depth === 0 && open >= 0) {
        bodies.push([open, at])
        open = -1
        inHead = false
      }
    } else if (depth === 0) {
      // The brace of a body stands on the line on which the head ends.
      if (mark === NEWLINE) inHead = text.startsWith('func', at + 1)
      else if (mark === SMALL_F && at === 0) inHead = text.startsWith('func')
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
    const [, name = '', more = ''] = /^([A-Za-z]\w*)(.*)$/.exec(token) ?? []
    if (/^(?:[A-Z]|[a-z][a-z0-9]*[A-Z])/.test(name) || more === '(') names.add(name)
    else if (more !== '') names.add(token)
  }
  return [...names].toSorted()
}
