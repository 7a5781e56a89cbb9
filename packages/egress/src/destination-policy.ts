import { invariant } from '@tollgate/kit/invariant'
import ipaddr from 'ipaddr.js'
import { isPublic, parseAddress, type Address } from './public-address.ts'

/**
 * Decides where connections may go. It is consulted with the host of the URL, and again with each address
 * that the host resolves to.
 */
export interface DestinationPolicy {
  /** True when the operator listed this host by name; then every address it resolves to is allowed. */
  trustsHost(host: string, port: number): boolean
  /**
   * True for a public address, or one that the operator listed. Text that is not an address is never allowed.
   */
  allowsAddress(address: string, port: number): boolean
  /**
   * True when the operator listed the host, by name or as an address. A public host that is not in the list
   * is not listed.
   */
  lists(host: string, port: number): boolean
}

interface AllowedRange {
  readonly range: readonly [Address, number]
  readonly port: number | undefined
}

interface AllowedHost {
  readonly host: string
  readonly port: number | undefined
}

/**
 * `allowed` holds host names, addresses and CIDR ranges, each with an optional `:port`. Throws when an entry
 * is none of these.
 */
export function destinationPolicy(allowed: readonly string[]): DestinationPolicy {
  const ranges: AllowedRange[] = []
  const hosts: AllowedHost[] = []
  for (const text of allowed) {
    const { destination, port } = parseEntry(text)
    const range = parseRange(destination)
    if (range) ranges.push({ range, port })
    else hosts.push({ host: hostName(destination), port })
  }
  const isInRanges = (address: Address, port: number) =>
    ranges.some((entry) => isWithin(address, entry.range) && fits(entry.port, port))
  const trustsHost = (host: string, port: number) =>
    hosts.some((entry) => entry.host === host.toLowerCase() && fits(entry.port, port))
  return {
    trustsHost,
    allowsAddress: (text, port) => {
      const address = parseAddress(text)
      return address !== undefined && (isPublic(address) || isInRanges(address, port))
    },
    lists: (host, port) => {
      const address = parseAddress(host)
      return trustsHost(host, port) || (address !== undefined && isInRanges(address, port))
    },
  }
}

function fits(allowedPort: number | undefined, port: number): boolean {
  return allowedPort === undefined || allowedPort === port
}

function isWithin(address: Address, range: readonly [Address, number]): boolean {
  return address.kind() === range[0].kind() && address.match(range[0], range[1])
}

/**
 * Accepts `host`, `host:port`, `[v6]:port`, or a bare IPv6 address or range, whose colons do not introduce a
 * port.
 */
function parseEntry(text: string): { destination: string; port: number | undefined } {
  const entry = text.trim()
  const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(entry)
  const plain = bracketed ?? /^([^:]+)(?::(\d+))?$/.exec(entry)
  return { destination: plain?.[1] ?? entry, port: plain?.[2] === undefined ? undefined : Number(plain[2]) }
}

function parseRange(text: string): readonly [Address, number] | undefined {
  if (text.includes('/')) {
    invariant(ipaddr.isValidCIDR(text), `EGRESS_ALLOW: ${text} is not an address range`)
    return ipaddr.parseCIDR(text)
  }
  const address = parseAddress(text)
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

function hostName(text: string): string {
  const url = URL.parse(`http://${text}/`)
  invariant(url !== null && url.hostname !== '', `EGRESS_ALLOW: ${text} is not a host, address or range`)
  return url.hostname
}
