import { readFileSync } from 'node:fs'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../storage/system-error.ts'

/** Which run of the machine this is, as the kernel calls it; undefined where it has no name for it. */
export function bootId(): string | undefined {
  return unless(isSystemError, () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
}
