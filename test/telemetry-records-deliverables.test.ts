// Proves that a finished deliverable's three figures reach a real OpenTelemetry meter provider under the names
// of the specification §6. It fails when a metric is renamed, missing, or carries another figure.
import { metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect, it } from 'vitest'
import { recordDeliverable } from '../src/telemetry/deliverable-metrics.ts'

it('records size, sections and code examples', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
  metrics.setGlobalMeterProvider(provider)
  recordDeliverable('docs', { sizeBytes: 21_004, words: 2913, sections: 13, codeExamples: 5, diagrams: 1 })
  await provider.forceFlush()
  const recorded = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    .map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints[0]?.value, dataPoints[0]?.attributes])
  await provider.shutdown()
  expect(Object.fromEntries(recorded.map(([name, ...rest]) => [name, rest]))).toEqual({
    'deliverable.size_bytes': [21_004, { 'fed.team': 'docs' }],
    'deliverable.sections': [13, { 'fed.team': 'docs' }],
    'deliverable.code_examples': [5, { 'fed.team': 'docs' }],
  })
})
