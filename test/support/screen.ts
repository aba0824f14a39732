import { stripVTControlCharacters } from 'node:util'

/** What a terminal shows, line by line, whenever a command has finished painting: it moves up, wipes and writes. */
export function screensOf(output: string): string[][] {
  const lines = ['']
  const screens: string[][] = []
  let row = 0
  let column = 0
  const write = (text: string) => {
    const plain = stripVTControlCharacters(text)
    if (plain === '') return
    const line = (lines[row] ?? '').padEnd(column)
    lines[row] = line.slice(0, column) + plain + line.slice(column + plain.length)
    column += plain.length
  }
  // eslint-disable-next-line no-control-regex
  for (const [part] of output.matchAll(
    /\r|\n|\u001B\[1A|\u001B\[2K|(?:(?!\r|\n|\u001B\[1A|\u001B\[2K)[^])+/g,
  )) {
    if (part === '\r') column = 0
    else if (part === '\n') {
      row += 1
      column = 0
      lines[row] ??= ''
    } else if (part === '\u001B[1A') {
      screens.push([...lines])
      row = Math.max(0, row - 1)
    } else if (part === '\u001B[2K') lines[row] = ''
    else write(part)
  }
  return [...screens, lines]
}
