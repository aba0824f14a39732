import type { Random } from '../simulation/random.ts'

/** Values that programs forget to expect. */
const hostile: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => 1e308,
  () => '',
  () => ' ',
  () => '\0',
  () => '../../etc/passwd',
  () => '__proto__',
  () => 'constructor',
  () => 'meta',
  () => '\u001B[2J',
  () => '\uD800',
  () => 'x'.repeat(5000),
  () => [],
  () => ({}),
  () => [[[[[[]]]]]],
  () => '2026-02-30T00:00:00Z',
  () => '9999-12-31T23:59:59-14:00',
  () => '00000000-0000-0000-0000-000000000000',
  (random) => random.integer(-1000, 1000),
]

type Holder = Record<string, unknown>

/** Every object and list of a document, itself first. */
function holders(json: unknown): Holder[] {
  if (typeof json !== 'object' || json === null) return []
  return [json as Holder, ...Object.values(json).flatMap(holders)]
}

function setOwn(holder: Holder, key: string, value: unknown): void {
  if (Array.isArray(holder) && key === 'length') return
  // an assignment to `__proto__` would change what the object inherits
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Changes of the document that a text holds; each gets a copy. */
const structural: readonly ((json: Holder, random: Random) => unknown)[] = [
  (json, random) => {
    const holder = random.pick(holders(json))
    const keys = Object.keys(holder)
    if (keys.length > 0) setOwn(holder, random.pick(keys), random.pick(hostile)(random))
    return json
  },
  (json, random) => {
    const holder = random.pick(holders(json))
    const keys = Object.keys(holder)
    if (keys.length > 0) delete holder[random.pick(keys)]
    return json
  },
  (json, random) => {
    const key = random.pick(['__proto__', 'constructor', 'toString', 'extra', '', 'a\nb', '0', 'length'])
    setOwn(random.pick(holders(json)), key, random.pick(hostile)(random))
    return json
  },
  (json, random) => {
    // one place's value in another's
    const all = holders(json)
    const [from, to] = [random.pick(all), random.pick(all)]
    const [source, target] = [Object.keys(from), Object.keys(to)]
    if (source.length > 0 && target.length > 0)
      setOwn(to, random.pick(target), structuredClone(from[random.pick(source)]))
    return json
  },
  (json, random) => random.pick<unknown>([[json], { json }, null, [], 'text', 7]),
]

/** Changes of the text, whatever it holds. */
const textual: readonly ((text: string, random: Random) => string | Buffer)[] = [
  (text, random) => text.slice(0, random.integer(0, text.length)),
  (text) => `\uFEFF${text}`,
  (text) => Buffer.from(text, 'utf16le'),
  (text) => text.replaceAll('\n', '\r\n'),
  (text, random) => text + random.pick([' ', '\n\n', '\0', '}', text, 'null', '// done']),
  (text) => ` \n\t${text}`,
  (text, random) =>
    text.replace(
      /"(\w+)":/,
      (field, name: string) => `"${name}":${random.pick(['null', '1', '"x"'])},${field}`,
    ),
  (text, random) => text.replace(/:\s*"/, `: ${'['.repeat(random.integer(1, 20_000))}"`),
  (text, random) => '\0'.repeat(random.integer(0, text.length)),
]

/** Changes of bytes. */
const binary: readonly ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    const flips = random.integer(1, 4)
    for (let flip = 0; flip < flips && copy.length > 0; flip += 1) {
      const at = random.integer(0, copy.length - 1)
      copy[at] = (copy[at] ?? 0) ^ (1 << random.integer(0, 7))
    }
    return copy
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random)
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
  },
  (bytes, random) => {
    const at = random.integer(0, bytes.length)
    const junk = Buffer.from(Array.from({ length: random.integer(1, 12) }, () => random.integer(0, 255)))
    return Buffer.concat([bytes.subarray(0, at), junk, bytes.subarray(at)])
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random)
    return Buffer.from(bytes).fill(0, from, to)
  },
]

function range(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = random.integer(0, bytes.length)
  return [from, Math.min(bytes.length, from + random.integer(1, 60))]
}

/** A valid JSON text damaged, in its structure, its text or its bytes; now and then left as it is. */
export function mutate(valid: string, random: Random): Buffer {
  const kind = random.integer(0, 9)
  if (kind === 0) return Buffer.from(valid)
  if (kind <= 5)
    return Buffer.from(JSON.stringify(random.pick(structural)(JSON.parse(valid) as Holder, random)))
  if (kind <= 7) return Buffer.from(random.pick(textual)(valid, random))
  return random.pick(binary)(Buffer.from(valid), random)
}

/** What a file holds by the plainest of readers; undefined where that is no JSON. */
export function plainlyRead(bytes: Buffer): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
