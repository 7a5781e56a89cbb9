import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import type { ResponsesServerEvent } from 'openai/resources/responses/responses'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { waitFor } from './send.ts'
import { openToolVendor, type ToolVendor } from './tool-vendor.ts'

/** OpenAI's own client holds sessions of the Responses API over WebSocket; each response is one call. */

const MODEL = 'gpt-4o'
const TURNS = 50
/** A model whose channel lets its vendor keep responses. */
const KEPT = 'gpt-4o-mini'
const CHAT_ONLY = 42
const PASSED = JSON.stringify({ responses_websocket: true })
const QUOTA = 10_000_000n
const TOOLS = [
  { type: 'function' as const, name: 'look', description: '', parameters: { type: 'object' }, strict: false },
]

const cleanups: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function setUp(type: number, turns = TURNS, setting = '') {
  const harness = await openRelayHarness()
  cleanups.push(() => harness.close())
  const vendor = await openToolVendor({ turns })
  cleanups.push(() => vendor.close())
  await harness.addChannel(vendor.url, { type, models: MODEL, setting })
  const caller = await harness.addCaller({ quota: QUOTA })
  return { harness, vendor, ...caller }
}

function connect(harness: RelayHarness, apiKey: string) {
  const socket = new ResponsesWS(new OpenAI({ apiKey, baseURL: `${harness.url}/v1`, maxRetries: 0 }))
  const events: ResponsesServerEvent[] = []
  let read = 0
  let isClosed = false
  socket.on('event', (event) => events.push(event))
  socket.on('error', () => undefined)
  socket.on('close', () => (isClosed = true))
  cleanups.push(() => socket.close())
  return {
    socket,
    events,
    isClosed: () => isClosed,
    /** Sends a call and resolves with its last event. */
    create: async (body: object): Promise<ResponsesServerEvent> => {
      socket.send({ type: 'response.create', model: MODEL, store: false, tools: TOOLS, ...body })
      for (;;) {
        await waitFor(() => events.length > read || isClosed)
        const event = events[read++]
        if (event === undefined) throw new Error('the connection was closed in the middle of a response')
        if (/^(?:error|response\.(?:completed|failed|incomplete))$/.test(event.type)) return event
      }
    },
  }
}

type Client = ReturnType<typeof connect>

function completed(event: ResponsesServerEvent) {
  if (event.type !== 'response.completed') throw new Error(`not completed: ${JSON.stringify(event)}`)
  return event.response
}

const question = [{ type: 'message', role: 'user', content: 'Look at everything.' }]
const result = (callId: string, index: number) => ({
  type: 'function_call_output',
  call_id: callId,
  output: `result ${index}`,
})

/** Runs turns until the model calls no tool, or until `until` turns have run. Returns the conversation. */
async function runTurns(client: Client, from: readonly object[] = question, until = TURNS) {
  const history: object[] = [...from]
  let input: readonly object[] = from
  let previousId: string | null = null
  let results = from.filter((item) => 'output' in item).length
  for (let turn = 1; ; turn++) {
    const response = completed(await client.create({ input, previous_response_id: previousId }))
    const calls = response.output.filter((item) => item.type === 'function_call')
    history.push(...response.output)
    if (calls.length === 0 || turn === until) return { history, response }
    input = calls.map((call) => result(call.call_id, results++))
    history.push(...input)
    previousId = response.id
  }
}

/** The ledger and the log have what the vendor booked, call by call. */
async function expectEqualBooks(harness: RelayHarness, vendor: ToolVendor, userId: number) {
  await harness.quiet()
  await harness.settled()
  const rows = await harness.logs()
  expect(rows.map((row) => ({ input: row.prompt_tokens, output: row.completion_tokens }))).toEqual(
    vendor.books,
  )
  const owed = vendor.books.reduce((sum, { input, output }) => sum + (input + 4 * output) * 1.25, 0)
  expect(await harness.balance(userId)).toMatchObject({ used: BigInt(owed), reserved: 0n })
  expect(await harness.entries()).toHaveLength(vendor.books.length)
  expect(await harness.openHolds()).toBe(0)
  expect(harness.said.filter(({ level }) => level !== 'notice')).toEqual([])
  return rows
}

describe.each([
  ['Responses', 1, ''],
  ['chat completions', CHAT_ONLY, ''],
  ['Responses over WebSocket', 1, PASSED],
])('over a channel of %s', (_dialect, type, setting) => {
  test(`a session of ${TURNS} turns with tools sends only what is new, and every turn is billed once`, async () => {
    const { harness, vendor, bearer, userId } = await setUp(type, TURNS, setting)
    const client = connect(harness, bearer)
    const { response } = await runTurns(client)
    expect(response.output_text ?? JSON.stringify(response.output)).toContain('all done')
    const rows = await expectEqualBooks(harness, vendor, userId)
    expect(rows).toHaveLength(TURNS)
    expect(new Set(rows.map((row) => row.session)).size).toBe(1)
    expect(rows[0]?.session).toMatch(/^.{24}$/)
    expect(vendor.sockets.opened).toHaveLength(setting === '' ? 0 : 1)
  })
})

test.each([
  ['HTTP', ''],
  ['WebSocket', PASSED],
])(
  'over %s, a node that is drained ends the running response, and the session goes on at another',
  async (_to, setting) => {
    const folder = await mkdtemp(join(tmpdir(), 'sockets-'))
    cleanups.push(() => rm(folder, { recursive: true }))
    const sqlitePath = join(folder, 'books.db')
    const first = await openRelayHarness({ sqlitePath })
    const vendor = await openToolVendor({ turns: TURNS })
    cleanups.push(() => vendor.close())
    await first.addChannel(vendor.url, { models: MODEL, setting })
    const { bearer, userId } = await first.addCaller({ quota: QUOTA })
    const client = connect(first, bearer)
    const { history } = await runTurns(client, question, 20)
    const respond = vendor.respond
    let drained: Promise<void> | undefined
    const respondOnSocket = vendor.sockets.respond
    const drain = () => {
      drained = first.relay.drain(10_000)
      vendor.respond = respond
      vendor.sockets.respond = respondOnSocket
    }
    vendor.respond = async (response, request) => {
      drain()
      await respond(response, request)
    }
    vendor.sockets.respond = (request) => {
      drain()
      return respondOnSocket(request)
    }
    const last = history.at(-1)
    const input = [result(String(last && 'call_id' in last && last.call_id), 19)]
    const previous = client.events.findLast((event) => event.type === 'response.completed')
    const running = await client.create({ input, previous_response_id: previous?.response.id })
    await drained
    await waitFor(client.isClosed)
    await waitFor(() => vendor.sockets.open.size === 0)
    await first.close()

    const second = await openRelayHarness({ sqlitePath })
    cleanups.push(() => second.close())
    const other = connect(second, bearer)
    const next = [result('call_20', 20)]
    const unknown = await other.create({ input: next, previous_response_id: completed(running).id })
    expect(unknown).toMatchObject({ status: 400, error: { code: 'previous_response_not_found' } })
    await runTurns(other, [...history, ...input, ...completed(running).output, ...next])
    expect(vendor.books).toHaveLength(TURNS)
    await expectEqualBooks(second, vendor, userId)
  },
)

test('two lanes run at the same time, and their events say which one they belong to', async () => {
  const { harness, vendor, bearer } = await setUp(1, 1)
  const client = connect(harness, bearer)
  const respond = vendor.respond
  const gate = Promise.withResolvers<void>()
  vendor.respond = async (response, request) => {
    if (request.text.includes('slow')) await gate.promise
    await respond(response, request)
  }
  const create = (lane: string, input: string) =>
    client.socket.send({ type: 'response.create', model: MODEL, stream_id: lane, input })
  const isDone = (lane: string) => () =>
    client.events.some((event) => event.type === 'response.completed' && event.stream_id === lane)
  create('slow.1', 'slow')
  create('quick', 'quick')
  await waitFor(isDone('quick'))
  expect(isDone('slow.1')()).toBe(false)
  gate.resolve()
  await waitFor(isDone('slow.1'))
  expect(client.events.every((event) => 'stream_id' in event)).toBe(true)
  await harness.settled()
  expect(vendor.books).toHaveLength(2)
})

test('a conversation can be continued twice from the same response', async () => {
  const { harness, vendor, bearer } = await setUp(CHAT_ONLY, 1)
  const client = connect(harness, bearer)
  const root = completed(await client.create({ input: 'root' }))
  for (const branch of ['left', 'right'])
    completed(await client.create({ input: branch, previous_response_id: root.id }))
  const texts = vendor.received.map(({ body }) => JSON.stringify(body['messages']))
  expect(texts[1]).toMatch(/root.*all done.*left/)
  expect(texts[2]).toMatch(/root.*all done.*right/)
  expect(texts[2]).not.toContain('left')
})

test('a warm-up costs nothing, reaches no vendor and can be continued', async () => {
  const { harness, vendor, bearer, userId } = await setUp(1, 1)
  const client = connect(harness, bearer)
  const warm = completed(await client.create({ generate: false, input: 'context' }))
  expect(warm).toMatchObject({ output: [], usage: { total_tokens: 0 } })
  expect(vendor.received).toHaveLength(0)
  expect(await harness.openHolds()).toBe(0)
  completed(await client.create({ input: 'go', previous_response_id: warm.id }))
  const { body } = vendor.received[0] ?? {}
  expect(JSON.stringify(body?.['input'])).toMatch(/context.*go/)
  expect(body).not.toHaveProperty('previous_response_id')
  expect(body).not.toHaveProperty('generate')
  await expectEqualBooks(harness, vendor, userId)
})

test('a stored response is continued at the vendor that has it, for its own user only', async () => {
  const { harness, vendor, bearer } = await setUp(1, 1)
  await harness.addChannel(vendor.url, { models: KEPT, key: 'k', setting: '{"stored_context":true}' })
  const first = connect(harness, bearer)
  const response = completed(await first.create({ model: KEPT, store: true, input: 'one' }))
  first.socket.close()
  await waitFor(first.isClosed)
  const next = { model: KEPT, input: 'two', previous_response_id: response.id }
  const stranger = await harness.addCaller()
  expect(await connect(harness, stranger.bearer).create(next)).toMatchObject({
    error: { code: 'previous_response_not_found' },
  })
  completed(await connect(harness, bearer).create(next))
  expect(vendor.received.at(-1)?.body).toMatchObject({ input: 'two', previous_response_id: response.id })
  expect(vendor.received.at(-1)?.headers.authorization).toBe('Bearer k')
  await harness.quiet()
  expect(new Set((await harness.logs()).map((row) => row.session)).size).toBe(1)
})

test('over HTTP, a call that only names an earlier response is in its session, for its own user', async () => {
  const { harness, vendor, bearer } = await setUp(1, 1, '{"stored_context":true}')
  const post = (by: string, body: object, headers = {}) =>
    harness.send({ path: '/v1/responses', bearer: by, headers, body: { model: MODEL, input: 'hi', ...body } })
  const streamed = { stream: true }
  await post(bearer, streamed, { 'x-session-id': 'work' })
  const chat = await harness.addChannel(vendor.url, { type: CHAT_ONLY, models: KEPT })
  const converted = await post(bearer, { model: KEPT, ...streamed }, { 'x-session-id': 'other' })
  const convertedId = /"id":"(resp_[^"]+)"/.exec(converted.text)?.[1]
  await post(bearer, { previous_response_id: 'resp_1', ...streamed })
  await post(bearer, { previous_response_id: convertedId, ...streamed })
  const stranger = await harness.addCaller()
  await post(stranger.bearer, { previous_response_id: 'resp_1', ...streamed })
  await harness.settled()
  const rows = await harness.logs()
  expect(rows[1]?.channel_id).toBe(chat)
  const [work, other, continued, continuedOther, ofStranger] = rows.map((row) => row.session)
  expect([continued, continuedOther]).toEqual([work, other])
  expect(work).toMatch(/^.{24}$/)
  expect([work, other, null]).not.toContain(ofStranger)
})

test('an idle connection is closed by the next node that stops', async () => {
  const { harness, bearer } = await setUp(1)
  const client = connect(harness, bearer)
  await waitFor(() => harness.relay.sockets === 1)
  const [code] = await Promise.all([
    once(client.socket.socket.platformSocket, 'close'),
    harness.relay.drain(1_000),
  ])
  expect(code[0]).toBe(1001)
})

test.each([
  ['one vendor request for each turn', ''],
  ['a socket to the vendor', PASSED],
])('members that choose are taken out of each frame, over %s', async (_way, setting) => {
  const { harness, vendor, bearer } = await setUp(1, 1, setting)
  const client = connect(harness, bearer)
  const more = { models: ['dear'], preset: 'dear', extra_body: { model: 'dear' }, Fallback_Model: 'dear' }
  completed(await client.create({ input: question, ...more }))
  const [sent] = setting === '' ? vendor.received : vendor.sockets.received
  expect(sent?.body).toMatchObject({ model: MODEL })
  expect(JSON.stringify(sent?.body)).not.toContain('dear')
})
