import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect as connectTo, createServer as createTcpServer, type Socket } from 'node:net'
import { invariant } from '@tollgate/kit/invariant'
import { Problem } from '@tollgate/problems/problem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { openEgress } from './open-egress.ts'
import { proxyAddress } from './proxies.ts'

/** What a proxy recorded: the target of the tunnel and the caller's credential. */
interface Passed {
  readonly target: string
  readonly credential: string | undefined
}

const passed: Passed[] = []
const servers: { close(): unknown }[] = []
const sockets = new Set<Socket>()
let target = ''
let httpProxy = ''
let socksProxy = ''

beforeAll(async () => {
  target = `http://127.0.0.1:${await portOf(createServer((request, response) => response.end(`hello ${request.url}`)))}`
  httpProxy = `http://user:p%40ss@127.0.0.1:${await portOf(tunnelling())}`
  socksProxy = `socks5://user:p%40ss@127.0.0.1:${await portOf(createTcpServer(speakSocks))}`
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})
beforeEach(() => {
  passed.length = 0
})

async function portOf(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  servers.push(server)
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  invariant(typeof address === 'object' && address, 'it listens on a port')
  return address.port
}

function join(client: Socket, host: string, port: number, ready: () => void): void {
  const upstream = connectTo(port, host, () => {
    ready()
    upstream.pipe(client).pipe(upstream)
  })
  sockets.add(upstream)
  upstream.on('error', () => client.destroy())
  client.on('error', () => upstream.destroy())
}

function tunnelling(): Server {
  return createServer().on('connect', (request, client: Socket) => {
    const [host = '', port = ''] = (request.url ?? '').split(':')
    passed.push({ target: request.url ?? '', credential: request.headers['proxy-authorization'] })
    join(client, host, Number(port), () => client.write('HTTP/1.1 200 Connected\r\n\r\n'))
  })
}

/** SOCKS5 (https://www.rfc-editor.org/rfc/rfc1928) with user name and password. */
function speakSocks(client: Socket): void {
  let step = 0
  let credential: string | undefined
  client.on('data', function take(data: Buffer) {
    step++
    if (step === 1) client.write(Buffer.from([5, 2]))
    if (step === 2) {
      const name = data.subarray(2, 2 + (data[1] ?? 0))
      credential = `${name.toString()}:${data.subarray(3 + name.length).toString()}`
      client.write(Buffer.from([1, 0]))
    }
    if (step < 3) return
    client.off('data', take)
    const isName = data[3] === 3
    const end = isName ? 5 + (data[4] ?? 0) : 8
    const host = isName ? data.subarray(5, end).toString() : data.subarray(4, 8).join('.')
    const port = data.readUInt16BE(end)
    passed.push({ target: `${host}:${port}`, credential })
    join(client, host, port, () => client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])))
  })
}

function egressAllowing(...allowedAddresses: string[]) {
  const egress = openEgress({ allowedAddresses })
  servers.push(egress)
  return egress
}

const codeOf = (error: unknown) => (error instanceof Problem ? error.code : error)

describe('through a proxy', () => {
  it.each([
    ['http', () => httpProxy, `Basic ${Buffer.from('user:p@ss').toString('base64')}`],
    ['socks5', () => socksProxy, 'user:p@ss'],
  ])('requests go through a proxy of type %s with its credential', async (_kind, proxyOf, credential) => {
    const egress = egressAllowing('127.0.0.0/8')
    const proxy = proxyAddress(proxyOf())
    for (const path of ['/one', '/two']) {
      const { status, body } = await egress.exchange({ method: 'GET', url: target + path, proxy })
      expect([status, body.toString()]).toEqual([200, `hello ${path}`])
    }
    expect(passed[0]).toEqual({ target: target.slice('http://'.length), credential })
  })

  it.each([
    ['http', () => httpProxy, `Basic ${Buffer.from('user:p@ss').toString('base64')}`],
    ['socks5', () => socksProxy, 'user:p@ss'],
  ])(
    'a WebSocket goes through a proxy of type %s too, whether opened by `exchange` or by `socket`',
    async (_kind, proxyOf, credential) => {
      const vendor = new WebSocketServer({ port: 0, host: '127.0.0.1' })
      servers.push(vendor)
      await once(vendor, 'listening')
      vendor.on('connection', (socket) =>
        socket.once('message', (message: Buffer) => {
          socket.send(`{"heard":${message.toString()}}`)
          socket.close(1000)
        }),
      )
      const address = vendor.address()
      invariant(typeof address === 'object' && address, 'it listens on a port')
      const url = `ws://127.0.0.1:${address.port}`
      const egress = egressAllowing('127.0.0.0/8')
      const proxy = proxyAddress(proxyOf())
      const { body } = await egress.exchange({ method: 'POST', url: `${url}/chat`, body: '1', proxy })
      expect(body.toString()).toBe('{"heard":1}\n')
      const socket = egress.socket({ url, proxy })
      socket.on('open', () => socket.send('2'))
      const [message] = await once(socket, 'message')
      expect(String(message)).toBe('{"heard":2}')
      expect(passed).toEqual([1, 2].map(() => ({ target: `127.0.0.1:${address.port}`, credential })))
    },
  )

  it('a WebSocket fails when the proxy refuses the tunnel', async () => {
    const refusing = createServer().on('connect', (_request, client: Socket) =>
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n'),
    )
    const proxy = proxyAddress(`http://127.0.0.1:${await portOf(refusing)}`)
    const egress = egressAllowing('127.0.0.0/8')
    const request = { method: 'POST', url: 'ws://203.0.114.7/', body: '1', proxy } as const
    expect(await egress.exchange(request).catch(codeOf)).toBe('do_request_failed')
  })

  it.each([
    ['http', () => httpProxy],
    ['socks5', () => socksProxy],
  ])('nothing is sent through a proxy of type %s that is not in the allow list', async (_kind, proxyOf) => {
    const egress = egressAllowing()
    const request = { method: 'GET', url: 'http://203.0.114.7/', proxy: proxyAddress(proxyOf()) } as const
    expect(await egress.exchange(request).catch(codeOf)).toMatch(
      /^(?:destination_refused|do_request_failed)$/,
    )
    expect(passed).toEqual([])
  })

  it.each([
    'http://10.0.0.1/',
    'http://[::1]/',
    'ws://10.0.0.1/',
    'wss://localhost/',
    'http://localhost/',
    'http://a.localhost:80/',
  ])('a proxy does not open the way to %s, which is not allowed', async (url) => {
    const egress = egressAllowing(new URL(httpProxy).host)
    expect(await egress.exchange({ method: 'GET', url, proxy: proxyAddress(httpProxy) }).catch(codeOf)).toBe(
      'destination_refused',
    )
    expect(passed).toEqual([])
  })
})

describe('proxyAddress', () => {
  it.each([undefined, null, ''])('%j means that no proxy is set', (value) => {
    expect(proxyAddress(value)).toBeUndefined()
  })

  it('accepts `socks5h` as `socks5`, because the proxy always resolves names', () => {
    expect(proxyAddress('socks5h://proxy.test:1080')).toBe('socks5://proxy.test:1080')
  })

  it.each([7, {}, 'proxy.test:8080', 'ftp://proxy.test', 'http://'])(
    'the invalid proxy %j is refused and not silently bypassed',
    (value) => {
      expect(() => proxyAddress(value)).toThrow(/proxy_invalid/)
    },
  )
})
