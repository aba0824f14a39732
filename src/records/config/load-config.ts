import { ConfigValidationError, type ValidationProblem } from '../../errors/document-errors.ts'
import { configSchema, endpointSchema, type Config } from '../../protocol/config-schema.ts'
import { meantField } from '../../protocol/config-fields.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { problemsOf } from '../../protocol/problems.ts'
import { parseStrictJson } from '../../protocol/strict-json.ts'
import { printable } from '../../errors/printable.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'

/** A configuration is some hundred bytes; what is larger is something else. */
const largestBytes = 1_048_576

/** The configuration, and where its values came from. */
export interface ConfigReading {
  /** Absolute path of `federate.config.json`, whether it exists or not. */
  readonly file: string
  /** What the file says; undefined where there is none. */
  readonly given: unknown
  /** Environment variables that override a field, by the field's dotted path. */
  readonly overridden: ReadonlyMap<string, string>
  readonly config: Config
}

/**
 * Reads and validates `federate.config.json`; a federation without one has every default (spec §2.3, §7).
 * The environment overrides its telemetry settings (spec §9).
 * @throws {ConfigValidationError} listing every problem at once, those of the environment as well.
 */
export function loadConfig(root: string): Config {
  return readConfig(root).config
}

/**
 * The same, with where the values came from.
 * @throws {ConfigValidationError}
 */
export function readConfig(root: string): ConfigReading {
  const file = federationLayout(root).config
  const { given, fault } = readJson(file)
  const parsed = configSchema.safeParse(given === undefined ? {} : given)
  const inFile = fault !== undefined ? [fault] : parsed.success ? [] : problemsOf(parsed.error, meantField)
  const environment = readEnvironment(process.env)
  if (inFile.length > 0 || !parsed.success) {
    throw new ConfigValidationError(file, [...inFile, ...environment.problems])
  }
  if (environment.problems.length > 0) {
    throw new ConfigValidationError('the environment', environment.problems)
  }
  const { telemetry } = parsed.data
  const { enabled = telemetry.enabled, endpoint = telemetry.collector.endpoint } = environment
  return {
    file,
    given,
    overridden: environment.overridden,
    config: { ...parsed.data, telemetry: { enabled, collector: { endpoint } } },
  }
}

function readJson(file: string): { readonly given?: unknown; readonly fault?: ValidationProblem } {
  const outside = readOutside(file, { largestBytes, followLinks: true })
  if (outside.kind === 'missing') return {}
  if (outside.kind === 'fault') return { fault: { path: '', message: outside.fault } }
  try {
    return { given: parseStrictJson(outside.text) }
  } catch (error) {
    return { fault: { path: '', message: (error as Error).message } }
  }
}

interface Environment {
  readonly enabled?: boolean
  readonly endpoint?: string
  readonly overridden: ReadonlyMap<string, string>
  readonly problems: readonly ValidationProblem[]
}

/** What the environment overrides; an empty variable is one that is not set. */
function readEnvironment({
  FED_TELEMETRY_ENABLED: enabled,
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
}: NodeJS.ProcessEnv): Environment {
  const overridden = new Map<string, string>()
  const problems: ValidationProblem[] = []
  if (enabled) overridden.set('telemetry.enabled', 'FED_TELEMETRY_ENABLED')
  if (enabled && enabled !== 'true' && enabled !== 'false') {
    const message = `in the environment: '${printable(enabled)}' is neither true nor false`
    problems.push({ path: 'FED_TELEMETRY_ENABLED', message })
  }
  if (endpoint) overridden.set('telemetry.collector.endpoint', 'OTEL_EXPORTER_OTLP_ENDPOINT')
  // its value is not repeated: it may hold a password
  if (endpoint && !endpointSchema.safeParse(endpoint).success) {
    problems.push({
      path: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      message: 'in the environment: is not an http or https URL',
    })
  }
  return {
    enabled: enabled ? enabled === 'true' : undefined,
    endpoint: endpoint || undefined,
    overridden,
    problems,
  }
}
