import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { isLocalRequest } from './local-request.ts'

interface Wish {
  readonly peer?: string
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly httpVersion?: string
}

function isLocal({ peer = '127.0.0.1', host = 'localhost:3000', headers = {}, httpVersion = '1.1' }: Wish) {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer })
  const request = Object.assign(new IncomingMessage(socket), { httpVersion })
  return isLocalRequest(Object.assign(request, { headers: { host, ...headers } }))
}

test.each<Wish>([
  {},
  { host: 'localhost' },
  { host: '127.0.0.1:3000' },
  { peer: '::1', host: '[::1]:3000' },
  { peer: '::ffff:127.0.0.1', host: 'LOCALHOST:3000' },
  { peer: '127.8.8.8', host: '127.0.0.2' },
])('a browser on this machine counts as local: %o', (wish) => {
  expect(isLocal(wish)).toBe(true)
})

test.each<Wish>([
  { peer: '192.0.2.1' },
  { peer: '172.17.0.1' },
  { peer: '::ffff:192.0.2.1' },
  { peer: '2001:db8::1' },
  { peer: '' },
  { host: 'gate.example' },
  { host: 'localhost.gate.example' },
  { host: 'gate.localhost' },
  { host: 'localhost@gate.example' },
  { host: '127.0.0.1.nip.io' },
  { host: '0.0.0.0:3000' },
  { host: '192.168.0.10:3000' },
  { host: '[::2]' },
  { host: '' },
  { headers: { 'x-forwarded-for': '127.0.0.1' } },
  { headers: { 'x-forwarded-proto': 'https' } },
  { headers: { 'x-real-ip': '127.0.0.1' } },
  { headers: { forwarded: 'for=127.0.0.1' } },
  { headers: { via: '1.1 proxy' } },
  { headers: { 'cf-connecting-ip': '127.0.0.1' } },
  { httpVersion: '1.0' },
])('a request that may come from elsewhere does not count as local: %o', (wish) => {
  expect(isLocal(wish)).toBe(false)
})
