// What git leaves in its folder, made old, and what fed put aside from there.
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export const minute = 60_000

/** Makes the file as old as is said; returns it. */
export function aged(file: string, ageMs: number): string {
  const at = new Date(Date.now() - ageMs)
  utimesSync(file, at, at)
  return file
}

/** Something in git's folder, as long untouched as is said; returns its path. */
export function leave(root: string, name: string, ageMs: number, text = ''): string {
  const file = path.join(root, '.git', name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return aged(file, ageMs)
}

/** Where fed puts aside what a killed git left. */
export const asideOf = (root: string): string => path.join(root, '.git', 'fed-aside')

/** The names of what was put aside, without what makes each unique. */
export function putAside(root: string): string[] {
  const aside = asideOf(root)
  return existsSync(aside) ? readdirSync(aside).map((name) => name.replace(/\.[0-9a-f-]{36}$/, '')) : []
}
