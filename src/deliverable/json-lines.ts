import { parse, parseTree, type Node, type ParseError } from 'jsonc-parser'

/** The way to a value: names of fields and places in lists. */
export type JsonPath = readonly (string | number)[]

/** Lines of the values of a JSON text. */
export class JsonLines {
  readonly #ends: readonly number[]
  readonly #root: Node | undefined

  /** @param text valid JSON, not nested deeper than the stack. */
  constructor(text: string) {
    this.#ends = Array.from(text.matchAll(/\n/g), ({ index }) => index)
    this.#root = parseTree(text)
  }

  /** 1-based line on which the value begins; of one that is not there, the line of what should hold it. */
  lineOf(path: JsonPath): number {
    let node = this.#root
    for (const key of path) {
      const inner = node && valueAt(node, String(key))
      if (inner === undefined) break
      node = inner
    }
    // a field is told by its name, not by where its value begins
    const { offset = 0 } = (node?.parent?.type === 'property' ? node.parent : node) ?? {}
    return lineOfOffset(this.#ends, offset)
  }
}

function valueAt({ type, children = [] }: Node, key: string): Node | undefined {
  if (type === 'array') return children[Number(key)]
  // of a name that is given twice the last one counts
  return children.findLast(({ children: [name] = [] }) => name?.value === key)?.children?.[1]
}

/** How many lines end before it, by halving. */
function lineOfOffset(ends: readonly number[], offset: number): number {
  let [from, to] = [0, ends.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ends[middle] ?? 0) < offset) from = middle + 1
    else to = middle
  }
  return from + 1
}

/** 1-based line on which a text stops being JSON. */
export function lineOfSyntaxError(text: string): number {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    // brackets without end
    if (!(error instanceof RangeError)) throw error
  }
  const offset = errors[0]?.offset ?? 0
  return text.slice(0, offset).split('\n').length
}
