import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { Config } from '../protocol/config-schema.ts'
import { Claims } from './claims.ts'
import type { Observed } from './look-for-news.ts'
import { metricsRequest, tracesRequest } from './otlp-requests.ts'
import { post, type Answer } from './post.ts'
import { resourceOf } from './resource.ts'
import {
  nothingTaken,
  otlpAddress,
  shownEndpoint,
  type Exported,
  type TelemetrySettings,
} from './settings.ts'

/** Totals that did not change are sent again after this time, so that their series do not end, in milliseconds. */
const heartbeatMs = 60_000
/** Time for what follows an answer, in milliseconds. */
const settleMs = 60
/** With less time for an answer nothing is sent, in milliseconds. */
const leastMs = 20
/** What an endpoint answers where it takes the one kind and not the other. */
const notHere = new Set([400, 404, 405, 415, 501])

/** A federation that is exported. */
export interface Exportable extends Observed {
  readonly config: Config
}

/** Reads what is new, claims it, sends it, and keeps what was not taken for the next time. */
export class Exporter {
  readonly #federation: Exportable
  readonly #settings: TelemetrySettings
  readonly #claims: Claims
  /** When this process sent totals that were taken, in milliseconds of its own clock. */
  #sentAt = -Infinity

  constructor(federation: Exportable, settings: TelemetrySettings) {
    this.#federation = federation
    this.#settings = settings
    this.#claims = new Claims(federation)
  }

  /**
   * One export; when nothing is new and nothing due, none.
   * @param until on `performance.now()`'s clock; nothing takes longer.
   * @param readMs longest that it reads, in milliseconds; what is left is read by the next one.
   * @param end aborted when the command cannot wait that long.
   * @returns what is wrong with the collector, if anything.
   */
  async export(until: number, readMs: number, end: AbortSignal): Promise<string | undefined> {
    const { exports } = this.#settings
    const isDue = exports.metrics && performance.now() - this.#sentAt > heartbeatMs
    const news = this.#claims.take(
      { until: until - settleMs, readMs, spans: exports.traces ? 'take' : 'drop' },
      isDue,
    )
    if (news === undefined) return undefined
    const { ledger, claim, spans } = news
    const resource = resourceOf(ledger.id, this.#federation.config.federationName)
    const left = Math.floor(until - settleMs - performance.now())
    if (left < leastMs) {
      if (spans.length > 0) this.#claims.settle(claim, false)
      return "there was no time left to send it; 'fed monitor --watch' takes more beside its work"
    }
    const signal = AbortSignal.any([end, AbortSignal.timeout(left)])
    const send = (exported: Exported, body: Uint8Array | undefined) =>
      body && post(new URL(otlpAddress(this.#settings.endpoint, exported)), body, signal)
    const [metrics, traces] = await Promise.all([
      send('metrics', exports.metrics ? metricsRequest(ledger, resource) : undefined),
      send('traces', spans.length > 0 ? tracesRequest(spans, resource) : undefined),
    ])
    if (metrics?.kind === 'taken') this.#sentAt = performance.now()
    // who takes metrics there and no traces never will
    const isUnwanted = metrics?.kind === 'taken' && traces?.kind === 'refused' && notHere.has(traces.status)
    if (spans.length > 0) this.#claims.settle(claim, traces?.kind === 'taken' || isUnwanted)
    return this.#problemOf(metrics, traces)
  }

  #problemOf(metrics: Answer | undefined, traces: Answer | undefined): string | undefined {
    const where = shownEndpoint(this.#settings.endpoint)
    const [asked, other] = [metrics ?? traces, metrics === undefined ? undefined : traces]
    const failure = [asked, other].find(isFailure)
    if (failure === undefined) {
      const reason =
        rejection(ProtobufMetricsSerializer, metrics) ?? rejection(ProtobufTraceSerializer, traces)
      return reason && `the collector at ${where} rejected some of it: ${reason}`
    }
    if (failure.kind === 'refused' && other !== undefined && asked?.kind !== other.kind) {
      const [refused, variable] =
        failure === metrics ? ['metrics', 'OTEL_METRICS_EXPORTER'] : ['traces', 'OTEL_TRACES_EXPORTER']
      return `${where} takes no ${refused} (${failure.reason}); with ${variable}=none it gets none`
    }
    return nothingTaken(this.#settings.endpoint, failure.reason)
  }
}

type Failure = Exclude<Answer, { readonly kind: 'taken' }>

function isFailure(answer: Answer | undefined): answer is Failure {
  return answer !== undefined && answer.kind !== 'taken'
}

interface Deserializer {
  deserializeResponse(data: Uint8Array): { readonly partialSuccess?: { readonly errorMessage?: string } }
}

/** What a collector says that took only a part; such a part is never sent again (OTLP). */
function rejection(serializer: Deserializer, answer: Answer | undefined): string | undefined {
  if (answer?.kind !== 'taken' || answer.body.length === 0) return undefined
  try {
    return serializer.deserializeResponse(answer.body).partialSuccess?.errorMessage || undefined
  } catch {
    // it took everything and answered in its own way
    return undefined
  }
}
