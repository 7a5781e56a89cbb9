import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { type TestDatabase, answeringServers } from '@tollgate/testkit/databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { MODEL, operate, relayCall } from '../nodes/operator.ts'
import { type Program, runCommand, startProgram } from '../nodes/program.ts'
import { isHere } from './here.ts'
import { type ReverseProxy, freePort, startProxy } from './proxies.ts'
import { type SteppingUpstream, startSteppingUpstream } from './stepping-upstream.ts'

/** Two gateways over PostgreSQL behind each of the reverse proxies that `deploy/` has a file for. */

const REALTIME_MODEL = 'gpt-4o-realtime-preview'
/** Every address of 127.0.0.0/8 belongs to this machine; the token is for this one only. */
const ALLOWED_ADDRESS = '127.0.0.7'
const CALLERS = 16
const servers = await answeringServers()
const postgres = servers.find(({ label }) => label === 'PostgreSQL')

describe.skipIf(!postgres)('behind a reverse proxy', () => {
  let folder: string
  let database: TestDatabase
  let upstream: SteppingUpstream
  let environment: Record<string, string>
  let key: string
  let limitedKey: string
  const ports: number[] = []
  const nodes: Program[] = []

  beforeAll(async () => {
    if (!postgres) return
    folder = mkdtempSync(join(tmpdir(), 'tollgate-proxies-'))
    database = await postgres.createDatabase()
    upstream = await startSteppingUpstream()
    environment = {
      SQL_DSN: database.dsn,
      TRUSTED_PROXIES: '127.0.0.1',
      DRAIN_SECONDS: '60',
      DRAIN_NOTICE_SECONDS: '6',
    }
    for (let index = 0; index < 2; index++) {
      ports.push(await freePort())
      nodes.push(await startNode(index))
    }
    const { root, newToken } = await operate(nodes[0]?.address ?? '', upstream)
    key = await newToken('everywhere')
    const { key: own } = await root.call(routes.token.create, {
      body: { name: 'one address', unlimited_quota: true, allow_ips: ALLOWED_ADDRESS },
    })
    limitedKey = own
    const channel = {
      type: 1,
      key: 'sk-upstream',
      name: 'realtime',
      base_url: upstream.url,
      group: 'default',
    }
    await root.call(routes.channel.create, { body: { ...channel, models: REALTIME_MODEL } })
  })
  afterAll(async () => {
    for (const { child, ended } of nodes) {
      child.kill('SIGKILL')
      await ended
    }
    await upstream?.close()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const startNode = (index: number) => startProgram(folder, { ...environment, PORT: String(ports[index]) })

  test('both gateways serve the token', async () => {
    for (const { address } of nodes)
      await expect.poll(async () => (await relayCall({ address, key })).status).toBe(200)
  })

  describe.each(['caddy', 'nginx', 'haproxy'] as const)('%s', (name) => {
    let proxy: ReverseProxy
    beforeAll(async () => {
      if (isHere(name)) proxy = await startProxy(name, { folder, nodes: ports })
    })
    afterAll(async () => proxy?.stop())
    const walk = test.skipIf(!isHere(name))

    walk('a stream arrives frame by frame', async () => {
      const stream = await openStream(proxy.address, key)
      await stream.contains('first')
      for (const text of ['second', 'third']) {
        upstream.step(text)
        await stream.contains(text)
      }
      upstream.finish()
      await stream.ended
      expect(stream.text()).toContain('[DONE]')
    })

    walk('a realtime session is upgraded and carries messages in both directions', async () => {
      const address = `${proxy.address.replace('http', 'ws')}/v1/realtime?model=${REALTIME_MODEL}`
      const socket = new WebSocket(address, { headers: { authorization: `Bearer ${key}` } })
      const received: string[] = []
      socket.on('message', (data) => received.push(Buffer.isBuffer(data) ? data.toString() : ''))
      await expect.poll(() => received.join()).toContain('session.created')
      socket.send(JSON.stringify({ type: 'session.update', session: {} }))
      await expect.poll(() => received.join()).toContain('session.updated')
      socket.close()
      await once(socket, 'close')
    })

    walk('the gateway sees the address of the client, and a client cannot choose another', async () => {
      const own = { key: limitedKey, localAddress: ALLOWED_ADDRESS }
      expect(await statusFrom(proxy.address, own)).toBe(200)
      expect(await statusFrom(proxy.address, { ...own, localAddress: '127.0.0.8' })).toBe(403)
    })

    walk('no call and no stream is lost while one of two gateways stops', async () => {
      const streams = await Promise.all(Array.from({ length: CALLERS }, () => openStream(proxy.address, key)))
      await Promise.all(streams.map((stream) => stream.contains('first')))
      const [, second] = nodes
      if (!second) throw new Error('the second gateway runs')
      const statuses: number[] = []
      const over = new AbortController()
      const callers = Array.from({ length: CALLERS }, async () => {
        while (!over.signal.aborted) statuses.push((await relayCall({ address: proxy.address, key })).status)
      })
      second.child.kill('SIGTERM')
      await expect.poll(async () => isRefused(ports[1] ?? 0), { timeout: 60_000 }).toBe(true)
      upstream.step('still here')
      await Promise.all(streams.map((stream) => stream.contains('still here')))
      upstream.finish()
      await Promise.all(streams.map((stream) => stream.ended))
      expect(await second.ended).toBe(0)
      over.abort()
      await Promise.all(callers)
      expect(statuses.length).toBeGreaterThan(CALLERS)
      expect(statuses.filter((status) => status !== 200)).toEqual([])
      for (const stream of streams) expect(stream.text()).toContain('[DONE]')
      nodes[1] = await startNode(1)
    })
  })

  test('the books balance after all of it', async () => {
    const { code, printed } = await runCommand(folder, { verb: 'audit', environment })
    expect(code, printed).toBe(0)
  })
})

async function openStream(address: string, key: string) {
  const body = JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'hello' }] })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = request(`${address}/v1/chat/completions`, { method: 'POST', agent: false, headers })
  const responded = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  sent.end(body)
  const response = await responded
  let text = ''
  response.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = new Promise<void>((resolve, reject) => {
    response.once('error', reject)
    response.once('end', () => (response.complete ? resolve() : reject(new Error('cut off'))))
  })
  ended.catch(() => undefined)
  return {
    text: () => text,
    ended,
    contains: async (part: string): Promise<void> => {
      await expect.poll(() => text).toContain(part)
    },
  }
}

/** Claims to come from the allowed address; only the proxy knows better. */
async function statusFrom(
  address: string,
  { key, localAddress }: { readonly key: string; readonly localAddress: string },
): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-forwarded-for': ALLOWED_ADDRESS,
    'x-real-ip': ALLOWED_ADDRESS,
  }
  const sent = request(`${address}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    localAddress,
    headers,
  })
  sent.end(JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hello' }] }))
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve)
    sent.once('error', reject)
  })
  response.resume()
  return response.statusCode ?? 0
}

async function isRefused(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/livez`).then(
    () => false,
    () => true,
  )
}
