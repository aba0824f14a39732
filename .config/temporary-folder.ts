import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Gives a run one folder for everything temporary, which goes with it whatever became of its processes. */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'fed-test-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
