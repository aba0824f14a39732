import { parse, type AnyNode, type ValueNode } from '@humanwhocodes/momoa'

/** The way to a value: names of fields and places in lists. */
export type JsonPath = readonly (string | number)[]

/** Lines of the values of a JSON text. */
export class JsonLines {
  readonly #body: ValueNode

  /** @param text valid JSON, not nested deeper than the stack. */
  constructor(text: string) {
    this.#body = parse(text).body
  }

  /** 1-based line on which the value begins; of one that is not there, the line of what should hold it. */
  lineOf(path: JsonPath): number {
    let value = this.#body
    let place: AnyNode = value
    for (const key of path) {
      const inner = innerOf(value, String(key))
      if (inner === undefined) break
      ;({ value } = inner)
      // a field is told by its name, not by where its value begins
      place = inner.type === 'Member' ? inner.name : value
    }
    return place.loc.start.line
  }
}

function innerOf(value: ValueNode, key: string) {
  if (value.type === 'Array') return value.elements[Number(key)]
  if (value.type !== 'Object') return undefined
  // of a name that is given twice the last one counts
  return value.members.findLast(({ name }) => (name.type === 'String' ? name.value : name.name) === key)
}

/** 1-based line on which a text stops being JSON. */
export function lineOfSyntaxError(text: string): number {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof Error && 'line' in error) return Number(error.line)
    // brackets without end
    if (!(error instanceof RangeError)) throw error
  }
  return 1
}
