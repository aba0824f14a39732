// Proves that an entry of `confinement.hosts` allows the hosts that it names and no other, and that what is no host is
// told. Fails when a name that only looks alike matches, when a port is open that nobody named, or when an entry with a
// path or a scheme is taken.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostPattern, matchesHost } from '../../src/protocol/host-pattern.ts'
import { entryFor, forwardedOf, judgeBy } from '../../src/engine/confinement/allowed-hosts.ts'

const allows = (entry: string, host: string, port: number) => {
  const pattern = hostPattern(entry)
  return pattern === undefined ? 'no entry' : matchesHost(pattern, host, port)
}

test.each([
  ['registry.example.com', 'registry.example.com', 443, true],
  ['registry.example.com', 'registry.example.com', 80, true],
  ['registry.example.com', 'registry.example.com', 22, false],
  ['registry.example.com', 'registry.example.com.evil.test', 443, false],
  ['registry.example.com', 'xregistry.example.com', 443, false],
  ['Registry.Example.COM.', 'registry.example.com', 443, true],
  ['*.example.com', 'a.example.com', 443, true],
  ['*.example.com', 'a.b.example.com', 443, true],
  ['*.example.com', 'example.com', 443, false],
  ['*.example.com', 'aexample.com', 443, false],
  ['*.example.com:8443', 'a.example.com', 8443, true],
  ['*.example.com:8443', 'a.example.com', 443, false],
  ['localhost:11434', 'localhost', 11434, true],
  ['localhost:11434', 'localhost', 443, false],
  ['127.0.0.1:8080', '127.0.0.1', 8080, true],
  ['::1', '[::1]', 443, true],
  ['[::1]:8080', '[::1]', 8080, true],
  ['[0:0:0:0:0:0:0:1]:8080', '[::1]', 8080, true],
  ['bücher.example', 'xn--bcher-kva.example', 443, true],
  ['*', 'anything.example', 443, true],
  ['*', 'anything.example', 22, false],
  ['*.0.0.1', '127.0.0.1', 443, 'no entry'],
])('%s and %s:%i: %s', (entry, host, port, expected) => {
  expect(allows(entry, host, port)).toBe(expected)
})

test.each([
  ...[
    '',
    ' ',
    '.',
    '..',
    '*.',
    '*.*',
    '*a.example',
    'a.*.example',
    'https://example.com',
    'example.com/path',
  ],
  ...[
    'user@example.com',
    'example.com:',
    'example.com:0',
    'example.com:65536',
    'example.com:http',
    'a b.example',
  ],
  ...['example.com?x', 'example.com#x', 'a\\b.example', '[::1', '::1]:80', '[::g]', '1.2.3.4.5', '1.2.3.999'],
  ...['exam\nple.com', 'a..b.example', '%6c%6fcalhost', 'example.com:443:443', '*:443'],
])('%j is no entry', (entry) => {
  expect(hostPattern(entry)).toBeUndefined()
})

describe('what may be done with a host', () => {
  const judge = judgeBy({
    named: ['internal.example', 'db.example:5432', '*.wide.example'],
    usual: ['registry.example.com'],
  })
  test.each([
    ['internal.example', 443, { mayBePrivate: true, anyProtocol: false }],
    ['db.example', 5432, { mayBePrivate: true, anyProtocol: true }],
    ['a.wide.example', 443, { mayBePrivate: false, anyProtocol: false }],
    ['registry.example.com', 443, { mayBePrivate: false, anyProtocol: false }],
    ['db.example', 443, undefined],
    ['other.example', 443, undefined],
  ])('%s:%i', (host, port, expected) => {
    expect(judge({ host, port })).toEqual(expected)
  })
})

test('what lies on the loopback interface is found there, once for each port', () => {
  const named = [
    'localhost:11434',
    '127.0.0.1:11434',
    '[::1]:8080',
    'localhost',
    'localhost:80',
    'a.test:9000',
  ]
  expect(forwardedOf({ named })).toEqual(['127.0.0.1:11434', '[::1]:8080'])
})

test('the entry that a message proposes allows what was refused, and nothing beside it', () => {
  fc.assert(
    fc.property(fc.domain(), fc.integer({ min: 1, max: 65_535 }), (host, port) => {
      const pattern = hostPattern(entryFor({ host, port }))
      expect(pattern && matchesHost(pattern, host, port)).toBe(true)
      expect(pattern && matchesHost(pattern, `x.${host}`, port)).toBe(false)
    }),
  )
})
