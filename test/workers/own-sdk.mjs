// A program that embeds the library and has an OpenTelemetry SDK of its own. For each line that it is given it
// prints, as one line of JSON, what its exporters hold.
// Usage: own-sdk.mjs <root> before|after [delta]: when the SDK is registered, seen from the opening of the federation,
// and whether it tells increases.
import { createInterface } from 'node:readline'
import { metrics, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  InstrumentType,
  MeterProvider,
} from '@opentelemetry/sdk-metrics'
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { openFederation } from '../../dist/library/index.js'

const [root, when, how] = process.argv.slice(2)
const told = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
// as the preference `delta` of the OTLP exporters has it: what goes up and down stays a total
if (how === 'delta')
  told.selectAggregationTemporality = (type) =>
    type === InstrumentType.UP_DOWN_COUNTER || type === InstrumentType.OBSERVABLE_UP_DOWN_COUNTER
      ? AggregationTemporality.CUMULATIVE
      : AggregationTemporality.DELTA
const ended = new InMemorySpanExporter()
const meters = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: told, exportIntervalMillis: 2 ** 30 })],
})

function register() {
  metrics.setGlobalMeterProvider(meters)
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(ended)] }))
}

if (when === 'before') register()
const federation = await openFederation(root)
if (when === 'after') register()

for await (const _ of createInterface({ input: process.stdin })) {
  told.reset()
  await meters.forceFlush()
  const points = told
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ scope, metrics: some }) =>
      some.flatMap(({ descriptor, dataPoints, aggregationTemporality }) =>
        dataPoints.map(({ attributes, value }) => ({
          scope: scope.name,
          name: descriptor.name,
          isIncrease: aggregationTemporality === AggregationTemporality.DELTA,
          attributes,
          value,
        })),
      ),
    )
  const spans = ended.getFinishedSpans().map((span) => ({
    name: span.name,
    attributes: span.attributes,
    events: span.events.map((event) => event.name),
    trace: span.spanContext().traceId,
    id: span.spanContext().spanId,
    took: span.endTime[0] - span.startTime[0] + (span.endTime[1] - span.startTime[1]) / 1e9,
  }))
  process.stdout.write(`${JSON.stringify({ root: federation.root, points, spans })}\n`)
}
