import { posix } from 'node:path'
import type { Survey } from './survey.ts'

/** The files or folders that a written path means: exact, then without its extension, then as the end of one path. */
export function findNamed(survey: Survey, path: string): string[] {
  const all = survey.files.map((file) => file.path)
  if (survey.byPath.has(path) || all.some((other) => other.startsWith(`${path}/`))) return [path]
  const ending = all.filter((other) => other.endsWith(`/${path}`) || other.replace(/\.[^.]+$/, '') === path)
  if (ending.length > 0) return ending.slice(0, 5)
  const folders = new Set(
    all.flatMap((other) =>
      other.includes(`/${path}/`) ? [other.slice(0, other.indexOf(`/${path}/`) + path.length + 1)] : [],
    ),
  )
  return [...folders].slice(0, 5)
}

/** The paths whose file name is spelled most like that of a path that does not exist, at most three. */
export function nearestNames(survey: Survey, path: string): string[] {
  const base = posix
    .basename(path)
    .toLowerCase()
    .replace(/\.[^.]+$/, '')
  return survey.files
    .map((file) => ({
      path: file.path,
      distance: distance(
        posix
          .basename(file.path)
          .toLowerCase()
          .replace(/\.[^.]+$/, ''),
        base,
      ),
    }))
    .filter((found) => found.distance <= Math.max(2, base.length / 3))
    .toSorted(
      (a, b) =>
        a.distance - b.distance ||
        distance(a.path, path) - distance(b.path, path) ||
        (a.path < b.path ? -1 : 1),
    )
    .slice(0, 3)
    .map((found) => found.path)
}

/** Edits between two short names (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}
