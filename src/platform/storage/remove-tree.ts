import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from './system-error.ts'

/** Removes a folder and all that it holds, also folders that nobody may write into, as some caches are. */
export function removeTree(folder: string): void {
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    remove()
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'ENOTEMPTY')) throw error
    openUp(folder)
    remove()
  }
}

function openUp(folder: string): void {
  // a link is no folder: what it leads to stays as it is
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openUp(path.join(folder, entry.name))
}
