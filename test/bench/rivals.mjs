// What the rows are measured against. None of it is a dependency of the product; what is not installed is
// skipped with a line that says how to get it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = fileURLToPath(new URL('rivals', import.meta.url))

/** Thrown by a row, or a part of one, that cannot be measured here. */
export class Skipped extends Error {}

/** A package of the rivals. */
export async function rivalPackage(name) {
  let file
  try {
    file = createRequire(path.join(folder, 'package.json')).resolve(name)
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
    throw new Skipped(`${name} is not installed: npm run bench:rivals`)
  }
  const loaded = await import(pathToFileURL(file).href)
  return loaded.default ?? loaded
}

/** The path of a server's program. */
export function rivalServer(name) {
  const { stdout, status } = spawnSync('sh', ['-c', 'PATH="$PATH:/usr/sbin" command -v "$0"', name], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Skipped(`${name} is not installed: apt-get install ${name}`)
  return stdout.trim()
}

let compiled

/** The C program `rivals/files.c`, compiled once in a process. */
export function rivalProgram() {
  if (compiled !== undefined) return compiled
  const dir = mkdtempSync(path.join(os.tmpdir(), 'fed-bench-program-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const program = path.join(dir, 'files')
  const { status, error } = spawnSync(
    'cc',
    ['-O2', '-pthread', '-o', program, path.join(folder, 'files.c')],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (status !== 0)
    throw new Skipped(`no C compiler (${error?.code ?? `exit ${status}`}): apt-get install gcc`)
  compiled = program
  return program
}

/** Runs the C program; it measures itself and prints milliseconds. */
export function runProgram(...args) {
  return Number(execFileSync(rivalProgram(), args.map(String), { encoding: 'utf8' }))
}
