import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { SpanRecord } from './telemetry-ledger.ts'
import { hrTimeOf } from './otlp-time.ts'
import { scope, type resourceOf } from './resource.ts'

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
