import { createServer } from 'node:http'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { openCollector } from './collector.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** Answers with these statuses in turn and wants no pause before another try. */
async function open(statuses: number[], timeoutMs = 30_000) {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    const status = statuses.shift()
    request.resume()
    if (status !== undefined) response.writeHead(status, { 'retry-after': '0' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const collector = openCollector({
    url: `http://127.0.0.1:${port}/v1/traces`,
    headers: {},
    isCompressed: false,
    timeoutMs,
    tls: {},
    userAgent: 'test',
  })
  stops.push(
    () => collector.close(),
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return { collector, requests: () => requests, send: () => collector.send(new Uint8Array(3), 'test') }
}

test('a request is repeated after an answer that allows it', async () => {
  const { send, requests } = await open([503, 429, 200])
  expect(await send()).toBeUndefined()
  expect(requests()).toBe(3)
})

test('a request that the collector refuses is not repeated', async () => {
  const { send, requests } = await open([400])
  expect(await send()).toBe('status 400')
  expect(requests()).toBe(1)
})

test('a request is given up after its last try', async () => {
  const { send, requests } = await open([502, 502, 502, 502, 502])
  expect(await send()).toBe('status 502')
  expect(requests()).toBe(5)
})

test('a collector that never answers is given up after the time limit, or when the gateway stops', async () => {
  const slow = await open([], 50)
  expect(await slow.send()).toMatch(/timeout|aborted/)
  const stopped = await open([])
  const sending = stopped.send()
  await stopped.collector.close()
  expect(await sending).toMatch(/stopped|destroyed/)
})
