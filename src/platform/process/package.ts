import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

interface Manifest {
  readonly name?: string
  readonly version: string
}

const { root, manifest } = (() => {
  for (let dir = import.meta.dirname; ; dir = path.dirname(dir)) {
    const file = path.join(dir, 'package.json')
    if (dir === path.dirname(dir) && !existsSync(file)) throw new Error('fed runs outside of its package')
    if (!existsSync(file)) continue
    // the built folders hold a nameless one each, which says the kind of their modules
    const found: Manifest = JSON.parse(readFileSync(file, 'utf8'))
    if (found.name !== undefined) return { root: dir, manifest: found }
  }
})()

/** Absolute folder of this package, whether the code runs bundled or from its sources. */
export const packageRoot: string = root
export const packageVersion: string = manifest.version

/** A built program of this package. */
export function program(
  name:
    | 'fed'
    | 'fed-agent'
    | 'gate'
    | 'relay'
    | 'probe-agent'
    | 'hook-thread'
    | 'drawing-thread'
    | 'parsing-thread'
    | 'postman-thread',
): string {
  return path.join(packageRoot, 'dist', `${name}.js`)
}
