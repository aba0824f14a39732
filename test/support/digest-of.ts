import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

/** What tells a folder with all that it holds from the same after a change: names, kinds, permissions and bytes. */
export function digestOf(folder: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const place = path.join(folder, name)
    const stat = lstatSync(place)
    hash.update(`${name}\0${stat.mode}\0`)
    if (stat.isFile()) hash.update(readFileSync(place))
    if (stat.isSymbolicLink()) hash.update(readlinkSync(place))
  }
  return hash.digest('hex')
}
