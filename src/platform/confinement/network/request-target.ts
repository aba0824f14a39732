import type { IncomingMessage } from 'node:http'

/** What a request wants to reach. */
export interface Destination {
  /** As a URL has it: in lower case, IPv6 in brackets, and no dot at the end. */
  readonly host: string
  readonly port: number
}

/** Where a request goes, and the path there; or what is wrong with it. */
export type Target =
  (Destination & { readonly path: string; readonly fault?: undefined }) | { readonly fault: string }

/** A destination as people write it. */
export function hostText({ host, port }: Destination): string {
  return `${host}:${port}`
}

/** The target of a CONNECT (RFC 9110 §9.3.6): host and port alone. */
export function tunnelTarget({ url = '', headersDistinct }: IncomingMessage): Target {
  const [, port] = /^[^\s/\\?#@]+:(\d{1,5})$/.exec(url) ?? []
  if (port === undefined || !URL.canParse(`http://${url}`)) return { fault: 'CONNECT takes host:port' }
  const to = { host: plain(new URL(`http://${url}`)), port: Number(port) }
  const hosts = headersDistinct.host ?? []
  const isOther = (host: string) =>
    !URL.canParse(`http://${host}`) ||
    plain(new URL(`http://${host}`)) !== to.host ||
    /[/\\?#@]/.test(host) ||
    ![undefined, port].includes(/:(\d+)$/.exec(host.replace(/^\[.*\]/, ''))?.[1])
  if (hosts.length > 1 || hosts.some(isOther)) return { fault: 'its Host header names another host' }
  return to.port === 0 ? { fault: 'there is no port 0' } : { ...to, path: '' }
}

/** The target of any other request: a whole URL of http (RFC 9112 §3.2.2). */
export function requestTarget({ url = '', headersDistinct }: IncomingMessage): Target {
  if (!/^http:\/\/[^/\\]/i.test(url) || !URL.canParse(url))
    return { fault: 'this is a proxy: it takes CONNECT, and requests with a whole http:// URL' }
  const { username, password, host, port, pathname, search, ...rest } = partsOf(url)
  if (username !== '' || password !== '') return { fault: 'a URL with a name or a password' }
  const hosts = headersDistinct.host ?? []
  const isOther = (text: string) =>
    /[/\\?#@]/.test(text) || !URL.canParse(`http://${text}`) || new URL(`http://${text}`).host !== host
  if (hosts.length !== 1 || hosts.some(isOther)) return { fault: 'its Host header names another host' }
  return { host: rest.plain, port: port === '' ? 80 : Number(port), path: `${pathname}${search}` }
}

function partsOf(url: string) {
  const parsed = new URL(url)
  const { username, password, host, port, pathname, search } = parsed
  return { username, password, host, port, pathname, search, plain: plain(parsed) }
}

function plain({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

/** Headers that are between two neighbours alone (RFC 9110 §7.6.1), and those by which a proxy is spoken to. */
const ofTheConnection = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['http2-settings', 'proxy-authorization', 'proxy-authenticate', 'proxy-authentication-info', 'expect'],
])

/** The headers that go on, as they were written: names and values in turn. */
export function headersOnward({ rawHeaders, headersDistinct }: IncomingMessage): string[] {
  const named = (headersDistinct.connection ?? []).flatMap((value) =>
    value.split(',').map((name) => name.trim().toLowerCase()),
  )
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    const isLeft = ofTheConnection.has(name.toLowerCase()) || named.includes(name.toLowerCase())
    // a client cannot take away what says how long the body is, or for whom it is
    if (!isLeft || /^(?:content-length|host)$/i.test(name)) kept.push(name, value)
  }
  return kept
}
