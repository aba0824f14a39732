import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Many times what a run writes. */
const enoughBytes = 8 * 1024 ** 3

/** Whether a folder has room for a run, and lets programs run that lie in it. */
function isUsable(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const program = path.join(mkdtempSync(path.join(folder, 'fed-test-')), 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    try {
      execFileSync(program)
    } finally {
      rmSync(path.dirname(program), { recursive: true })
    }
    return bavail * bsize > enoughBytes
  } catch {
    // there is none, or nobody may write or run anything there
    return false
  }
}

/**
 * Where a run writes: in memory where it can, which is as good a file system and twenty times as fast to make files
 * in; on the disk when all of every test runs, or when `TMPDIR` names a place.
 */
function placeOfRun(): string {
  const isOnDisk = process.env.TMPDIR !== undefined || process.env.FED_THOROUGH !== undefined
  return !isOnDisk && isUsable('/dev/shm') ? '/dev/shm' : tmpdir()
}

/**
 * Gives a run one folder for everything temporary, and one for programs that it bundles, from where they find the
 * packages of the repository. Both go with the run, whatever became of its processes.
 */
export default function setup(): () => void {
  const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folders = [placeOfRun(), cache].map((parent) => mkdtempSync(path.join(parent, 'fed-test-')))
  const [temporary, programs] = folders as [string, string]
  // some tests start what they test as another user
  for (const folder of folders) chmodSync(folder, 0o755)
  process.env.TMPDIR = temporary
  // what a person trusts, and what fed keeps for one, is nobody's here
  for (const kind of ['CONFIG', 'CACHE', 'STATE'])
    mkdirSync((process.env[`XDG_${kind}_HOME`] = path.join(temporary, kind.toLowerCase())))
  process.env.FED_TEST_PROGRAMS = programs
  // a hundred thousand files: nobody waits for the end of that
  return () => spawn('rm', ['-rf', '--', ...folders], { detached: true, stdio: 'ignore' }).unref()
}
