import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import generated from 'otlp-decoder/build/src/generated/root.js'

/** A message type as the code generated from the official definitions has it. */
interface MessageType {
  decode(bytes: Uint8Array): unknown
  toObject(message: unknown, options: object): unknown
}
const { opentelemetry } = generated as unknown as {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly metrics: { readonly v1: { readonly ExportMetricsServiceRequest: MessageType } }
        readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: MessageType } }
      }
    }
  }
}

type Value = { readonly stringValue?: string; readonly intValue?: string; readonly doubleValue?: number }
type Pairs = readonly { readonly key: string; readonly value: Value }[]
type Attributes = Readonly<Record<string, string | number>>

interface WirePoint {
  readonly startTimeUnixNano: string
  readonly timeUnixNano: string
  readonly asInt?: string
  readonly asDouble?: number
  readonly sum?: number
  readonly count?: string
  readonly bucketCounts?: readonly string[]
  readonly explicitBounds?: readonly number[]
  readonly attributes: Pairs
}
interface WireMetric {
  readonly name: string
  readonly unit: string
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] }
  readonly sum?: WireAggregate
  readonly histogram?: WireAggregate
}
interface WireAggregate {
  readonly dataPoints: readonly WirePoint[]
  readonly aggregationTemporality: string
  readonly isMonotonic?: boolean
}
interface WireSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Pairs
  readonly events?: readonly { timeUnixNano: string; name: string; attributes?: Pairs }[]
  readonly status?: { readonly code?: string; readonly message?: string }
}

export interface Point {
  readonly metric: string
  readonly unit: string
  readonly kind: string
  readonly start: number
  readonly time: number
  readonly value: number
  /** Of a histogram. */
  readonly sum?: number
  readonly buckets?: readonly number[]
  readonly bounds?: readonly number[]
  readonly attributes: Attributes
  readonly resource: Attributes
}

export interface Span {
  readonly trace: string
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  readonly events: readonly { readonly name: string; readonly at: number; readonly attributes: Attributes }[]
  readonly error: string | undefined
  readonly resource: Attributes
}

function plain(pairs: Pairs = []): Attributes {
  return Object.fromEntries(
    pairs.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  )
}

const millisecondsOf = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1000n) / 1000

function decode(type: MessageType, body: Uint8Array): unknown {
  return type.toObject(type.decode(body), { longs: String, enums: String, bytes: String })
}

function pointsIn(body: Uint8Array): Point[] {
  const { v1 } = opentelemetry.proto.collector.metrics
  const { resourceMetrics } = decode(v1.ExportMetricsServiceRequest, body) as {
    resourceMetrics: {
      resource: { attributes: Pairs }
      scopeMetrics: { metrics: WireMetric[] }[]
    }[]
  }
  return resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .flatMap(({ name: metric, unit, gauge, sum, histogram }) => {
        const aggregate = sum ?? histogram
        const temporality = aggregate?.aggregationTemporality.replace('AGGREGATION_TEMPORALITY_', '')
        const kind = gauge
          ? 'gauge'
          : `${temporality?.toLowerCase()} ${sum ? (sum.isMonotonic ? 'monotonic sum' : 'sum') : 'histogram'}`
        return (gauge ?? aggregate)?.dataPoints.map((point) => ({
          metric,
          unit,
          kind,
          start: millisecondsOf(point.startTimeUnixNano),
          time: millisecondsOf(point.timeUnixNano),
          value: Number(point.asInt ?? point.asDouble ?? point.count),
          sum: point.sum,
          buckets: point.bucketCounts?.map(Number),
          bounds: point.explicitBounds,
          attributes: plain(point.attributes),
          resource: plain(resource.attributes),
        })) as Point[]
      }),
  )
}

function spansIn(body: Uint8Array): Span[] {
  const { v1 } = opentelemetry.proto.collector.trace
  const { resourceSpans } = decode(v1.ExportTraceServiceRequest, body) as {
    resourceSpans: { resource: { attributes: Pairs }; scopeSpans: { spans: WireSpan[] }[] }[]
  }
  const idOf = (base64: string | undefined) =>
    base64 ? Buffer.from(base64, 'base64').toString('hex') : undefined
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        trace: idOf(span.traceId) as string,
        id: idOf(span.spanId) as string,
        parent: idOf(span.parentSpanId),
        name: span.name,
        start: millisecondsOf(span.startTimeUnixNano),
        end: millisecondsOf(span.endTimeUnixNano),
        attributes: plain(span.attributes),
        events: (span.events ?? []).map(({ name, timeUnixNano, attributes }) => ({
          name,
          at: millisecondsOf(timeUnixNano),
          attributes: plain(attributes),
        })),
        error: span.status?.code === 'STATUS_CODE_ERROR' ? span.status.message : undefined,
        resource: plain(resource.attributes),
      })),
  )
}

/** A collector that decodes what it is sent with the official definitions; `answer` may take or refuse it. */
export interface Receiver {
  readonly port: number
  readonly endpoint: string
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** Points of each export that was taken. */
  readonly exports: Point[][]
  readonly spans: Span[]
  /** Says what becomes of a request instead of taking it; it was read to its end. */
  answer: RequestListener | undefined
  close(): Promise<void>
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const exports: Point[][] = []
  const spans: Span[] = []
  const requests: Receiver['requests'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers })
      if (receiver.answer !== undefined) return receiver.answer(request, response)
      const body = Buffer.concat(chunks)
      if (request.url === '/v1/metrics') exports.push(pointsIn(body))
      else spans.push(...spansIn(body))
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  const receiver: Receiver = {
    port: taken,
    endpoint: `http://127.0.0.1:${taken}`,
    requests,
    exports,
    spans,
    answer: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}

/** The last point of each series, by the metric's name and the values of its attributes. */
export function latest(points: readonly Point[], metric: string): Record<string, Point> {
  return Object.fromEntries(
    points
      .filter((point) => point.metric === metric)
      .map((point) => [Object.values(point.attributes).join(' '), point]),
  )
}

/**
 * The environment in which a command exports to it, and waits for its answer, which on a busy machine may take its
 * time; an `impatient` one waits as long as it does unless told otherwise.
 */
export function exportingTo(
  { endpoint }: Pick<Receiver, 'endpoint'>,
  isImpatient?: 'impatient',
): Record<string, string> {
  const patience: Record<string, string> = isImpatient
    ? {}
    : { OTEL_EXPORTER_OTLP_TIMEOUT: '20000', OTEL_METRIC_EXPORT_INTERVAL: '20000' }
  return { FED_TELEMETRY_ENABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...patience }
}
