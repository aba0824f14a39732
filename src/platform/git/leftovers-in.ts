import { lstatSync } from 'node:fs'
import path from 'node:path'
import { brokenWorktree, namesIn, type Leftover } from './leftover.ts'

/** Everything in git's folder that a killed git may have left: locks, and half-made worktrees. */
export function leftoversIn(common: string): Leftover[] {
  const notes = path.join(common, 'worktrees')
  const names = namesIn(notes)
  const homes = [common, ...names.map((name) => path.join(notes, name))]
  const locks = homes.flatMap((home) => [
    ...locksIn(home, false),
    ...['info', 'objects/info', 'objects/pack', 'reftable'].flatMap((name) =>
      locksIn(path.join(home, name), false),
    ),
    ...['refs', 'logs'].flatMap((name) => locksIn(path.join(home, name), true)),
  ])
  return [
    ...names.flatMap((name) => brokenWorktree(common, name) ?? []),
    ...locks.map((file): Leftover => ({ kind: 'lock', path: file, common })),
  ]
}

/** No branch may be called so. */
function locksIn(dir: string, isDeep: boolean): string[] {
  return namesIn(dir).flatMap((name) => {
    const file = path.join(dir, name)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (stat?.isDirectory()) return isDeep ? locksIn(file, true) : []
    return stat?.isFile() && (name.endsWith('.lock') || name === 'packed-refs.new') ? [file] : []
  })
}
