import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Returns the IP address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * Returns the socket's peer, or, if the peer is a trusted proxy, the right-most hop of `X-Forwarded-For` that
 * is not one. Hops further left were written by the client and are not trusted.
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

/** `ranges`: IP addresses and CIDR ranges, already validated with the configuration. */
export function trustedProxies(ranges: readonly string[]): ProxyTest {
  if (ranges.length === 0) return { has: () => false }
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

/**
 * The key under which limits count a client: one IPv4 address, or the /64 prefix that an IPv6 customer gets.
 */
export function limitKey(address: string): string {
  if (!isIPv6(address)) return address
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

/** Unwraps IPv4-mapped IPv6 addresses and drops a zone index. */
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

/**
 * Walks from the right to the first hop that is not a trusted proxy. A hop that is not an address ends the
 * walk.
 */
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
