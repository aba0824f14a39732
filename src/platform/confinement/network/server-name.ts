/** What the beginning of a connection says of the host for which it is meant. */
export type Beginning =
  /** More bytes are needed. */
  | 'unfinished'
  /** It is not TLS. */
  | 'other'
  /** It is TLS that cannot be read, or that names two hosts. */
  | 'unreadable'
  /** It is TLS; `name` is undefined where it names none. */
  | { readonly name: string | undefined }

const handshake = 0x16
const clientHello = 1
const serverNameExtension = 0
/** Largest ClientHello that is read, in bytes; one with post-quantum keys and a ticket has less than 4,000. */
const largestHello = 32_768

/** The server name that a client asks for in the first bytes that it sends (RFC 8446 §4.1.2, RFC 6066 §3). */
export function beginningOf(bytes: Buffer): Beginning {
  if (bytes.length === 0) return 'unfinished'
  if (bytes[0] !== handshake) return 'other'
  const hello = helloIn(bytes)
  if (hello === undefined) return bytes.length > largestHello ? 'unreadable' : 'unfinished'
  try {
    return { name: nameIn(hello) }
  } catch (error) {
    if (error instanceof RangeError) return 'unreadable'
    throw error
  }
}

/** The message itself, out of as many records as the client made of it. */
function helloIn(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  for (let at = 0; at + 5 <= bytes.length;) {
    const length = bytes.readUInt16BE(at + 3)
    // a record of another kind: what came before is all that there is
    if (bytes[at] !== handshake || length === 0) return Buffer.concat(parts)
    parts.push(bytes.subarray(at + 5, at + 5 + length))
    at += 5 + length
    const whole = Buffer.concat(parts)
    if (whole.length >= 4 && whole.length >= 4 + whole.readUIntBE(1, 3))
      return whole.subarray(0, 4 + whole.readUIntBE(1, 3))
  }
  return undefined
}

/** @throws {RangeError} when it is not what it has to be. */
function nameIn(hello: Buffer): string | undefined {
  const body = new Fields(hello)
  if (body.number(1) !== clientHello) throw new RangeError('no ClientHello')
  body.skip(3 + 2 + 32)
  for (const size of [1, 2, 1] as const) body.block(size)
  if (body.isEmpty) return undefined
  const extensions = body.block(2)
  const names: string[] = []
  while (!extensions.isEmpty) {
    const type = extensions.number(2)
    const content = extensions.block(2)
    if (type !== serverNameExtension) continue
    const list = content.block(2)
    if (list.number(1) !== 0) throw new RangeError('no host name')
    names.push(list.block(2).text())
    if (!list.isEmpty || names.length > 1) throw new RangeError('more than one name')
  }
  return names[0]?.toLowerCase().replace(/\.$/, '')
}

/** Bytes that are read from their beginning. */
class Fields {
  #rest: Buffer

  constructor(bytes: Buffer) {
    this.#rest = bytes
  }

  get isEmpty(): boolean {
    return this.#rest.length === 0
  }

  skip(length: number): Buffer {
    if (this.#rest.length < length) throw new RangeError('it ends too early')
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  number(size: 1 | 2): number {
    return this.skip(size).readUIntBE(0, size)
  }

  /** What follows its own length. */
  block(size: 1 | 2): Fields {
    return new Fields(this.skip(this.number(size)))
  }

  text(): string {
    return this.#rest.toString('latin1')
  }
}
