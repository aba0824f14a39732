import {
  createNoopMeter,
  diag,
  metrics,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Meter,
  type Observable,
} from '@opentelemetry/api'
import { packageVersion } from '../platform/process/package.ts'
import { TeamRegistry } from '../records/registry/team-registry.ts'
import { Claims } from './claims.ts'
import { bounds, countsOf, type Histogram } from './histogram.ts'
import type { LedgerDraft, SpanRecord } from './telemetry-ledger.ts'
import { gauges, histograms, seriesOf, sums, type Described, type Values } from './metrics.ts'
import { attribute } from './names.ts'
import { missionSpanId } from './spans.ts'

/** Longest that one look reads, in milliseconds: nothing else happens in the program meanwhile. */
const readMs = 200

interface Series {
  readonly instrument: Observable
  readonly read: (ledger: LedgerDraft) => readonly (readonly [Readonly<Record<string, string>>, number])[]
}

/** Tells the OpenTelemetry SDK of the program in which fed is embedded about one federation. */
export class SdkTeller {
  readonly #claims: Claims
  #stopObserving: (() => void) | undefined
  #hasWarned = false

  constructor(root: string) {
    this.#claims = new Claims({ root, registry: new TeamRegistry(root) })
    this.#observe()
  }

  /** Tells the spans that are new; metrics are read whenever the SDK asks for them. */
  tell(): void {
    this.#observe()
    if (hasTracer()) this.#look()
  }

  close(): void {
    this.#stopObserving?.()
  }

  /** Makes the instruments as soon as there is an SDK for metrics. */
  #observe(): void {
    if (this.#stopObserving !== undefined) return
    const meter = metrics.getMeter('fed', packageVersion)
    if (meter === createNoopMeter()) return
    const series = seriesIn(meter)
    const instruments = series.map(({ instrument }) => instrument)
    const callback: Parameters<Meter['addBatchObservableCallback']>[0] = (result) => {
      const ledger = this.#look()
      if (ledger === undefined) return
      const federation = { [attribute.federation]: ledger.id }
      for (const { instrument, read } of series)
        for (const [attributes, value] of read(ledger))
          result.observe(instrument, value, { ...federation, ...attributes })
    }
    meter.addBatchObservableCallback(callback, instruments)
    this.#stopObserving = () => meter.removeBatchObservableCallback(callback, instruments)
  }

  /** Reads what is new and tells its spans; the program goes on, whatever is wrong with the files. */
  #look(): LedgerDraft | undefined {
    try {
      const spans = hasTracer() ? 'take' : 'leave'
      const news = this.#claims.take({ until: performance.now() + readMs, readMs, spans }, false)
      if (news === undefined) return this.#claims.committed()
      if (news.spans.length === 0) return news.ledger
      for (const span of news.spans) emit(span)
      this.#claims.settle(news.claim, true)
      return news.ledger
    } catch (error) {
      if (!this.#hasWarned) diag.warn(`fed: no telemetry: ${(error as Error).message}`)
      this.#hasWarned = true
      return undefined
    }
  }
}

/** Whether the program has an SDK for traces: the API itself stands in for one that is not there. */
function hasTracer(): boolean {
  const provider = trace.getTracerProvider()
  if (!(provider instanceof ProxyTracerProvider)) return true
  return provider.getDelegate() !== new ProxyTracerProvider().getDelegate()
}

/**
 * The API has no histogram that is observed: a total of one is its sum, its count and its buckets. Totals began
 * before this process and others observe them too: as counters, an SDK that tells increases would tell all of them
 * again for each process.
 */
function seriesIn(meter: Meter): Series[] {
  const total = ({ name, unit, description }: Described) =>
    meter.createObservableUpDownCounter(name, { unit, description })
  const observed =
    <Value>(values: Values<Value>, part: (value: Value) => number) =>
    (ledger: LedgerDraft) =>
      seriesOf(ledger, values).map(([attributes, value]) => [attributes, part(value)] as const)
  return [
    ...gauges.map(([{ name, unit, description }, values]) => ({
      instrument: meter.createObservableGauge(name, { unit, description }),
      read: observed(values, Number),
    })),
    ...sums.map(([described, values]) => ({
      instrument: total(described),
      read: observed(values, Number),
    })),
    ...histograms.flatMap(([described, values]) => {
      const part = (name: string, unit: string) =>
        total({ ...described, name: `${described.name}.${name}`, unit })
      return [
        { instrument: part('sum', described.unit), read: observed(values, ({ sum }) => sum) },
        { instrument: part('count', '1'), read: observed(values, countOf) },
        { instrument: part('bucket', '1'), read: bucketsOf(values) },
      ]
    }),
  ]
}

function countOf(histogram: Histogram): number {
  return countsOf(histogram).reduce((all, some) => all + some, 0)
}

/** As Prometheus has them: how many were at most `le` seconds. */
function bucketsOf(values: Values<Histogram>): Series['read'] {
  return (ledger) =>
    seriesOf(ledger, values).flatMap(([attributes, histogram]) => {
      let below = 0
      return countsOf(histogram).map((count, bucket) => {
        below += count
        const le = String(bounds[bucket] ?? '+Inf')
        return [{ ...attributes, le }, below] as const
      })
    })
}

/**
 * A span that ended, as one of the program's SDK. That gives it an id of its own; trace and parent are those
 * that every process derives for the mission.
 */
function emit({ trace: traceId, name, start, end, attributes, events, error }: SpanRecord): void {
  const mission = {
    traceId,
    spanId: missionSpanId(traceId),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  }
  const span = trace
    .getTracer('fed', packageVersion)
    .startSpan(
      name,
      { kind: SpanKind.INTERNAL, startTime: new Date(start), attributes },
      trace.setSpanContext(ROOT_CONTEXT, mission),
    )
  for (const { name: event, at, attributes: about } of events) span.addEvent(event, about, new Date(at))
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
  span.end(new Date(end))
}
