import { code } from './write-markdown.ts'

/** `1,234`, whatever the machine's locale. */
export const figure = (value: number): string => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')

/** `1 file`, `1,234 files`. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${figure(value)} ${value === 1 ? one : many}`

/** `980 bytes`, `12 kB`, `3.4 MB`, in powers of ten. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${figure(bytes / 1_000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${Math.round((100 * part) / whole)} %`

/** `a`, `a and b`, `a, b and c`. */
export function enumeration(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1) ?? ''}`
}

/** Paths as code, at most `limit` of them, then how many more. */
export function paths(all: readonly string[], limit: number): string {
  const shown = all.slice(0, limit).map(code)
  const rest = all.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${figure(rest)} more` : enumeration(shown)
}
