import { stripVTControlCharacters } from 'node:util'

const [up, wipe] = ['\uE000', '\uE001']

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
  // private characters stand for what moves and wipes
  const plain = output.replaceAll('\u001B[1A', up).replaceAll('\u001B[2K', wipe)
  for (const part of plain.split(/([\r\n\uE000\uE001])/)) {
    if (part === '\r') column = 0
    else if (part === '\n') {
      row += 1
      column = 0
      lines[row] ??= ''
    } else if (part === up) {
      screens.push([...lines])
      row = Math.max(0, row - 1)
    } else if (part === wipe) lines[row] = ''
    else write(part)
  }
  return [...screens, lines]
}
