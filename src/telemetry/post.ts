import { request as http, validateHeaderName, validateHeaderValue } from 'node:http'
import { request as https } from 'node:https'
import { succeedsUnless } from '../errors/unless.ts'
import { packageVersion } from '../platform/process/package.ts'
import { readPairs } from './settings.ts'

/** What became of a request. */
export type Answer =
  | { readonly kind: 'taken'; readonly body: Uint8Array }
  | { readonly kind: 'refused'; readonly status: number; readonly isPage: boolean; readonly reason: string }
  | { readonly kind: 'silent'; readonly reason: string }

/** An answer says little; what is longer is none. */
const longestAnswer = 65_536

/** Posts an OTLP request (http/protobuf) and looks at the answer itself: a web page that says 200 took nothing. */
export function post(url: URL, body: Uint8Array, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const silent = (reason: string) => resolve({ kind: 'silent', reason })
    const send = url.protocol === 'https:' ? https : http
    const request = send(
      url,
      { method: 'POST', headers: headersFor(body), agent: false, signal },
      (response) => {
        const chunks: Buffer[] = []
        let length = 0
        response.on('data', (chunk: Buffer) => {
          length += chunk.length
          if (length <= longestAnswer) chunks.push(chunk)
          else response.destroy()
        })
        response.on('error', (error) => silent(reasonOf(error)))
        response.on('close', () => {
          const { statusCode: status = 0, headers } = response
          const answer = Buffer.concat(chunks)
          const isPage = /html/i.test(headers['content-type'] ?? '') || /^\s*</.test(answer.toString())
          if (status >= 200 && status < 300 && !isPage) resolve({ kind: 'taken', body: answer })
          else {
            const reason = isPage ? `a web page, ${status}` : String(status)
            resolve({ kind: 'refused', status, isPage, reason })
          }
        })
      },
    )
    request.on('error', (error) => silent(reasonOf(error)))
    request.end(body)
  })
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.name === 'AbortError' ? 'no answer in time' : (error.code ?? error.message)
}

function headersFor(body: Uint8Array): Record<string, string | number> {
  const given = Object.entries(readPairs(process.env.OTEL_EXPORTER_OTLP_HEADERS)).filter(isHeader)
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value])),
    'user-agent': `fed/${packageVersion}`,
    'content-type': 'application/x-protobuf',
    'content-length': body.length,
  }
}

/** A header that cannot be sent is left out, and its value is never told. */
function isHeader([name, value]: [string, string]): boolean {
  return succeedsUnless(TypeError, () => {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  })
}
