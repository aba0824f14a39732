import { ConfigValidationError } from '../errors.ts'
import { configSchema, type Config } from '../protocol/config.ts'
import { federationLayout } from '../protocol/layout.ts'
import { problemsOf } from '../protocol/problems.ts'
import { disk } from '../storage/disk.ts'

/**
 * Reads and validates `federate.config.json`; a federation without one has every default (spec §2.3, §7).
 * The environment overrides its telemetry settings (spec §9).
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
  if (parsed.success) return { ...parsed.data, telemetry: overridden(parsed.data.telemetry) }
  throw new ConfigValidationError(file, problemsOf(parsed.error))
}

function overridden(telemetry: Config['telemetry']): Config['telemetry'] {
  const { FED_TELEMETRY_ENABLED: enabled, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = process.env
  if (enabled && enabled !== 'true' && enabled !== 'false') {
    throw new ConfigValidationError('the environment', [
      { path: 'FED_TELEMETRY_ENABLED', message: `'${enabled}' is neither true nor false` },
    ])
  }
  return {
    enabled: enabled ? enabled === 'true' : telemetry.enabled,
    collector: { endpoint: endpoint || telemetry.collector.endpoint },
  }
}
