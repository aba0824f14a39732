import { SpanKind, SpanStatusCode, TraceFlags, ValueType } from '@opentelemetry/api'
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { LedgerDraft, SpanRecord } from './telemetry-ledger.ts'
import { scope, type resourceOf } from './resource.ts'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import { bounds, countsOf, type Histogram } from './histogram.ts'
import { gauges, histograms, seriesOf, sums, type Described, type Values } from './metrics.ts'

type ReadableSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number]

/** Spans as an OTLP request. */
export function tracesRequest(
  spans: readonly SpanRecord[],
  resource: ReturnType<typeof resourceOf>,
): Uint8Array | undefined {
  return ProtobufTraceSerializer.serializeRequest(spans.map((span) => readable(span, resource)))
}

function readable(span: SpanRecord, resource: ReturnType<typeof resourceOf>): ReadableSpan {
  const context = (spanId: string) => ({ traceId: span.trace, spanId, traceFlags: TraceFlags.SAMPLED })
  const [startTime, endTime] = [hrTimeOf(span.start), hrTimeOf(span.end)]
  return {
    name: span.name,
    kind: SpanKind.INTERNAL,
    spanContext: () => context(span.id),
    ...(span.parent === undefined ? {} : { parentSpanContext: context(span.parent) }),
    startTime,
    endTime,
    duration: [0, 0],
    ended: true,
    status:
      span.error === undefined
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: span.error },
    attributes: span.attributes,
    events: span.events.map(({ name, at, attributes }) => ({ name, time: hrTimeOf(at), attributes })),
    links: [],
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: span.droppedEvents,
    droppedLinksCount: 0,
  }
}

/** A time as OpenTelemetry has it: seconds and nanoseconds. */
function hrTimeOf(timestamp: string): [number, number] {
  const milliseconds = Date.parse(timestamp)
  const seconds = Math.floor(milliseconds / 1000)
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)]
}

type ResourceMetrics = Parameters<typeof ProtobufMetricsSerializer.serializeRequest>[0]
type MetricData = ResourceMetrics['scopeMetrics'][number]['metrics'][number]
/** A ledger's totals as an OTLP request: cumulative since the ledger began, whoever sends them. */
export function metricsRequest(
  ledger: LedgerDraft,
  resource: ReturnType<typeof resourceOf>,
): Uint8Array | undefined {
  const times = { startTime: hrTimeOf(ledger.started), endTime: hrTimeOf(ledger.at) }
  const pointsOf = <Value, Point>(values: Values<Value>, point: (value: Value) => Point) =>
    seriesOf(ledger, values).map(([attributes, value]) => ({ ...times, attributes, value: point(value) }))
  const same = (value: number) => value
  const metrics: MetricData[] = [
    ...gauges.map(([described, values]) => ({
      ...base(described, ValueType.INT),
      dataPointType: DataPointType.GAUGE as const,
      dataPoints: pointsOf(values, same),
    })),
    ...sums.map(([described, values]) => ({
      // all are counts but the money
      ...base(described, described.unit === 'USD' ? ValueType.DOUBLE : ValueType.INT),
      dataPointType: DataPointType.SUM as const,
      isMonotonic: true,
      dataPoints: pointsOf(values, same),
    })),
    ...histograms.map(([described, values]) => ({
      ...base(described, ValueType.DOUBLE),
      dataPointType: DataPointType.HISTOGRAM as const,
      dataPoints: pointsOf(values, valueOf),
    })),
  ]
  return ProtobufMetricsSerializer.serializeRequest({
    resource,
    scopeMetrics: [{ scope, metrics: metrics.filter(({ dataPoints }) => dataPoints.length > 0) }],
  })
}

function base(descriptor: Described, valueType: ValueType) {
  return {
    descriptor: { ...descriptor, valueType },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
}

function valueOf(histogram: Histogram) {
  const counts = countsOf(histogram)
  return {
    count: counts.reduce((all, some) => all + some, 0),
    sum: histogram.sum,
    buckets: { boundaries: [...bounds], counts },
  }
}
