import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder } from './federation.ts'
import { trust } from './allow-everything.ts'

// what is made of the modules here is nobody's cache
process.env.XDG_CACHE_HOME = newFolder('cache')

const fixture = fileURLToPath(new URL('../fixtures/audit/hooks', import.meta.url))

/** Gives a federation the hook with the custom archetype `audit`. */
export function addAuditHook(root: string): void {
  cpSync(fixture, path.join(root, 'hooks'), { recursive: true })
  configureHook(root, 'hooks/fed.ts')
}

export function configureHook(root: string, importHook: string): void {
  writeFileSync(path.join(root, 'federate.config.json'), `${JSON.stringify({ importHook })}\n`)
  trust(root)
}

/** Gives a federation a hook of this text. */
export function addHook(root: string, text: string, name = 'hook.ts'): void {
  writeFileSync(path.join(root, name), text)
  configureHook(root, name)
}

/** Changes a text of a file of the hook; insists that it was there. */
export function change(root: string, file: string, from: string, to: string): void {
  const whole = path.join(root, 'hooks', file)
  const text = readFileSync(whole, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`)
  writeFileSync(whole, text.replace(from, to))
  trust(root)
}

/** What the fixture's functions were told, in order. */
export function happened(root: string): Record<string, unknown>[] {
  const lines = readFileSync(path.join(root, '.fed', 'happened.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}
