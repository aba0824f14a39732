/** Hosts that an entry such as `*.example.com:8443` allows. */
export interface HostPattern {
  /** As a URL has it: in lower case, names in their ASCII form, IPv6 in brackets. Empty for every host. */
  readonly host: string
  /** Whether it allows all below that host, and not the host itself. */
  readonly isBelow: boolean
  /** Without it the ports of HTTPS and of HTTP. */
  readonly port?: number
}

const usualPorts = [443, 80]

/** What an entry must be, as the end of a sentence. */
export const hostShape =
  'must be a host such as registry.example.com, *.example.com, localhost:11434 or [::1]:8080, without scheme or path, or * for every public host'

/** The pattern of an entry; undefined where it is none. */
export function hostPattern(text: string): HostPattern | undefined {
  if (text === '*') return { host: '', isBelow: true }
  const isBelow = text.startsWith('*.')
  const rest = isBelow ? text.slice(2) : text
  const isBareAddress = !rest.startsWith('[') && rest.split(':').length > 2
  // nothing that would be another part of a URL, or that a URL leaves out unseen
  const [, given, digits] =
    /^(\[[\da-f:.]+\]|[^\s\p{Cc}/\\?#@%*:[\]]+)(?::(\d{1,5}))?$/iu.exec(isBareAddress ? `[${rest}]` : rest) ??
    []
  const port = digits === undefined ? undefined : Number(digits)
  if (given === undefined || port === 0 || (port ?? 1) > 65_535 || !URL.canParse(`http://${given}`))
    return undefined
  const host = new URL(`http://${given}`).hostname.replace(/\.$/, '')
  if (host === '' || /^\.|\.\./.test(host) || (isBelow && isAddress(host))) return undefined
  return { host, isBelow, ...(port === undefined ? {} : { port }) }
}

/** @param host as in a pattern. */
export function matchesHost(pattern: HostPattern, host: string, port: number): boolean {
  if (!(pattern.port === undefined ? usualPorts : [pattern.port]).includes(port)) return false
  if (!pattern.isBelow) return host === pattern.host
  return pattern.host === '' || (!isAddress(host) && host.endsWith(`.${pattern.host}`))
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^[\d.]+$/.test(host)
}
