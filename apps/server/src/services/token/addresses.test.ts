import { describe, expect, it } from 'vitest'
import { parseAddresses } from './addresses.ts'

describe('parseAddresses', () => {
  it('returns one IP address or CIDR range per line, without duplicates', () => {
    expect(parseAddresses(' 203.0.113.7\n203.0.113.0/24, 2001:db8::/32\n\n203.0.113.7')).toBe(
      '203.0.113.7\n203.0.113.0/24\n2001:db8::/32',
    )
  })

  it('accepts an empty list', () => {
    expect(parseAddresses(' \n ')).toBe('')
  })

  it.each([
    '10.1',
    '203.0.113.256',
    '203.0.113.0/33',
    '2001:db8::/129',
    '203.0.113.0/',
    '203.0.113.0/8/8',
    'fe80::1%eth0',
    'localhost',
    '0x7f.1',
  ])('unlike new-api, rejects the invalid line %s instead of ignoring it and allowing everyone', (line) => {
    expect(() => parseAddresses(`203.0.113.7\n${line}`)).toThrow('token_address_invalid')
  })

  it('accepts at most 200 addresses', () => {
    const lines = Array.from({ length: 201 }, (_, index) => `10.0.${index}.1`)
    expect(() => parseAddresses(lines.join('\n'))).toThrow('token_addresses_too_many')
  })
})
