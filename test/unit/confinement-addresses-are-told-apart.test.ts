// Proves which addresses a host may have that nobody named as it is. Fails when an address of this machine, of a private
// network or of a link counts as public, in whatever way it is written, or when a public one does not.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress } from '../../src/platform/confinement/network/public-address.ts'

test.each([
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
  ...[
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
  ],
  ...['240.0.0.1', '255.255.255.255', '::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ...['64:ff9b::10.0.0.1', '64:ff9b:1::1', '100::1', 'fc00::1', 'fdff::1', 'fe80::1', 'fec0::1', 'ff02::1'],
  ...['2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '0:0:0:0:0:ffff:a9fe:a9fe', '5f00::1'],
])('%s is none', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255'],
  ...['2606:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '2620:fe::fe'],
])('%s is one', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

const byte = fc.integer({ min: 0, max: 255 })
const group = fc.integer({ min: 0, max: 0xffff })
const text6 = (groups: readonly number[]) => groups.map((one) => one.toString(16)).join(':')

test('of all IPv4 addresses the private ones are none', () => {
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const isPrivate =
        [0, 10, 127].includes(a) ||
        a >= 224 ||
        (a === 100 && b >= 64 && b < 128) ||
        (a === 169 && b === 254) ||
        (a === 172 && b >= 16 && b < 32) ||
        (a === 192 && b === 168)
      if (isPrivate) expect(isPublicAddress(`${a}.${b}.${c}.${d}`)).toBe(false)
      // nor is what stands for any of them
      const [high, low] = [a * 256 + b, c * 256 + d]
      for (const prefix of [
        [0, 0, 0, 0, 0, 0xffff],
        [0, 0, 0, 0, 0, 0],
        [0x64, 0xff9b, 0, 0, 0, 0],
      ])
        expect(isPublicAddress(text6([...prefix, high, low]))).toBe(false)
      expect(isPublicAddress(text6([0x2002, high, low, 0, 0, 0, 0, 1]))).toBe(false)
    }),
  )
})

test('of all IPv6 addresses only those of the global block are public', () => {
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const [first = 0] = groups
      if (first < 0x2000 || first > 0x3fff) expect(isPublicAddress(text6(groups))).toBe(false)
    }),
  )
})
