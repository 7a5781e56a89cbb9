import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { clientAddressReader, limitKey, trustedProxies } from './client-address.ts'

function requestFrom(peer: string, forwarded?: string): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return request
}

const none = clientAddressReader(trustedProxies([]))
const behind = clientAddressReader(trustedProxies(['10.0.0.0/8', '::1', 'fd00::/8', '192.0.2.7']))

test.each([
  ['203.0.113.9', '1.2.3.4', '203.0.113.9'],
  ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['2001:db8::1', '1.2.3.4', '2001:db8::1'],
])('without a trusted proxy, %s with X-Forwarded-For %s counts as %s', (peer, forwarded, address) => {
  expect(none(requestFrom(peer, forwarded))).toBe(address)
})

test.each<[string, string | undefined, string, string]>([
  ['10.0.0.1', '198.51.100.1', '198.51.100.1', 'one proxy'],
  ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1', 'an IPv4 proxy on an IPv6 socket'],
  ['10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1', 'what the client forged stands left'],
  ['10.0.0.1', '198.51.100.1, 10.9.9.9, 192.0.2.7', '198.51.100.1', 'a chain of proxies'],
  ['10.0.0.1', '198.51.100.1:4711', '198.51.100.1', 'a port'],
  ['10.0.0.1', '[2001:db8::5]:4711', '2001:db8::5', 'a bracketed address with port'],
  ['10.0.0.1', '1.1.1.1, unknown', '10.0.0.1', 'a hop that is no address ends the walk'],
  ['10.0.0.1', '1.1.1.1, nonsense, 10.2.2.2', '10.2.2.2', 'the last hop that could be read'],
  ['10.0.0.1', undefined, '10.0.0.1', 'a proxy that says nothing'],
  ['10.0.0.1', '', '10.0.0.1', 'an empty header'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9', 'a stranger is not believed'],
])('behind proxies %s, a request that claims %s comes from %s (%s)', (peer, forwarded, address) => {
  expect(behind(requestFrom(peer, forwarded))).toBe(address)
})

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
])('limits count the address %s under %s', (address, key) => {
  expect(limitKey(address)).toBe(key)
})
