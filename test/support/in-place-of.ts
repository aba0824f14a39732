import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

/** Puts something in a file's place while `act` runs; what it is must be the same afterwards. */
export async function inPlaceOf(
  file: string,
  make: (file: string) => unknown,
  act: () => Promise<void>,
): Promise<void> {
  const kept = existsSync(file) ? readFileSync(file) : undefined
  rmSync(file, { force: true })
  try {
    make(file)
    const before = execFileSync('ls', ['-ln', '--time-style=full-iso', path.dirname(file)])
    await act()
    expect(execFileSync('ls', ['-ln', '--time-style=full-iso', path.dirname(file)])).toEqual(before)
  } finally {
    rmSync(file, { recursive: true, force: true })
    if (kept !== undefined) writeFileSync(file, kept)
  }
}

export const write = (content: string | Buffer) => (file: string) => writeFileSync(file, content)
export const json = (content: unknown) => write(JSON.stringify(content))
/** JSON of so many lists in one another. */
export const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
