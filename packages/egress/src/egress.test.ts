import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Problem } from '@tollgate/problems/problem'
import { openEgress, type EgressOptions } from './open-egress.ts'
import type { ResolvedAddress } from './guarded-connector.ts'

const open: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(open.map((close) => close())))

async function listen(address: string, answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(answer).listen(0, address)
  await once(server, 'listening')
  open.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const bound = server.address()
  assert(bound !== null && typeof bound === 'object')
  return { server, port: bound.port }
}

function egressWith(options: Partial<EgressOptions>) {
  const egress = openEgress({ allowedAddresses: [], ...options })
  open.push(() => egress.close())
  return egress
}

/** A resolver that returns these addresses for every name. */
function resolvingTo(...addresses: string[]) {
  const answers = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return () => Promise.resolve(answers)
}

let canaryConnections = 0
let canaryPort = 0
beforeAll(async () => {
  const canary = await listen('127.0.0.1', (_request, response) => response.end('reached'))
  canary.server.on('connection', () => (canaryConnections += 1))
  canaryPort = canary.port
})

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'reached',
    (error: unknown) => (error instanceof Problem ? error.code : String(error)),
  )
}

const REFUSED_HOSTS = `
127.0.0.1 127.0.0.2 127.255.255.254 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 0177.0.0.01 017700000001
0x7f.1 127.0x1 127.0.0.1. 0 0.0.0.0 0.0.0.1 1 255.255.255.255 10.0.0.1 10.255.255.255 167772161 0xa000001 012.0.0.1
172.16.0.1 172.31.255.254 192.168.0.1 192.168.255.255 0xc0a80001 3232235521 100.64.0.1 100.127.255.254 100.100.100.200
169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.0.1 169.254.170.2 168.63.129.16 192.0.0.1 192.0.0.192
192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 192.88.99.1 192.175.48.1 224.0.0.1 239.255.255.250
240.0.0.1 ⓪x7f.1 １２７.0.0.1 127。0。0。1 [::] [::1] [0:0:0:0:0:0:0:1] [::127.0.0.1] [::7f00:1] [::10.0.0.1]
[::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [::ffff:c0a8:1] [::ffff:0:127.0.0.1]
[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1] [64:ff9b:1::1] [64:ff9b:1::8.8.8.8]
[2002:7f00:1::] [2002:0a00:1::1] [2002:808:808::1] [2001::1] [2001:0:53aa:64c:0:5efe:80ff:fffe] [fe80::1] [febf::1]
[fc00::1] [fd00:ec2::254] [fdff::1] [fec0::1] [ff02::1] [100::1] [2001:db8::1] [3fff::1] [2001:2::1] [2001:10::1]
[2001:20::1] [5f00::1] [4000::1] [e000::1] [::2] [::ffff:0.0.0.0]
`
  .trim()
  .split(/\s+/)

test('every notation of a non-public address is refused, and no connection is made', async () => {
  const egress = egressWith({})
  const before = canaryConnections
  for (const host of REFUSED_HOSTS) {
    const code = await codeOf(egress.exchange({ method: 'GET', url: `http://${host}:${canaryPort}/` }))
    expect.soft(code, host).toBe('destination_refused')
  }
  const connections = canaryConnections - before
  process.stdout.write(`egress corpus: ${REFUSED_HOSTS.length} addresses, ${connections} connections\n`)
  expect(REFUSED_HOSTS.length).toBeGreaterThanOrEqual(80)
  expect(canaryConnections - before).toBe(0)
})

test('the same addresses are refused when name resolution returns them', async () => {
  const answers = REFUSED_HOSTS.map(
    (host) => URL.parse(`http://${host}/`)?.hostname.replace(/^\[|\]$/g, '') ?? '',
  )
  const before = canaryConnections
  for (const address of answers) {
    const resolve = resolvingTo(address)
    const code = await codeOf(
      egressWith({ resolve }).exchange({ method: 'GET', url: `http://a.example:${canaryPort}/` }),
    )
    expect.soft(code, address).toBe('destination_refused')
  }
  expect(canaryConnections - before).toBe(0)
})

test('no connection is made when a name resolves to nothing or to text that is not an address', async () => {
  for (const answer of ['', 'localhost', '0x7f.1', '127.1', 'fe80::1%lo', '::ffff:127.0.0.1%lo']) {
    const resolve = resolvingTo(answer)
    const code = await codeOf(egressWith({ resolve }).exchange({ method: 'GET', url: 'http://a.example/' }))
    expect.soft(code, answer).toBe('destination_refused')
  }
  const none = egressWith({ resolve: () => Promise.resolve([]) })
  expect(await codeOf(none.exchange({ method: 'GET', url: 'http://a.example/' }))).toBe('destination_refused')
  const failing = egressWith({ resolve: () => Promise.reject(new Error('ENOTFOUND a.example')) })
  expect(await codeOf(failing.exchange({ method: 'GET', url: 'http://a.example/' }))).toBe(
    'do_request_failed',
  )
})

test.each([
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'http://',
  'x',
  'http://[::1/',
  'http://256.1.1.1/',
])('%s is rejected as an invalid destination', async (url) => {
  expect(await codeOf(egressWith({}).exchange({ method: 'GET', url }))).toBe('destination_invalid')
})

test('DNS rebinding: the connection goes to the address that was checked, and every connection is checked again', async () => {
  const home = await listen('127.0.0.2', (_request, response) => {
    response.setHeader('connection', 'close')
    response.end('home')
  })
  const before = canaryConnections
  const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.1']
  const asked: string[] = []
  const resolve = (hostname: string): Promise<ResolvedAddress[]> => {
    asked.push(hostname)
    return Promise.resolve([{ address: answers.shift() ?? '127.0.0.1', family: 4 }])
  }
  const egress = egressWith({ allowedAddresses: ['127.0.0.2'], resolve })
  const url = `http://rebind.example:${home.port}/`
  const answer = await egress.exchange({ method: 'GET', url })
  expect(answer.body.toString()).toBe('home')
  expect(asked).toEqual(['rebind.example'])
  expect(await codeOf(egress.exchange({ method: 'GET', url }))).toBe('destination_refused')
  const toCanary = egress.exchange({ method: 'GET', url: `http://rebind.example:${canaryPort}/` })
  expect(await codeOf(toCanary)).toBe('destination_refused')
  expect(canaryConnections - before).toBe(0)
})

test('only the allowed addresses of a host with several are tried', async () => {
  const home = await listen('127.0.0.2', (_request, response) => response.end('home'))
  const resolve = resolvingTo('127.0.0.1', '127.0.0.2', '::1')
  const egress = egressWith({ allowedAddresses: ['127.0.0.2/32'], resolve })
  const answer = await egress.exchange({ method: 'GET', url: `http://many.example:${home.port}/` })
  expect(answer.body.toString()).toBe('home')
})

test.each([301, 302, 303, 307, 308])(
  'a %i redirect to a private address is returned as the response and not followed',
  async (status) => {
    const before = canaryConnections
    const home = await listen('127.0.0.2', (_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${canaryPort}/` }).end()
    })
    const egress = egressWith({ allowedAddresses: ['127.0.0.2'] })
    const answer = await egress.exchange({ method: 'GET', url: `http://127.0.0.2:${home.port}/` })
    expect(answer.status).toBe(status)
    const relayed = await egress
      .dispatcher(`http://127.0.0.2:${home.port}`)
      .request({ method: 'GET', path: '/' })
    await relayed.body.dump()
    expect(relayed.statusCode).toBe(status)
    expect(canaryConnections - before).toBe(0)
  },
)

test('the streaming dispatcher of the relay applies the same check', async () => {
  const egress = egressWith({})
  const before = canaryConnections
  const dispatched = egress.dispatcher(`http://127.0.0.1:${canaryPort}`).request({ method: 'GET', path: '/' })
  expect(await codeOf(dispatched)).toBe('destination_refused')
  expect(canaryConnections - before).toBe(0)
})

test.each([
  ['127.0.0.0/8', 'http://127.0.0.1'],
  ['127.0.0.1', 'http://127.0.0.1'],
  ['localhost', 'http://localhost'],
  ['127.0.0.0/8', 'http://[::ffff:127.0.0.1]'],
])('with %s in the allow list, %s can be reached', async (allowed, origin) => {
  const before = canaryConnections
  for (const entry of [allowed, ` ${allowed} `, `${allowed}:${canaryPort}`]) {
    const resolve = resolvingTo('127.0.0.1')
    const egress = egressWith({ allowedAddresses: [entry], resolve })
    const answer = await egress.exchange({ method: 'GET', url: `${origin}:${canaryPort}/` })
    expect(answer.body.toString()).toBe('reached')
  }
  expect(canaryConnections - before).toBe(3)
})

test.each(['127.0.0.1:1', 'localhost:1', '[::1]:80', '10.0.0.0/8', 'other.example'])(
  'with only %s in the allow list, the loopback canary server is not reached',
  async (allowed) => {
    const before = canaryConnections
    const egress = egressWith({ allowedAddresses: [allowed] })
    for (const host of ['127.0.0.1', 'localhost']) {
      const code = await codeOf(egress.exchange({ method: 'GET', url: `http://${host}:${canaryPort}/` }))
      expect(code).toBe('destination_refused')
    }
    expect(canaryConnections - before).toBe(0)
  },
)

test.each(['300.1.1.1/8', '10.0.0.0/99', 'not a host', ''])(
  'the invalid allow-list entry %o is refused at start',
  (entry) => {
    expect(() => openEgress({ allowedAddresses: [entry] })).toThrow(/EGRESS_ALLOW/)
  },
)

test('header values with CR, LF or NUL are refused before a connection is made, and the error does not show them', async () => {
  const before = canaryConnections
  const egress = egressWith({ allowedAddresses: ['127.0.0.0/8'] })
  const url = `http://127.0.0.1:${canaryPort}/`
  const bad: Record<string, string>[] = [
    { a: 'x\r\nb: y' },
    { a: 'x\ny' },
    { a: 'x\0y' },
    { a: 'x\ry' },
    { 'a\r\nb': 'x' },
    { 'a b': 'x' },
    { a: '令牌' },
  ]
  for (const headers of bad) {
    expect(await codeOf(egress.exchange({ method: 'GET', url, headers }))).toBe('header_invalid')
  }
  expect(canaryConnections - before).toBe(0)
})

const echo: RequestListener = (request, response) => {
  response.setHeader('x-echo', String(request.headers['x-one']))
  const head = `${request.method} ${request.url} ${request.headers['accept-encoding']}`
  void text(request).then((body) => response.end(`${head} ${body}`))
}

test('an exchange sends its headers and body as given and requests no compression', async () => {
  const home = await listen('127.0.0.1', echo)
  const egress = egressWith({ allowedAddresses: ['127.0.0.0/8'] })
  const answer = await egress.exchange({
    method: 'POST',
    url: `http://user:pass@127.0.0.1:${home.port}/a/b?c=d#e`,
    headers: { 'x-one': '1' },
    body: 'hello',
  })
  expect(answer.body.toString()).toBe('POST /a/b?c=d identity hello')
  expect(answer.headers['x-echo']).toBe('1')
})

test('an exchange is bounded in size and time, and its errors name no host', async () => {
  const home = await listen('127.0.0.1', (request, response) => {
    if (request.url === '/large') response.end(Buffer.alloc(2000))
    if (request.url === '/half') response.write('half')
    if (request.url === '/cut') request.socket.destroy()
  })
  const egress = egressWith({ allowedAddresses: ['127.0.0.0/8'] })
  const ask = (path: string) =>
    egress.exchange({
      method: 'GET',
      url: `http://127.0.0.1:${home.port}${path}`,
      bytesMax: 1999,
      // A busy machine must not take longer than the answers that come.
      timeoutMs: /silent|half/.test(path) ? 100 : 10_000,
    })
  expect(await codeOf(ask('/large'))).toBe('answer_too_large')
  expect(await codeOf(ask('/silent'))).toBe('first_byte_timeout')
  expect(await codeOf(ask('/half'))).toBe('first_byte_timeout')
  expect(await codeOf(ask('/cut'))).toBe('do_request_failed')
  await expect(ask('/cut')).rejects.toSatisfy((error: Error) => !error.message.includes('127.0.0.1'))
})

test('a caller that aborts gets its own abort reason as the error', async () => {
  const home = await listen('127.0.0.1', () => undefined)
  const egress = egressWith({ allowedAddresses: ['127.0.0.0/8'] })
  const controller = new AbortController()
  const asked = egress.exchange({
    method: 'GET',
    url: `http://127.0.0.1:${home.port}/`,
    signal: controller.signal,
  })
  controller.abort(new Error('left'))
  await expect(asked).rejects.toThrow('left')
})

test('an origin has one dispatcher, and the number of cached origins is bounded', () => {
  const egress = egressWith({ limits: { originsMax: 2 } })
  const first = egress.dispatcher('https://one.example')
  expect(egress.dispatcher('https://one.example')).toBe(first)
  egress.dispatcher('https://two.example')
  egress.dispatcher('https://three.example')
  expect(egress.dispatcher('https://one.example')).not.toBe(first)
})

test('public addresses are allowed', async () => {
  const { destinationPolicy } = await import('./destination-policy.ts')
  const policy = destinationPolicy([])
  const allowed = [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '64:ff9b::8.8.8.8',
  ]
  for (const address of allowed) expect.soft(policy.allowsAddress(address, 443), address).toBe(true)
})
