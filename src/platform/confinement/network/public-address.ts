import { BlockList, isIPv6 } from 'node:net'

/** Blocks that no host of the internet has (IANA's special-purpose registries, RFC 6890). */
const notPublic4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // multicast, reserved and broadcast
  ['224.0.0.0', 3],
]

/** Of the global unicast block: protocol assignments with Teredo, documentation, and 6to4, which holds any IPv4 address. */
const notPublic6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const never4 = new BlockList()
for (const [network, bits] of notPublic4) never4.addSubnet(network, bits, 'ipv4')
const never6 = new BlockList()
for (const [network, bits] of notPublic6) never6.addSubnet(network, bits, 'ipv6')
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an address is of a host on the internet: not of this machine, of a private network, of a link, of many hosts,
 * and none that stands for such an IPv4 address (mapped, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  return isIPv6(address)
    ? global6.check(address, 'ipv6') && !never6.check(address, 'ipv6')
    : !never4.check(address, 'ipv4')
}
