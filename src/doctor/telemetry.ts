import { request as http } from 'node:http'
import { request as https } from 'node:https'
import { otlpAddress, shownEndpoint } from '../telemetry/settings.ts'
import type { Finding } from './finding.ts'
import type { Patient } from './patient.ts'

const area = 'telemetry'

/** Longest that the collector is waited for, in milliseconds. */
const patienceMs = 500

/** The port on which collectors take OTLP over HTTP. */
const otlpPort = '4318'

/** Whether something takes metrics at the endpoint; that nothing listens is no error. */
export async function telemetryFindings({ config, configFault }: Patient): Promise<Finding[]> {
  if (configFault !== undefined) return []
  const { enabled, collector } = config.telemetry
  if (!enabled) return [{ severity: 'ok', area, message: 'off' }]
  const { endpoint } = collector
  const address = otlpAddress(endpoint, 'metrics')
  if (!URL.canParse(address)) {
    const fix = 'correct OTEL_EXPORTER_OTLP_ENDPOINT, or telemetry.collector.endpoint'
    return [{ severity: 'warning', area, message: `${shownEndpoint(endpoint)} is no URL`, fix }]
  }
  const url = new URL(address)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const message = `${shownEndpoint(endpoint)} is no HTTP address; metrics go by OTLP over HTTP`
    return [{ severity: 'warning', area, message, fix: suggestion(url) }]
  }
  return [describe(shownEndpoint(endpoint), url, await probe(url))]
}

type Answer = { readonly status: number; readonly contentType: string } | { readonly reason: string }

/** Sends metrics that say nothing, and looks at the status itself: an exporter takes a refusal for a success. */
function probe(url: URL): Promise<Answer> {
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? https : http)(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-protobuf', 'content-length': 0 },
        signal: AbortSignal.timeout(patienceMs),
      },
      (response) => {
        response.destroy()
        const { statusCode: status = 0, headers } = response
        resolve({ status, contentType: headers['content-type'] ?? '' })
      },
    )
    request.on('error', (error: NodeJS.ErrnoException) =>
      resolve({
        reason: /^(?:Abort|Timeout)Error$/.test(error.name)
          ? `no answer in ${patienceMs} ms`
          : (error.code ?? error.message),
      }),
    )
    request.end()
  })
}

function describe(endpoint: string, url: URL, answer: Answer): Finding {
  if ('reason' in answer) {
    const message = `nothing takes metrics at ${endpoint} (${answer.reason}); what is new waits until something does`
    return {
      severity: 'note',
      area,
      message,
      fix: 'start a collector there, or set telemetry.enabled to false',
    }
  }
  const { status, contentType } = answer
  const isPage = /html/i.test(contentType) || status === 404 || status === 405
  const isOtlp = (status >= 200 && status < 300) || (status >= 400 && status < 500)
  if (isOtlp && !isPage)
    return { severity: 'ok', area, message: `a collector answers at ${endpoint} (${status})` }
  const message = isPage
    ? `${endpoint} is a web page, not a collector (${status})`
    : `${endpoint} answers ${status}: it does not take metrics`
  return { severity: 'warning', area, message, fix: suggestion(url) }
}

function suggestion(url: URL): string {
  const better = `http://${url.hostname || 'localhost'}:${otlpPort}`
  return url.port === otlpPort
    ? 'correct telemetry.collector.endpoint in federate.config.json'
    : `set telemetry.collector.endpoint to ${better}, where collectors take OTLP over HTTP`
}
