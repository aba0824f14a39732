export type TomlTable = Record<string, string | string[]>

/**
 * The tables of a TOML file by dotted name, with strings and arrays of strings; any other value as written.
 * Enough for manifests: it never throws, and what it cannot read is simply not there.
 */
export function parseToml(text: string): Map<string, TomlTable> {
  const tables = new Map<string, TomlTable>()
  let table: TomlTable = {}
  tables.set('', table)
  const lines = text.split(/\r?\n/)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const header = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1]
    if (header !== undefined) {
      const name = header.replaceAll('"', '').replaceAll("'", '')
      table = tables.get(name) ?? {}
      tables.set(name, table)
      continue
    }
    const [, key, first] = /^\s*["']?([\w.@/-]+)["']?\s*=\s*(.*)$/.exec(line) ?? []
    if (key === undefined || first === undefined) continue
    let value = first
    if (/^\[/.test(value)) while (!isClosed(value) && at + 1 < lines.length) value += `\n${lines[++at] ?? ''}`
    table[key] = readValue(value)
  }
  return tables
}

const withoutStrings = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '').replace(/#.*$/gm, '')
const isClosed = (text: string): boolean => {
  const bare = withoutStrings(text)
  return bare.split('[').length <= bare.split(']').length
}

function readValue(text: string): string | string[] {
  const strings = Array.from(
    text
      .replace(/("(?:[^"\\]|\\.)*"|'[^']*')|#.*$/gm, (_, string: string | undefined) => string ?? '')
      .matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g),
    (match) => match[1] ?? match[2] ?? '',
  )
  if (text.startsWith('[')) return strings
  return /^["']/.test(text) ? (strings[0] ?? '') : text.replace(/\s+#.*$/, '').trim()
}

/** A string of a table, undefined where the key is absent or no string. */
export function tomlString(table: TomlTable | undefined, key: string): string | undefined {
  const value = table?.[key]
  return typeof value === 'string' ? value : undefined
}

/** A list of strings of a table, empty where the key is absent. */
export function tomlList(table: TomlTable | undefined, key: string): string[] {
  const value = table?.[key]
  return Array.isArray(value) ? value : []
}
