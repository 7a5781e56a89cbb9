import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { trustedProxies } from './client-address.ts'
import { type DifferentHosts, origins } from './origin.ts'

function requestWith(headers: Record<string, string>, peer = '203.0.113.9'): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: peer })
  return Object.assign(new IncomingMessage(socket), { headers: { host: 'gate.example:3000', ...headers } })
}

const proxied = '10.0.0.1'
const rules = origins({
  proxies: trustedProxies(['10.0.0.0/8']),
  publicAddress: () => 'https://public.example',
})
const verdict = (headers: Record<string, string>, peer?: string) => {
  const request = requestWith(headers, peer)
  const passes = (rule: (one: IncomingMessage) => void) => {
    try {
      rule(request)
      return true
    } catch {
      return false
    }
  }
  return {
    change: passes((one) => rules.requireSameOrigin(one)),
    open: passes((one) => rules.refuseCrossSite(one)),
  }
}

test.each([
  ['Sec-Fetch-Site says same-origin', { 'sec-fetch-site': 'same-origin' }],
  ['Origin is the host asked', { origin: 'http://gate.example:3000' }],
  ['Origin is the configured address', { origin: 'https://public.example' }],
  ['a GET over plain HTTP has only a Referer', { referer: 'http://gate.example:3000/token' }],
])('%s: a state change is allowed', (_name, headers) => {
  expect(verdict(headers)).toEqual({ change: true, open: true })
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling host', { 'sec-fetch-site': 'same-site' }],
  ['an address typed by hand', { 'sec-fetch-site': 'none' }],
  [
    'Sec-Fetch-Site wins over a matching Origin',
    { 'sec-fetch-site': 'cross-site', origin: 'http://gate.example:3000' },
  ],
  ['another origin', { origin: 'http://evil.example' }],
  ['another port', { origin: 'http://gate.example:3001' }],
  ['a hidden origin', { origin: 'null' }],
  [
    'a forwarded host from a stranger',
    { origin: 'http://front.example', 'x-forwarded-host': 'front.example' },
  ],
])('%s: requireSameOrigin and refuseCrossSite both refuse', (_name, headers) => {
  expect(verdict(headers)).toEqual({ change: false, open: false })
})

test('a script without origin headers may sign in but not change state with a cookie', () => {
  expect(verdict({})).toEqual({ change: false, open: true })
})

test('a trusted proxy provides the host that the browser requested', () => {
  const headers = { origin: 'https://front.example', 'x-forwarded-host': 'evil.example, front.example' }
  expect(verdict(headers, proxied).change).toBe(true)
})

test('HTTPS is recognised by a trusted proxy or our own origin, not by an untrusted sender', () => {
  expect(rules.isSecure(requestWith({ 'x-forwarded-proto': 'https' }, proxied))).toBe(true)
  expect(rules.isSecure(requestWith({ 'x-forwarded-proto': 'https' }))).toBe(false)
  expect(rules.isSecure(requestWith({ origin: 'https://gate.example:3000' }))).toBe(true)
  expect(rules.isSecure(requestWith({ origin: 'https://evil.example' }))).toBe(false)
  expect(rules.isSecure(requestWith({ referer: 'https://gate.example:3000/login' }))).toBe(true)
  expect(rules.isSecure(requestWith({ referer: 'https://evil.example/' }))).toBe(false)
})

test('for a proxy that rewrites Host, the response and the log name both hosts', () => {
  const differences: DifferentHosts[] = []
  const watched = origins({
    proxies: trustedProxies([]),
    publicAddress: () => '',
    onHostsDiffer: (hosts) => differences.push(hosts),
  })
  const request = requestWith({ host: 'tollgate:3000', origin: 'http://gate.example' })
  const words = /page_host_differs .* gate\.example, .* tollgate:3000/
  expect(() => watched.requireSameOrigin(request)).toThrow(words)
  expect(() => watched.refuseCrossSite(request)).toThrow(words)
  const both = { page: 'gate.example', host: 'tollgate:3000' }
  expect(differences).toEqual([both, both])
  const byBrowser = requestWith({ 'sec-fetch-site': 'cross-site', origin: 'http://gate.example' })
  expect(() => watched.requireSameOrigin(byBrowser)).toThrow('cross_site_refused')
  expect(differences).toHaveLength(2)
})
