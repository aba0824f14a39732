import { ValueType } from '@opentelemetry/api'
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer'
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics'
import { bounds, countsOf, type Histogram } from './histogram.ts'
import type { LedgerDraft } from './telemetry-ledger.ts'
import { gauges, histograms, seriesOf, sums, type Described, type Values } from './metrics.ts'
import { hrTimeOf } from './otlp-time.ts'
import { scope, type resourceOf } from './resource.ts'

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
