import { problem } from '@tollgate/problems/problem'
import ipaddr from 'ipaddr.js'

const LINES_MAX = 200

/**
 * Normalises the list of allowed addresses to one IP address or CIDR range per line. An invalid line is
 * rejected: if it were dropped, a list of nothing but invalid lines would allow everyone.
 */
export function parseAddresses(text: string): string {
  const lines = text.split(/[\s,]+/).filter((line) => line !== '')
  if (lines.length > LINES_MAX) throw problem('token_addresses_too_many', { max: LINES_MAX })
  const invalid = lines.find((line) => !isAddress(line) && !isRange(line))
  if (invalid !== undefined) throw problem('token_address_invalid', { line: invalid.slice(0, 64) })
  return [...new Set(lines)].join('\n')
}

/**
 * Accepts only the usual notations: some parsers accept `10.1` as an address, but it is most likely a typing
 * error.
 */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'))
}

function isRange(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  if (rest.length > 0 || !isAddress(address) || !/^\d{1,3}$/.test(bits)) return false
  return Number(bits) <= (address.includes(':') ? 128 : 32)
}
