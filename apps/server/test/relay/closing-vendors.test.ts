import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import process from 'node:process'
import { invariant } from '@tollgate/kit/invariant'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

/**
 * Vendors that count what they run and close connections. Each request runs at most once with each vendor, and is
 * charged once or not at all.
 */

const MODEL = 'closing'

interface CountingVendor {
  readonly url: string
  readonly sockets: Socket[]
  /** Requests that it read and worked on. */
  runs: number
  /** What it does with the second and later requests on a connection. */
  again: 'answer' | 'close-unread' | { readonly closeAfterMs: number }
  /** What it does with the first one. */
  first: 'answer' | 'close'
  body: object
  close(): void
}

async function openCountingVendor(): Promise<CountingVendor> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let requests = 0
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const head = text.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (head < 4 || text.length < head + length) return
      text = ''
      receive(vendor, socket, ++requests)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the vendor listens on a port')
  const vendor: CountingVendor = {
    url: `http://127.0.0.1:${address.port}`,
    sockets,
    runs: 0,
    again: 'answer',
    first: 'answer',
    body: CHAT,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return vendor
}

function receive(vendor: CountingVendor, socket: Socket, request: number): void {
  const { again, first } = vendor
  if (request > 1 && again === 'close-unread') return void socket.destroy()
  vendor.runs++
  if (request === 1 && first === 'close') return void socket.destroy()
  if (request > 1 && typeof again === 'object') {
    setTimeout(() => socket.destroy(), again.closeAfterMs)
    return
  }
  const text = JSON.stringify(vendor.body)
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
  socket.write(`${head}content-length: ${text.length}\r\n\r\n${text}`)
}

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
const CHAT = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: USAGE,
}
const MESSAGE = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5 },
}
const VECTORS = {
  object: 'list',
  model: 'm',
  data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
  usage: USAGE,
}
const HI = [{ role: 'user', content: 'hi' }]

interface Attempts {
  readonly attempts: readonly { readonly outcome: string; readonly resent?: true }[]
}

let harness: RelayHarness
let vendor: CountingVendor
let bearer: string

/** `isPatient`: every close of a reused connection counts as one that came before the request was read. */
async function open({ isPatient }: { readonly isPatient: boolean }): Promise<void> {
  harness = await openRelayHarness({ egressLimits: isPatient ? { unreadMsMin: 60_000 } : {} })
  await harness.setOption('RetryTimes', '0')
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1, other: 1 }))
  await harness.setOption('ModelPrice', JSON.stringify({ 'a-video': 0.1, 'an-image': 0.1, 'a-voice': 0.1 }))
}

beforeEach(async () => {
  vendor = await openCountingVendor()
})
afterEach(async () => {
  await harness.quiet()
  const { findings } = await harness.ledger.audit()
  expect({ findings, holds: await harness.openHolds() }).toEqual({ findings: [], holds: 0 })
  vendor.close()
  await harness.close()
})

async function addChannel(models = MODEL, setting = '', at = vendor, type = 1): Promise<void> {
  await harness.addChannel(at.url, { type, models, setting })
  ;({ bearer } = await harness.addCaller({ quota: 10_000_000n }))
}

function ask(body: object = { messages: HI }, path = '/v1/chat/completions') {
  return harness.send({ bearer, path, body: { model: MODEL, ...body } })
}

async function lastAttempts(): Promise<Attempts['attempts']> {
  await harness.quiet()
  const { other } = (await harness.logs()).at(-1) ?? { other: '{}' }
  const { admin_info: info }: { readonly admin_info: Attempts } = JSON.parse(other)
  return info.attempts
}

const INFERENCE: Readonly<Record<string, { path: string; body: object; answer: object; type?: number }>> = {
  chat: { path: '/v1/chat/completions', body: { messages: HI }, answer: CHAT },
  'a stream of chat': { path: '/v1/chat/completions', body: { messages: HI, stream: true }, answer: CHAT },
  'a completion': {
    path: '/v1/completions',
    body: { prompt: 'hi' },
    answer: { ...CHAT, choices: [{ index: 0, text: 'ok', finish_reason: 'stop' }] },
  },
  messages: { path: '/v1/messages', body: { messages: HI, max_tokens: 9 }, answer: MESSAGE, type: 14 },
  'messages of a chat vendor': { path: '/v1/messages', body: { messages: HI, max_tokens: 9 }, answer: CHAT },
  embeddings: { path: '/v1/embeddings', body: { input: 'hi' }, answer: VECTORS },
}

test.each(Object.entries(INFERENCE))(
  '%s that its vendor did not read is sent once more, whatever RetryTimes says, and charged once',
  async (_, { path, body, answer, type = 1 }) => {
    await open({ isPatient: true })
    await addChannel(MODEL, '', vendor, type)
    vendor.body = answer
    expect((await ask(body, path)).status).toBe(200)
    vendor.again = 'close-unread'
    expect((await ask(body, path)).status).toBe(200)
    expect(await lastAttempts()).toMatchObject([{ outcome: 'ok', resent: true }])
    expect((await harness.entries()).map(({ amount }) => amount)).toHaveLength(2)
    expect({ runs: vendor.runs, connections: vendor.sockets.length }).toEqual({ runs: 2, connections: 2 })
    process.stdout.write(`unread ${path}: ${vendor.runs} runs over ${vendor.sockets.length} connections\n`)
  },
)

test.each<[string, string, object]>([
  ['a stored response', '/v1/responses', { input: 'hi' }],
  ['a stored chat', '/v1/chat/completions', { messages: HI, store: true }],
  [
    'a chat that speaks',
    '/v1/chat/completions',
    { messages: HI, modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
  ],
  ['a picture', '/v1/images/generations', { model: 'an-image', prompt: 'a cat' }],
  ['speech', '/v1/audio/speech', { model: 'a-voice', input: 'hi', voice: 'alloy' }],
  ['a video', '/v1/videos', { model: 'a-video', prompt: 'a cat' }],
])('%s is never sent twice', async (_, path, body) => {
  await open({ isPatient: true })
  await addChannel(`${MODEL},an-image,a-voice,a-video`, '{"resend_closed":true,"stored_context":true}')
  expect((await ask()).status).toBe(200)
  vendor.again = 'close-unread'
  const failed = await ask(body, path)
  expect(failed.status).toBeGreaterThanOrEqual(400)
  await harness.quiet()
  expect(vendor.runs).toBe(1)
  // A submission whose fate is unknown may be charged, but not twice.
  const charges = (await harness.entries()).filter(({ amount }) => amount !== 0n)
  expect(charges.length).toBeLessThanOrEqual(path === '/v1/videos' ? 2 : 1)
})

test.each([5, 40, 300])(
  'a vendor that reads and closes after %d ms runs a call once',
  async (closeAfterMs) => {
    await open({ isPatient: false })
    await addChannel()
    expect((await ask()).status).toBe(200)
    vendor.again = { closeAfterMs }
    expect((await ask()).error).toMatchObject({ code: 'do_request_failed' })
    const [attempt] = await lastAttempts()
    expect(attempt).not.toHaveProperty('resent')
    expect(vendor.runs).toBe(2)
    expect(await harness.entries()).toHaveLength(1)
  },
)

test('a request on a fresh connection is never sent twice', async () => {
  await open({ isPatient: true })
  await addChannel(MODEL, '{"resend_closed":true}')
  vendor.first = 'close'
  expect((await ask()).status).toBe(500)
  expect((await lastAttempts())[0]).not.toHaveProperty('resent')
  expect(vendor.runs).toBe(1)
  expect(await harness.entries()).toHaveLength(0)
})

test('a call is sent once more once over all channels', async () => {
  await open({ isPatient: true })
  await harness.setOption('RetryTimes', '1')
  const second = await openCountingVendor()
  await harness.addChannel(vendor.url, { models: MODEL, priority: 10 })
  await harness.addChannel(second.url, { models: MODEL })
  await addChannel('other', '', second)
  expect((await ask()).status).toBe(200)
  expect((await ask({ model: 'other', messages: HI })).status).toBe(200)
  // Each vendor has a connection that was used and closes it; the first one closes fresh ones too.
  vendor.again = second.again = 'close-unread'
  vendor.first = 'close'
  expect((await ask()).status).toBe(500)
  const attempts = await lastAttempts()
  expect(attempts.map(({ resent }) => resent)).toEqual([true, undefined])
  expect({ first: vendor.runs, second: second.runs }).toEqual({ first: 2, second: 1 })
  expect(await harness.entries()).toHaveLength(2)
  second.close()
})
