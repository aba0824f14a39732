import type { SymbolFact } from '../facts.ts'

const LONGEST = 160

/** How a symbol is declared, on one line and without its body. */
export function signatureOf(lines: readonly string[], { line, end }: SymbolFact): string {
  let text = ''
  for (let at = line; at <= Math.min(end, line + 14); at++) {
    text += ` ${(lines[at - 1] ?? '').replace(/\s\/\/.*$/, '').trim()}`
    if (isBalanced(text)) break
  }
  const plain = text
    .trim()
    .replace(/^export\s+(?:default\s+)?(?:declare\s+)?/, '')
    .replace(/\s+/g, ' ')
    .replace(/([([]) |,? (?=[)\]])/g, '$1')
  const bare = bodyStart(plain)
    .replace(/\s*(?:=>|[{:=;,(])\s*$/, '')
    .trim()
  return bare.length > LONGEST ? `${bare.slice(0, LONGEST - 1).trimEnd()}…` : bare
}

/** Text up to the brace that opens a body: the first one outside of brackets that ends the line or holds code. */
function bodyStart(text: string): string {
  let depth = 0
  for (const [at, mark] of [...text].entries()) {
    if (mark === '(' || mark === '[') depth++
    else if (mark === ')' || mark === ']') depth--
    else if (mark === '{' && depth === 0 && at > 0) return text.slice(0, at)
  }
  return text
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const mark of text) {
    if (mark === '(' || mark === '[') depth++
    else if (mark === ')' || mark === ']') depth--
  }
  return depth <= 0
}
