import ipaddr from 'ipaddr.js'

export type Address = ReturnType<typeof ipaddr.parse>

/**
 * Addresses inside public ranges at which cloud hosts serve their own guests, such as metadata services. No
 * caller has a legitimate reason to reach them.
 */
const HOST_SERVICES = ['168.63.129.16', '169.254.169.254'].map((text) => ipaddr.parse(text))

/** The only IPv6 range that is allocated for the public internet. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** IPv6 prefixes whose last 32 bits are an IPv4 address; the connection ends up at that IPv4 address. */
const EMBEDDING_PREFIXES = ['::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96', '::/96'].map((text) =>
  ipaddr.parseCIDR(text),
)

/** Parses an address and unwraps IPv4 inside IPv6; `undefined` for text that is not an address. */
export function parseAddress(text: string): Address | undefined {
  // Only the four-part decimal form is accepted. The URL parser or the resolver has already expanded every
  // other IPv4 notation.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined
  return unwrapped(ipaddr.parse(text))
}

/** Whether an address, already unwrapped, is globally reachable and meant to be. */
export function isPublic(address: Address): boolean {
  if (HOST_SERVICES.some((known) => isSame(known, address))) return false
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST)) return false
  return address.range() === 'unicast'
}

function unwrapped(address: Address): Address {
  if (address.kind() === 'ipv4') return address
  if (!EMBEDDING_PREFIXES.some((prefix) => address.match(prefix)) || isLowest(address)) return address
  return ipaddr.fromByteArray(address.toByteArray().slice(12))
}

/** `::` and `::1` lie in the range of embedded IPv4 addresses, but are addresses of their own. */
function isLowest(address: Address): boolean {
  return address
    .toByteArray()
    .slice(0, 15)
    .every((byte) => byte === 0)
}

function isSame(left: Address, right: Address): boolean {
  return left.kind() === right.kind() && left.toString() === right.toString()
}
