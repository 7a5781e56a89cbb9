import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import process from 'node:process'
import { invariant } from '@tollgate/kit/invariant'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

/** Large whole responses: passed on as they come, or kept whole where something in them is changed. */

const MODEL = 'large'
const MIB = 1024 * 1024
const USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 }

function chat(content: string, more: object = { usage: USAGE }): string {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  return JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, ...more })
}

const LARGE = chat('y'.repeat(4 * MIB))

interface Scripted {
  readonly text: string
  /** Bytes of the text that are sent before the vendor waits for `release`. */
  readonly firstBytes?: number
  readonly isChunked?: boolean
  /** Closes the connection after this many bytes. */
  readonly cutAfter?: number
}

let harness: RelayHarness
let url = ''
let script: Scripted = { text: '' }
let release: () => void = () => undefined
const vendors: Socket[] = []
const vendor = createServer((socket) => {
  let request = ''
  vendors.push(socket)
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => {
    request += bytes.toString('latin1')
    const head = request.indexOf('\r\n\r\n') + 4
    const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0)
    if (head < 4 || request.length < head + length) return
    request = ''
    answer(socket, script)
  })
})

function answer(
  socket: Socket,
  { text, firstBytes = text.length, isChunked = false, cutAfter }: Scripted,
): void {
  const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${text.length}`
  socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`)
  const write = (part: string) =>
    socket.write(isChunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part, 'latin1')
  if (cutAfter !== undefined) {
    write(text.slice(0, cutAfter))
    return void socket.end()
  }
  write(text.slice(0, firstBytes))
  const rest = (): void => {
    if (firstBytes < text.length) write(text.slice(firstBytes))
    if (isChunked) socket.write('0\r\n\r\n')
  }
  if (firstBytes < text.length) release = rest
  else rest()
}

beforeAll(async () => {
  await once(vendor.listen(0, '127.0.0.1'), 'listening')
  const address = vendor.address()
  invariant(typeof address === 'object' && address, 'the vendor listens on a port')
  url = `http://127.0.0.1:${address.port}`
})
afterAll(() => {
  for (const socket of vendors) socket.destroy()
  vendor.close()
})

let bearer = ''
beforeEach(async () => {
  harness = await openRelayHarness()
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1 }))
  ;({ bearer } = await harness.addCaller({ quota: 1_000_000_000n }))
})
afterEach(async () => {
  await harness.quiet()
  const { findings } = await harness.ledger.audit()
  const bugs = harness.said.filter(({ level }) => level === 'error')
  expect({ findings, bugs, holds: await harness.openHolds() }).toEqual({ findings: [], bugs: [], holds: 0 })
  await harness.close()
})

function ask(path = '/v1/chat/completions', body: object = { messages: [{ role: 'user', content: 'hi' }] }) {
  return harness.send({ bearer, path, body: { model: MODEL, ...body } })
}

async function rows() {
  await harness.quiet()
  const logs = await harness.logs()
  return logs.map((row) => ({ input: row.prompt_tokens, output: row.completion_tokens }))
}

test.each<[string, Partial<Scripted>]>([
  ['with a length', {}],
  ['in chunks', { isChunked: true }],
])(
  'a large response %s reaches its caller before its end has come, and is charged by its usage',
  async (_, how) => {
    await harness.addChannel(url, { models: MODEL })
    script = { text: LARGE, firstBytes: 3 * MIB, ...how }
    let arrived = 0
    const answering = harness.send({
      bearer,
      body: { model: MODEL, messages: [{ role: 'user', content: 'hi' }] },
      onText: (text) => {
        arrived = text.length
      },
    })
    await expect.poll(() => arrived, { timeout: 10_000 }).toBeGreaterThan(2 * MIB)
    expect(arrived).toBeLessThanOrEqual(3 * MIB)
    release()
    const { status, text, isCutOff } = await answering
    expect({ status, isCutOff, isWhole: text === LARGE }).toEqual({
      status: 200,
      isCutOff: false,
      isWhole: true,
    })
    expect(await rows()).toEqual([{ input: 10, output: 20 }])
    process.stdout.write(`large answer: ${arrived} of ${LARGE.length} bytes\n`)
  },
)

test('the end of a large response waits until the call is settled', async () => {
  let settledAt = 0
  let endAt = 0
  await harness.close()
  harness = await openRelayHarness({
    callLedger: (ledger) => ({
      ...ledger,
      settle: (input) => {
        settledAt = ++endAt
        return ledger.settle(input)
      },
    }),
  })
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1 }))
  ;({ bearer } = await harness.addCaller({ quota: 1_000_000_000n }))
  await harness.addChannel(url, { models: MODEL })
  script = { text: LARGE }
  let wholeAt = 0
  await harness.send({
    bearer,
    body: { model: MODEL, messages: [{ role: 'user', content: 'hi' }] },
    onText: (text) => {
      if (text.length === LARGE.length) wholeAt = ++endAt
    },
  })
  expect({ settledAt, wholeAt }).toEqual({ settledAt: 1, wholeAt: 2 })
})

test.each<[string, Scripted]>([
  ['is cut off', { text: LARGE, cutAfter: 3 * MIB }],
  ['is no valid JSON at its end', { text: `${LARGE.slice(0, -1)}]` }],
  ['is followed by more', { text: `${LARGE}{}` }],
  ['has an error behind its output', { text: chat('y'.repeat(4 * MIB), { error: { message: 'late' } }) }],
])('a large response that %s never ends cleanly, and is charged as a broken stream', async (_, scripted) => {
  await harness.addChannel(url, { models: MODEL })
  script = scripted
  const { isCutOff, status } = await ask()
  expect({ status, isCutOff }).toEqual({ status: 200, isCutOff: true })
  await harness.quiet()
  const entries = await harness.entries()
  expect(entries).toHaveLength(1)
  expect(entries[0]?.flags).toContain('partial')
  expect(Number(entries[0]?.amount)).not.toBe(0)
})

test('a large response that begins with an error, and one that is no JSON, are refused and free', async () => {
  await harness.setOption('RetryTimes', '0')
  await harness.addChannel(url, { models: MODEL })
  for (const text of [
    `{"error":{"message":"${'x'.repeat(10)}","code":"busy"},${LARGE.slice(1)}`,
    `<html>${'x'.repeat(2 * MIB)}</html>`,
  ]) {
    script = { text }
    expect((await ask()).status).toBeGreaterThanOrEqual(400)
  }
  await harness.quiet()
  expect(await harness.entries()).toHaveLength(0)
})

test('a vendor cost in a large response is blanked out, wherever the usage stands', async () => {
  await harness.addChannel(url, { models: MODEL })
  const usage = { ...USAGE, cost: 0.125, is_byok: false }
  const last = chat('y'.repeat(2 * MIB), { usage })
  const first = `{"usage":${JSON.stringify(usage)},${chat('y'.repeat(2 * MIB), {}).slice(1)}`
  for (const text of [last, first]) {
    script = { text }
    const answered = await ask()
    expect(answered.text.length).toBe(text.length)
    expect(answered.json['usage']).toEqual(USAGE)
  }
  expect(await rows()).toEqual([
    { input: 10, output: 20 },
    { input: 10, output: 20 },
  ])
})

test('a large response without usage is counted', async () => {
  await harness.addChannel(url, { models: MODEL })
  script = { text: chat('some words '.repeat(200_000), {}) }
  expect((await ask()).status).toBe(200)
  const [row] = await rows()
  expect(row?.output).toBeGreaterThan(100_000)
})

test('large embeddings pass, and those that the caller wants packed are kept whole', async () => {
  await harness.addChannel(url, { models: MODEL })
  const embedding = Array.from({ length: 100_000 }, (_, at) => at / 7 - 1e3)
  const usage = { prompt_tokens: 7, total_tokens: 7 }
  const text = JSON.stringify({
    object: 'list',
    model: 'm',
    data: [{ object: 'embedding', index: 0, embedding }],
    usage,
  })
  script = { text }
  expect((await ask('/v1/embeddings', { input: 'hi' })).text === text).toBe(true)
  const packed = await ask('/v1/embeddings', { input: 'hi', encoding_format: 'base64' })
  expect(packed.text.length).toBeLessThan(text.length / 2)
  expect(await rows()).toEqual([
    { input: 7, output: 0 },
    { input: 7, output: 0 },
  ])
})

test('when the caller of a large response leaves, the rest is read and charged', async () => {
  await harness.addChannel(url, { models: MODEL })
  script = { text: LARGE, firstBytes: 3 * MIB }
  let arrived = 0
  const leaving = harness.send({
    bearer,
    body: { model: MODEL, messages: [{ role: 'user', content: 'hi' }] },
    onText: (text) => {
      arrived = text.length
    },
    leaveWhen: (text) => text.length > MIB,
  })
  await leaving
  await harness.noticed()
  release()
  expect(await rows()).toEqual([{ input: 10, output: 20 }])
  expect((await harness.entries())[0]?.flags).toContain('client_gone')
  expect(arrived).toBeLessThan(LARGE.length)
})

test('a caller who does not read holds the vendor up', async () => {
  await harness.addChannel(url, { models: MODEL })
  const text = chat('y'.repeat(40 * MIB))
  script = { text }
  const before = vendors.length
  const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hi' }] })
  const caller = connect(harness.port, '127.0.0.1')
  caller.on('error', () => undefined)
  caller.pause()
  caller.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${bearer}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await expect
    .poll(() => vendors.length + vendors.filter(({ writableLength }) => writableLength > 0).length)
    .toBeGreaterThan(before)
  // The vendor cannot get rid of most of it.
  await expect.poll(() => vendors.some(({ writableLength }) => writableLength > 20 * MIB)).toBe(true)
  caller.destroy()
  await harness.quiet()
  expect(await rows()).toEqual([{ input: 10, output: 20 }])
})

const TEXT = 'y'.repeat(3 * MIB)
const NATIVE: readonly [string, number, string, object, object][] = [
  [
    'Messages',
    14,
    '/v1/messages',
    { max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content: [{ type: 'text', text: TEXT }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 20 },
    },
  ],
  [
    'Responses',
    1,
    '/v1/responses',
    { input: 'hi' },
    {
      id: 'resp_1',
      object: 'response',
      model: MODEL,
      status: 'completed',
      output: [
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: TEXT, annotations: [] }],
        },
      ],
      usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 },
    },
  ],
  [
    'Gemini',
    24,
    `/v1beta/models/${MODEL}:generateContent`,
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    {
      candidates: [{ content: { role: 'model', parts: [{ text: TEXT }] }, finishReason: 'STOP' }],
      modelVersion: MODEL,
      responseId: 'r',
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
    },
  ],
]
test.each(NATIVE)(
  'a large native answer of %s passes as it comes and is charged by its usage, and never ends cleanly when it is cut',
  async (_, type, path, body, answered) => {
    await harness.addChannel(url, { models: MODEL, type })
    const text = JSON.stringify(answered)
    script = { text, firstBytes: 2 * MIB }
    let arrived = 0
    const answering = harness.send({
      bearer,
      path,
      body: { model: MODEL, ...body },
      onText: (sent) => {
        arrived = sent.length
      },
    })
    await expect.poll(() => arrived, { timeout: 10_000 }).toBeGreaterThan(MIB)
    release()
    const passed = await answering
    expect({ status: passed.status, isCutOff: passed.isCutOff, isWhole: passed.text === text }).toEqual({
      status: 200,
      isCutOff: false,
      isWhole: true,
    })
    expect(await rows()).toEqual([{ input: 10, output: 20 }])
    script = { text, cutAfter: 2 * MIB }
    expect(await ask(path, body)).toMatchObject({ status: 200, isCutOff: true })
    await harness.quiet()
    const [, broken] = await harness.entries()
    expect(broken?.flags).toContain('partial')
    expect(Number(broken?.amount)).not.toBe(0)
  },
)

test.each<[string, string, object, (json: Readonly<Record<string, unknown>>) => unknown]>([
  [
    'Messages',
    '/v1/messages',
    { max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] },
    ({ content }) => content,
  ],
  [
    'Gemini',
    `/v1beta/models/${MODEL}:generateContent`,
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    ({ candidates }) => candidates,
  ],
])(
  'a large answer that is converted to %s has every character, and no mark',
  async (_, path, body, outputOf) => {
    await harness.addChannel(url, { models: MODEL })
    const content = `"quoted" \\ and\n漢字🙂 ${'words of it '.repeat(200_000)}"`
    for (const isChunked of [false, true]) {
      script = { text: Buffer.from(chat(content)).toString('latin1'), isChunked }
      const answered = await ask(path, body)
      expect(answered.status).toBe(200)
      expect(JSON.stringify(outputOf(answered.json)).includes(JSON.stringify(content))).toBe(true)
      expect(answered.text).not.toContain('aside-')
    }
    expect(await rows()).toEqual([
      { input: 10, output: 20 },
      { input: 10, output: 20 },
    ])
  },
)
