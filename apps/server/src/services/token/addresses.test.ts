import { describe, expect, it } from 'vitest'
import { parseAddresses } from './addresses.ts'

describe('allowed addresses', () => {
  it('are one IP address or CIDR range a line, each once', () => {
    expect(parseAddresses(' 203.0.113.7\n203.0.113.0/24, 2001:db8::/32\n\n203.0.113.7')).toBe(
      '203.0.113.7\n203.0.113.0/24\n2001:db8::/32',
    )
  })

  it('may be none', () => {
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
  ])('WEAKNESS: the list never fails open, %s is refused instead of ignored', (line) => {
    expect(() => parseAddresses(`203.0.113.7\n${line}`)).toThrow('token_address_invalid')
  })

  it('are at most 200', () => {
    const lines = Array.from({ length: 201 }, (_, index) => `10.0.${index}.1`)
    expect(() => parseAddresses(lines.join('\n'))).toThrow('token_addresses_too_many')
  })
})
