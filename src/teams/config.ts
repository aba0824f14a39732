import { ConfigValidationError } from '../errors.ts'
import { configSchema, type Config } from '../protocol/config.ts'
import { federationLayout } from '../protocol/layout.ts'
import { problemsOf } from '../protocol/problems.ts'
import { parseStrictJson } from '../protocol/strict-json.ts'
import { readOutside } from '../storage/outside-file.ts'

/** A configuration is some hundred bytes; what is larger is something else. */
const largestBytes = 1_048_576

/**
 * Reads and validates `federate.config.json`; a federation without one has every default (spec §2.3, §7).
 * The environment overrides its telemetry settings (spec §9).
 * @throws {ConfigValidationError} listing every problem at once.
 */
export function loadConfig(root: string): Config {
  const file = federationLayout(root).config
  const parsed = configSchema.safeParse(readJson(file))
  if (parsed.success) return { ...parsed.data, telemetry: overridden(parsed.data.telemetry) }
  throw new ConfigValidationError(file, problemsOf(parsed.error))
}

function readJson(file: string): unknown {
  const wholeFile = (message: string) => new ConfigValidationError(file, [{ path: '', message }])
  const outside = readOutside(file, { largestBytes, followLinks: true })
  if (outside.kind === 'missing') return {}
  if (outside.kind === 'fault') throw wholeFile(outside.fault)
  try {
    return parseStrictJson(outside.text)
  } catch (error) {
    throw wholeFile((error as Error).message)
  }
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
