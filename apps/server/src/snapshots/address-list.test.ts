import { expect, test } from 'vitest'
import { addressList } from './address-list.ts'

test('an empty address list allows every address', () => {
  expect(addressList('')).toBeUndefined()
  expect(addressList(' \n ,')).toBeUndefined()
})

test('an address list matches IPv4 and IPv6 addresses and ranges', () => {
  const list = addressList('203.0.113.7\n10.0.0.0/8, 2001:db8::/32')
  const asked = [
    '203.0.113.7',
    '203.0.113.8',
    '10.255.0.1',
    '11.0.0.1',
    '2001:db8:1::1',
    '2001:db9::1',
    'x',
    '',
  ]
  expect(asked.filter((address) => list?.has(address))).toEqual([
    '203.0.113.7',
    '10.255.0.1',
    '2001:db8:1::1',
  ])
})

test('a list with only unreadable lines allows no address (new-api allows every address)', () => {
  const list = addressList('example.com\n10.0.0.0/99\n300.1.1.1')
  expect(list?.has('10.0.0.1')).toBe(false)
  expect(list?.has('127.0.0.1')).toBe(false)
})
