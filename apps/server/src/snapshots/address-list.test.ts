import { expect, test } from 'vitest'
import { addressList } from './address-list.ts'

test('no list allows everybody', () => {
  expect(addressList('')).toBeUndefined()
  expect(addressList(' \n ,')).toBeUndefined()
})

test('addresses and ranges of both families', () => {
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

test('a list of nothing but unreadable lines allows nobody, where the reference system allowed all', () => {
  const list = addressList('example.com\n10.0.0.0/99\n300.1.1.1')
  expect(list?.has('10.0.0.1')).toBe(false)
  expect(list?.has('127.0.0.1')).toBe(false)
})
