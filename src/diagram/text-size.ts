// There is no browser to ask, and every reader has another font: widths are those of a wide common sans
// serif, so that text may come out narrower than its box and never wider.
const narrow = "iljI|'!.,:;"
const slim = 'frt()[]{}/\\-"` \u{a0}*°'
const wide = 'mwMWGOQ@%&→∧∨—…'

/** A space at which `wrap` does not break; it gives a plain one. */
export const unbroken = '\u{a0}'

export interface Font {
  /** In user units of the drawing. */
  readonly size: number
  readonly mono?: boolean
  readonly bold?: boolean
}

/** An upper estimate of a line's width, in user units. */
export function textWidth(text: string, { size, mono, bold }: Font): number {
  let em = 0
  for (const char of text) em += mono === true ? monoWidth(char) : sansWidth(char)
  return Math.ceil(em * size * (bold === true ? 1.08 : 1))
}

function monoWidth(char: string): number {
  return char.codePointAt(0)! < 0x2e80 ? 0.605 : 1.2
}

function sansWidth(char: string): number {
  if (narrow.includes(char)) return 0.31
  if (slim.includes(char)) return 0.4
  if (wide.includes(char)) return 0.9
  if (char >= 'A' && char <= 'Z') return 0.7
  return char.codePointAt(0)! < 0x2e80 ? 0.595 : 1.1
}

/** Breaks at plain spaces, so that no line is wider than `limit` unless what stands between two of them is. */
export function wrap(text: string, limit: number, font: Font): string[] {
  const lines: string[] = []
  for (const word of text.split(/[ \t\r\n]+/).filter((each) => each !== '')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && textWidth(longer, font) <= limit) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => line.replaceAll(unbroken, ' '))
}
