import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute folder of this package, whether the code runs bundled or from its sources. */
export const packageRoot = (() => {
  let dir = path.dirname(fileURLToPath(import.meta.url))
  while (!existsSync(path.join(dir, 'package.json'))) dir = path.dirname(dir)
  return dir
})()

export function packageVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(path.join(packageRoot, 'package.json'), 'utf8'),
  )
  return manifest.version
}

/** A built program of this package. */
export function program(name: 'fed' | 'fed-agent' | 'session-gate'): string {
  return path.join(packageRoot, 'dist', `${name}.js`)
}
