import { unless } from '../errors/unless.ts'
import { configSchema, type Config } from '../protocol/config-schema.ts'
import { withoutPassword } from '../protocol/shown-url.ts'

/**
 * Longest time that a variable can set, in milliseconds: a claim on spans counts as abandoned soon after it
 * (see `claims.ts`).
 */
const longestMs = 20_000

/** What is exported; each has a path of its own below the endpoint. */
export type Exported = 'metrics' | 'traces'

export interface TelemetrySettings {
  readonly endpoint: string
  /** Whether somebody named the endpoint; nobody is told of a collector that nobody asked for. */
  readonly isChosen: boolean
  readonly exports: Readonly<Record<Exported, boolean>>
  /** Longest that a command waits for telemetry at its end, in milliseconds (spec §6 names no limit). */
  readonly timeoutMs: number
  /** Time between two exports while a process works, in milliseconds. */
  readonly intervalMs: number
}

/** Where OTLP over HTTP takes metrics or traces: the endpoint's own path, and the standard's behind it. */
export function otlpAddress(endpoint: string, exported: Exported): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/${exported}`
}

/** An endpoint without the credentials that it may hold, for people. */
export function shownEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  // a name and a password without a scheme in front are one to the parser
  if (url === undefined || url.host === '') return withoutPassword(endpoint)
  const { protocol, host, pathname } = url
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}

/** What to tell of an endpoint that takes nothing: what, where, and what to do. */
export function nothingTaken(endpoint: string, reason: string): string {
  const setting = process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    ? 'OTEL_EXPORTER_OTLP_ENDPOINT'
    : 'telemetry.collector.endpoint'
  return `nothing takes telemetry at ${shownEndpoint(endpoint)} (${reason}); start a collector there, correct ${setting}, or set FED_TELEMETRY_ENABLED=false`
}

/** What telemetry is to do, or undefined when it is off (spec §2.3, §9, and OpenTelemetry's own variables). */
export function telemetrySettings({
  enabled,
  collector,
}: Config['telemetry']): TelemetrySettings | undefined {
  if (!enabled || /^true$/i.test(process.env.OTEL_SDK_DISABLED ?? '')) return undefined
  const exports = {
    metrics: process.env.OTEL_METRICS_EXPORTER !== 'none',
    traces: process.env.OTEL_TRACES_EXPORTER !== 'none',
  }
  if (!exports.metrics && !exports.traces) return undefined
  const { endpoint } = collector
  const { endpoint: unchosen } = configSchema.parse({}).telemetry.collector
  return {
    endpoint,
    isChosen: endpoint !== unchosen,
    exports,
    timeoutMs: milliseconds('OTEL_EXPORTER_OTLP_TIMEOUT', 500),
    intervalMs: lookInterval(),
  }
}

/** Time between looks for what is new, in milliseconds. */
export function lookInterval(): number {
  return milliseconds('OTEL_METRIC_EXPORT_INTERVAL', 5000)
}

/** A variable of OpenTelemetry's that holds milliseconds; what is no positive number counts as not given. */
function milliseconds(name: string, otherwise: number): number {
  const given = Number(process.env[name])
  return Number.isFinite(given) && given > 0 ? Math.min(given, longestMs) : otherwise
}

/**
 * Pairs of `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_RESOURCE_ATTRIBUTES`: `name=value,name=value`, percent-encoded.
 * A pair that is none is left out.
 */
export function readPairs(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)].map((part) => decoded(part.trim()))
    return at < 1 || !name || value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string | undefined {
  return unless(URIError, () => decodeURIComponent(text))
}
