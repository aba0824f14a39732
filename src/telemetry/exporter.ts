import { v4 as uuid } from 'uuid'
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { Config } from '../protocol/config.ts'
import { backOff, type VersionedDocument } from '../storage/versioned-document.ts'
import { ledgerDocument, type Ledger, type LedgerDraft, type SpanRecord } from './ledger.ts'
import { look, type Observed } from './look.ts'
import { metricsRequest } from './otlp-metrics.ts'
import { tracesRequest } from './otlp-traces.ts'
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
/** A claim is older only when its process died: no export takes so long, in milliseconds. */
const claimMs = 30_000
/** Time for what follows an answer, in milliseconds. */
const settleMs = 60
/** With less time for an answer nothing is sent, in milliseconds. */
const leastMs = 20
/** What an endpoint answers where it takes the one kind and not the other. */
const notHere = new Set([400, 404, 405, 415, 501])

const retention = { minimumAgeMs: 60_000, keep: 10 }
const collectEvery = 20

/** A federation that is exported. */
export interface Exportable extends Observed {
  readonly config: Config
}

/** Reads what is new, claims it, sends it, and keeps what was not taken for the next time. */
export class Exporter {
  readonly #federation: Exportable
  readonly #settings: TelemetrySettings
  readonly #document: VersionedDocument<Ledger>
  /** When this process sent totals that were taken, in milliseconds of its own clock. */
  #sentAt = -Infinity

  constructor(federation: Exportable, settings: TelemetrySettings) {
    this.#federation = federation
    this.#settings = settings
    this.#document = ledgerDocument(federation.root)
  }

  /**
   * One export; when nothing is new and nothing due, none.
   * @param until on `performance.now()`'s clock; nothing takes longer.
   * @param readMs longest that it reads, in milliseconds; what is left is read by the next one.
   * @param end aborted when the command cannot wait that long.
   * @returns what is wrong with the collector, if anything.
   */
  async export(until: number, readMs: number, end: AbortSignal): Promise<string | undefined> {
    const claimed = this.#claim(until, readMs)
    if (claimed === undefined) return undefined
    const { ledger, claim, spans } = claimed
    const resource = resourceOf(ledger.id, this.#federation.config.federationName)
    const { exports } = this.#settings
    const left = Math.floor(until - settleMs - performance.now())
    if (left < leastMs) {
      if (spans.length > 0) this.#settle(claim, false)
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
    if (spans.length > 0) this.#settle(claim, traces?.kind === 'taken' || isUnwanted)
    return this.#problemOf(metrics, traces)
  }

  /** Commits what a look found and takes the spans, so that no other process sends them as well. */
  #claim(until: number, readMs: number) {
    for (let attempt = 0; performance.now() < until; attempt += 1) {
      const head = this.#document.read()
      const hasTime = deadline(Math.min(until - settleMs, performance.now() + readMs))
      const { ledger: draft, hasNews } = look(head?.content, this.#federation, hasTime)
      const at = new Date(Math.max(Date.now(), Date.parse(draft.at) + 1)).toISOString()
      const { spans, claims } = returned(draft, Date.parse(at))
      const isDue = this.#settings.exports.metrics && performance.now() - this.#sentAt > heartbeatMs
      if (!hasNews && !isDue && spans.length === 0) return undefined
      const claim = uuid()
      const wanted = this.#settings.exports.traces ? spans : []
      const taken = wanted.length === 0 ? [] : [{ id: claim, at, spans: wanted }]
      const next: LedgerDraft = { ...draft, at, spans: [], claims: [...claims, ...taken] }
      const committed = this.#document.commit(head, next as Ledger)
      if (committed !== undefined) {
        if (committed.version % collectEvery === 0) this.#document.collect(retention)
        return { ledger: committed.content, claim, spans: wanted }
      }
      backOff(attempt)
    }
    return undefined
  }

  /** Ends a claim: its spans were taken, or wait for the next export. */
  #settle(claim: string, isDone: boolean): void {
    for (let attempt = 0; ; attempt += 1) {
      const head = this.#document.read()
      const mine = head?.content.claims.find(({ id }) => id === claim)
      // somebody took it over, because this process was stopped for long
      if (head === undefined || mine === undefined) return
      const { content } = head
      const claims = content.claims.filter(({ id }) => id !== claim)
      const spans = isDone ? content.spans : [...mine.spans, ...content.spans]
      if (this.#document.commit(head, { ...content, claims, spans }) !== undefined) return
      backOff(attempt)
    }
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

function deadline(until: number): () => boolean {
  return () => performance.now() < until
}

/** The spans that wait, with those of processes that died before they said whether theirs were taken. */
function returned({ spans, claims }: LedgerDraft, present: number): Pick<LedgerDraft, 'spans' | 'claims'> {
  const isOld = ({ at }: { at: string }) => Math.abs(present - Date.parse(at)) > claimMs
  const back: SpanRecord[] = claims.filter(isOld).flatMap((claim) => claim.spans)
  return { spans: [...back, ...spans], claims: claims.filter((claim) => !isOld(claim)) }
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
