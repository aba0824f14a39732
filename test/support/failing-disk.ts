import { fileURLToPath } from 'node:url'
import { fed, type Ended } from './fed.ts'

const preload = fileURLToPath(new URL('preload/failing-disk.cjs', import.meta.url))

/** How a disk fails; see `preload/failing-disk.cjs`. */
export interface DiskTrouble {
  readonly code?: string
  /** Number of the writing call that fails, from 1, and all after it unless `once`; none without it. */
  readonly at?: number
  readonly once?: boolean
  /** Only calls on a file whose path holds this count. */
  readonly match?: string
  /** File that gets how many calls there were. */
  readonly log?: string
}

/** Runs a command on such a disk; what it starts has a good one. */
export function fedOnDisk(
  root: string,
  trouble: DiskTrouble,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = {
    ...more,
    NODE_OPTIONS: `--require=${preload}`,
    FED_TEST_DISK: JSON.stringify(trouble),
  }
  return fed(root, args, { env })
}
