import { ledgerDocument } from '../../telemetry/telemetry-ledger.ts'
import { post, type Answer } from '../../telemetry/post.ts'
import { otlpAddress, shownEndpoint, telemetrySettings } from '../../telemetry/settings.ts'
import { documentFindings } from '../../monitor/diagnosis/document-findings.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** The port on which collectors take OTLP over HTTP. */
const otlpPort = '4318'

/** A request without any metrics or spans: in protobuf, no bytes at all. */
const empty = new Uint8Array()

/** Whether something takes metrics at the endpoint; that nothing listens is no error. */
export async function telemetryFindings({ config, configFault }: View): Promise<Found[]> {
  if (configFault !== undefined) return []
  const settings = telemetrySettings(config.telemetry)
  if (settings === undefined) return [{ severity: 'ok', message: 'off' }]
  const shown = shownEndpoint(settings.endpoint)
  const exported = settings.exports.metrics ? 'metrics' : 'traces'
  const address = otlpAddress(settings.endpoint, exported)
  const url = new URL(address)
  // an exporter that takes a refusal for a success would prove nothing: the status itself is looked at
  const answer = await post(url, empty, AbortSignal.timeout(settings.timeoutMs))
  return [judged(answer, { shown, exported, url })]
}

/** Whether what was counted can be read. */
export function telemetryLedgerFindings({ root }: View): Found[] {
  return documentFindings(ledgerDocument(root), 10)
}

interface Asked {
  readonly shown: string
  readonly exported: string
  readonly url: URL
}

function judged(answer: Answer, { shown, exported, url }: Asked): Found {
  if (answer.kind === 'taken') return { severity: 'ok', message: `a collector takes ${exported} at ${shown}` }
  if (answer.kind === 'silent') {
    const message = `nothing takes ${exported} at ${shown} (${answer.reason}); what is new waits until something does`
    return { severity: 'note', message, fix: 'start a collector there, or set telemetry.enabled to false' }
  }
  const { status, isPage } = answer
  if (status === 401 || status === 403) {
    const message = `the collector at ${shown} does not take ${exported} from us (${status})`
    return { severity: 'warning', message, fix: 'put its credentials into OTEL_EXPORTER_OTLP_HEADERS' }
  }
  if (isPage || status === 404 || status === 405) {
    const message = `${shown} is a web page, not a collector (${status})`
    return { severity: 'warning', message, fix: suggestion(url) }
  }
  const message = `${shown} answers ${status}: it does not take ${exported}`
  return { severity: 'warning', message, fix: 'its own log says why' }
}

function suggestion(url: URL): string {
  const better = `http://${url.hostname || 'localhost'}:${otlpPort}`
  return url.port === otlpPort
    ? 'correct telemetry.collector.endpoint in federate.config.json'
    : `set telemetry.collector.endpoint to ${better}, where collectors take OTLP over HTTP`
}
