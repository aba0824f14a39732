import { ConfigValidationError } from '../errors.ts'
import { configSchema, type Config } from '../protocol/config.ts'
import { federationLayout } from '../protocol/layout.ts'
import { problemsOf } from '../protocol/problems.ts'
import { disk } from '../storage/disk.ts'

/**
 * Reads and validates `federate.config.json`; a federation without one has every default (spec §2.3, §7).
 * @throws {ConfigValidationError} listing every problem at once.
 */
export function loadConfig(root: string): Config {
  const file = federationLayout(root).config
  let json: unknown
  try {
    json = JSON.parse(disk.read(file) ?? '{}')
  } catch (error) {
    throw new ConfigValidationError(file, [{ path: '', message: (error as Error).message }])
  }
  const parsed = configSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new ConfigValidationError(file, problemsOf(parsed.error))
}
