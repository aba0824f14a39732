import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is not answered; undefined for one that is. */
export type Objection = string | undefined

/**
 * Why a request is refused, such as one that is not from this machine's own page: a name that was rebound to
 * 127.0.0.1 has another `Host`, another site's page another `Origin`. Undefined where it may be answered.
 * @param hosts what `Host` may say.
 */
export function objectionTo(
  { headers, method }: Pick<IncomingMessage, 'headers' | 'method'>,
  hosts: readonly string[],
): Objection {
  const { host, origin } = headers
  if (host === undefined || !hosts.includes(host)) return 'this address is not the one of the dashboard'
  if (origin !== undefined && origin !== `http://${host}`) return 'another site asked'
  const site = headers['sec-fetch-site']
  // a link to the page may stand anywhere; what it loads, and what it does, comes from itself
  const isLink = headers['sec-fetch-dest'] === 'document' && headers['sec-fetch-mode'] === 'navigate'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !(isLink && method === 'GET'))
    return 'another site asked'
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method !== 'POST') return 'there is nothing to do in this way'
  // a form of another site can send neither without being asked first
  if (origin === undefined) return 'only the page itself may do something'
  if (headers['content-type'] !== 'application/json') return 'what is to be done is told in JSON'
  return undefined
}

/** Whether a token is the right one, compared in constant time. */
export function isToken(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Default headers of answers: nothing is fetched from elsewhere, nothing is cached, no page is framed. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // diagrams, each in a frame of its own: see `diagram-document.ts`
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}
