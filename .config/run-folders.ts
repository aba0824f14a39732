import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Gives a run one folder for everything temporary, and one for programs that it bundles, from where they find the
 * packages of the repository. Both go with the run, whatever became of its processes.
 */
export default function setup(): () => void {
  const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folders = [tmpdir(), cache].map((parent) => mkdtempSync(path.join(parent, 'fed-test-')))
  const [temporary, programs] = folders as [string, string]
  // some tests start what they test as another user
  for (const folder of folders) chmodSync(folder, 0o755)
  process.env.TMPDIR = temporary
  process.env.FED_TEST_PROGRAMS = programs
  // a hundred thousand files: nobody waits for the end of that
  return () => spawn('rm', ['-rf', '--', ...folders], { detached: true, stdio: 'ignore' }).unref()
}
