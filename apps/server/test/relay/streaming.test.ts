import { request as httpRequest, type IncomingMessage } from 'node:http'
import { ManualClock } from '@tollgate/kit/clock'
import { afterEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import type { RelayHarnessOptions } from './relay-harness-options.ts'
import { CHAT, framesOf, listenFor, waitFor } from './send.ts'
import {
  ChatStream,
  failWith,
  openScriptedUpstream,
  streamWith,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'

const STREAM = { ...CHAT, stream: true }

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

async function open(respond: Responder, options: RelayHarnessOptions = {}): Promise<void> {
  harness = await openRelayHarness(options)
  upstream = await openScriptedUpstream(respond)
  await harness.addChannel(upstream.url)
  ;({ bearer } = await harness.addCaller({ quota: 1_000_000_000n }))
}
afterEach(async () => {
  const { findings } = await harness.ledger.audit()
  await harness.close()
  await upstream.close()
  expect(findings).toEqual([])
})

/** Advances the clock second by second until every call has ended; returns the number of seconds. */
async function secondsUntilQuiet(clock: ManualClock): Promise<number> {
  for (let seconds = 0; ; seconds++) {
    if (harness.relay.inFlight === 0) return seconds
    clock.advance(1_000)
    harness.relay.tick()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A caller that reads only when the test does. */
function openStream(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const path = '/v1/chat/completions'
    const target = {
      host: '127.0.0.1',
      port: harness.port,
      method: 'POST',
      path,
      headers,
      agent: false as const,
    }
    const request = httpRequest(target, (response) => resolve(response.pause()))
    request.on('error', reject)
    request.end(JSON.stringify(STREAM))
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  return text
}

/** After an error the connection breaks, so that nobody takes the stream for a whole one. */
async function textBeforeBreak(response: IncomingMessage): Promise<string> {
  let text = ''
  const failure = await (async () => {
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
  })().catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'ECONNRESET' })
  return text
}

test('a stream has the headers of the gateway and none of the upstream’s', async () => {
  await open((response, request) => {
    response.setHeader('set-cookie', 'a=b')
    void streamWith()(response, request)
  })
  const { headers } = await harness.send({ bearer, body: STREAM })
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
  expect(headers['set-cookie']).toBeUndefined()
  await harness.quiet()
})

test('unknown fields and the bytes of events are forwarded unchanged', async () => {
  const odd = 'data: {"id":"x","choices":[{"index":0,"delta":{"content":"\\u00e9","vendor":{"a":1.0}}}]}\n\n'
  await open((response) => {
    new ChatStream(response).raw(': a comment\n\n').raw(odd).finish().usage().done()
  })
  const { text } = await harness.send({ bearer, body: STREAM })
  expect(text).toContain(odd)
  await harness.quiet()
})

test('a stream ends after [DONE] although the upstream keeps the connection open', async () => {
  const clock = new ManualClock()
  await open(
    (response) => void new ChatStream(response).say('hello').finish().usage().raw('data: [DONE]\n\n'),
    { clock },
  )
  const { seen, onText } = listenFor('hello')
  const sent = harness.send({ bearer, body: STREAM, onText })
  await seen
  expect(await secondsUntilQuiet(clock)).toBeLessThan(50)
  expect(framesOf((await sent).text).at(-1)).toBe('[DONE]')
  await harness.quiet()
  expect(await harness.entries()).toMatchObject([{ amount: 38n, flags: '' }])
})

test('keep-alive comments are sent before the first byte and between bytes', async () => {
  const clock = new ManualClock()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  const { promise: laterGate, resolve: later } = Promise.withResolvers<void>()
  await open(
    async (response) => {
      await gate
      const stream = new ChatStream(response).say('hello')
      await laterGate
      stream.finish().usage().done()
    },
    { clock },
  )
  await harness.setOption('general_setting.ping_interval_enabled', 'true')
  await harness.setOption('general_setting.ping_interval_seconds', '10')
  const beat = (ms = 10_000) => {
    clock.advance(ms)
    harness.relay.tick()
  }
  const opened = openStream()
  await waitFor(() => upstream.received.length === 1)
  beat(30_000)
  beat()
  let text = ''
  const response = (await opened).setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const ended = new Promise((resolve) => response.once('end', resolve).resume())
  go()
  await waitFor(() => text.includes('hello'))
  beat()
  later()
  await ended
  expect(text).toMatch(/^: PING\n: PING\ndata: .*hello.*\n\n: PING\ndata: /)
  expect(framesOf(text).at(-1)).toBe('[DONE]')
  await harness.quiet()
})

test.each([
  [2, 2],
  [14, 14],
  [15, 30],
  [20, 30],
  [60, 60],
])('an interval of %i seconds begins keep-alive after %i', async (interval, first) => {
  const clock = new ManualClock()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  await open(
    async (response) => {
      await gate
      new ChatStream(response).say('hello').finish().usage().done()
    },
    { clock },
  )
  await harness.setOption('general_setting.ping_interval_seconds', String(interval))
  let hasBegun = false
  const opened = openStream().then((response) => {
    hasBegun = true
    return response
  })
  await waitFor(() => upstream.received.length === 1)
  clock.advance(first * 1000 - 1)
  harness.relay.tick()
  await new Promise((resolve) => setImmediate(resolve))
  expect(hasBegun).toBe(false)
  clock.advance(1)
  harness.relay.tick()
  const response = await opened
  go()
  response.resume()
  await harness.quiet()
})

test('keep-alive is on, and begins with the thirtieth second', async () => {
  const clock = new ManualClock()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  await open(
    async (response) => {
      await gate
      new ChatStream(response).say('hello').finish().usage().done()
    },
    { clock },
  )
  let hasBegun = false
  const opened = openStream().then((response) => {
    hasBegun = true
    return response
  })
  await waitFor(() => upstream.received.length === 1)
  clock.advance(29_000)
  harness.relay.tick()
  await new Promise((resolve) => setImmediate(resolve))
  expect(hasBegun).toBe(false)
  clock.advance(1_000)
  harness.relay.tick()
  const response = await opened
  go()
  expect(await textOf(response)).toMatch(/^: PING\ndata: .*hello/)
  await harness.quiet()
})

test('a keep-alive comment ends the event that a vendor left without a blank line', async () => {
  const clock = new ManualClock()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  await open(
    async (response) => {
      const stream = new ChatStream(response).say('hello')
      response.write('data: {"choices":[{"index":0,"delta":{"content":"you"},"finish_reason":null}]}\n')
      await gate
      stream.finish().usage().done()
    },
    { clock },
  )
  const { seen, onText } = listenFor('you')
  const sent = harness.send({ bearer, body: STREAM, onText })
  await seen
  clock.advance(15_000)
  harness.relay.tick()
  go()
  expect((await sent).text).toMatch(/"you".*\n\n: PING\ndata: /)
  await harness.quiet()
})

test('no keep-alive comment stands in a line that passes in pieces', async () => {
  const clock = new ManualClock()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  const letters = 'x'.repeat(400_000)
  await open(
    async (response) => {
      const stream = new ChatStream(response)
      const line = `data: {"choices":[{"index":0,"delta":{"content":"${letters}"},"finish_reason":null}]}\n\n`
      response.write(line.slice(0, 300_000))
      await gate
      response.write(line.slice(300_000))
      stream.finish().usage().done()
    },
    { clock },
  )
  const { seen, onText } = listenFor(letters.slice(0, 280_000))
  const sent = harness.send({ bearer, body: STREAM, onText })
  await seen
  clock.advance(15_000)
  harness.relay.tick()
  go()
  expect((await sent).text).toContain(letters)
  await harness.quiet()
})

test('keep-alive comments do not prevent a retry, and a final failure ends the stream with an error', async () => {
  const clock = new ManualClock()
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  await open(
    async (response, request) => {
      await gate
      await failWith(500)(response, request)
    },
    { clock, random: () => 0 },
  )
  const second = await openScriptedUpstream(failWith(503, { message: 'overloaded' }))
  await harness.addChannel(second.url)
  await harness.setOption('RetryTimes', '1')
  await harness.setOption('general_setting.ping_interval_enabled', 'true')
  const opened = openStream()
  await waitFor(() => upstream.received.length === 1)
  clock.advance(60_000)
  harness.relay.tick()
  const response = await opened
  go()
  const text = await textBeforeBreak(response)
  expect(text).toMatch(/^: PING\n+data: \{"error":\{.*overloaded.*\}\}\n\n$/)
  expect(second.received).toHaveLength(1)
  await harness.quiet()
  await second.close()
})

/** Writes more than could be buffered until nobody has read for a second; then ends the stream. */
class Flood {
  sent = 0
  isBlocked = false

  readonly respond: Responder = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const frame = `data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(16_000)}"}}]}\n\n`
    for (let i = 0; i < 4_000 && !this.isBlocked; i++) {
      this.sent += frame.length
      if (response.write(frame)) continue
      const drained = new Promise<'drained'>(
        (resolve) => void response.once('drain', () => resolve('drained')),
      )
      const patience = new Promise<'blocked'>((resolve) => setTimeout(() => resolve('blocked'), 1_000))
      this.isBlocked = (await Promise.race([drained, patience])) === 'blocked'
    }
    response.end('data: [DONE]\n\n')
  }
}

test('a slow reader slows the upstream down instead of filling memory', async () => {
  const flood = new Flood()
  await open(flood.respond)
  const response = await openStream()
  await waitFor(() => flood.isBlocked || flood.sent > 60_000_000)
  expect(flood.isBlocked).toBe(true)
  const text = await textOf(response)
  expect(framesOf(text).at(-1)).toBe('[DONE]')
  expect(text.length).toBeGreaterThan(flood.sent * 0.99)
  await harness.quiet()
})

test('a caller who reads nothing at all counts as disconnected', async () => {
  const clock = new ManualClock()
  const flood = new Flood()
  await open(flood.respond, { clock })
  await openStream()
  await waitFor(() => flood.isBlocked)
  await secondsUntilQuiet(clock)
  const [entry] = await harness.entries()
  expect(entry?.flags).toContain('client_gone')
})

test('a stop lets running streams finish and refuses new calls, and every stream is charged', async () => {
  const { promise: gate, resolve: go } = Promise.withResolvers<void>()
  await open(async (response) => {
    const stream = new ChatStream(response).say('hello')
    await gate
    stream.say(' there').finish().usage().done()
  })
  const calls = Array.from({ length: 50 }, () => harness.send({ bearer, body: STREAM }))
  await waitFor(() => upstream.received.length === 50)
  const drained = harness.relay.drain(10_000)
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(503)
  go()
  await drained
  const answers = await Promise.all(calls)
  expect(answers.filter(({ text }) => framesOf(text).at(-1) === '[DONE]')).toHaveLength(50)
  expect(await harness.entries()).toHaveLength(50)
})

test('a stream that does not finish before the stop is ended with an error and settled', async () => {
  await open((response) => void new ChatStream(response).say('hello there'))
  const { seen, onText } = listenFor('there')
  const waiting = harness.send({ bearer, body: STREAM, onText })
  await seen
  await harness.relay.drain(0)
  expect(framesOf((await waiting).text).at(-1)).toContain('gateway_stopping')
  expect((await harness.entries())[0]?.flags).toBe('partial')
  expect(await harness.openHolds()).toBe(0)
})
