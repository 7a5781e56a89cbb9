import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whose call it is, by address. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * The socket's peer, unless it is a trusted proxy: then the right-most hop of `X-Forwarded-For` that is not one. What
 * stands left of that hop was written by the client and is not believed.
 */
export function clientAddressReader(proxies: ProxyTest): ClientAddress {
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? '')
    if (!proxies.has(peer)) return peer
    return lastUntrusted(hopsOf(request.headers['x-forwarded-for']), proxies) ?? peer
  }
}

export interface ProxyTest {
  has(address: string): boolean
}

/** `ranges`: addresses and CIDR ranges, checked when the configuration was read. */
export function trustedProxies(ranges: readonly string[]): ProxyTest {
  if (ranges.length === 0) return { has: () => false }
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

/** What limits count by: one IPv4 address, or the /64 that one IPv6 customer has. */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

/** IPv4 inside IPv6 is IPv4; a zone index is dropped. */
function plainAddress(address: string): string {
  const bare = address.split('%')[0] ?? ''
  return bare.toLowerCase().startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, Number(bits), familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

function hopsOf(header: string | string[] | undefined): readonly string[] {
  return String(header ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
}

/** From the right: the first hop no proxy of ours is. A hop that is no address ends the walk. */
function lastUntrusted(hops: readonly string[], proxies: ProxyTest): string | undefined {
  let address: string | undefined
  for (const hop of hops.toReversed()) {
    const next = withoutPort(hop)
    if (isIP(next) === 0) return address
    address = plainAddress(next)
    if (!proxies.has(address)) return address
  }
  return address
}

/** Some proxies write `1.2.3.4:5678` or `[::1]:5678`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(hop)
  if (bracketed) return bracketed[1] ?? ''
  return /^[\d.]+:\d+$/.test(hop) ? (hop.split(':')[0] ?? '') : hop
}
