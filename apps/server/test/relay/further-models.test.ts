import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT } from './send.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from './upstream.ts'

/** Calls that more than one model served: what is charged, and what the row and the entry say. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

beforeEach(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.setOption(
    'ModelRatio',
    JSON.stringify({ 'claude-haiku-5': 0.5, 'claude-opus-5': 50, 'gpt-4o': 1.25 }),
  )
  await harness.setOption(
    'CompletionRatio',
    JSON.stringify({ 'claude-haiku-5': 1, 'claude-opus-5': 1, 'gpt-4o': 4 }),
  )
  ;({ bearer } = await harness.addCaller({ quota: 10n ** 9n }))
})
afterEach(async () => {
  await harness.quiet()
  const { findings } = await harness.ledger.audit()
  await harness.close()
  await upstream.close()
  expect(findings).toEqual([])
})

const step = (type: string, input: number, output: number, more: object = {}) => ({
  type,
  input_tokens: input,
  output_tokens: output,
  ...more,
})
const frame = (data: { readonly type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

/** A message of this model and usage, whole or as a stream, as the request wants it. */
function messageOf(model: string, usage: object): Responder {
  return (response, { body }) => {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn' }
    const content = [{ type: 'text', text: 'hello' }]
    if (body['stream'] !== true) return sendJson(response, 200, { ...message, content, usage })
    const frames = [
      {
        type: 'message_start',
        message: { ...message, content: [], usage: { input_tokens: 5, output_tokens: 1 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(frames.map(frame).join(''))
  }
}

const ask = (more: object = {}) => ({
  model: 'claude-haiku-5',
  max_tokens: 8_000,
  messages: [{ role: 'user', content: 'warehouse shelf with goods and numbers. '.repeat(3_000) }],
  ...more,
})

async function charged() {
  await harness.settled()
  const [entry] = await harness.entries()
  const [row] = await harness.logs()
  return {
    amount: entry?.amount,
    flags: entry?.flags,
    usage: JSON.parse(entry?.usage_json ?? '{}'),
    row,
    other: JSON.parse(row?.other ?? '{}'),
  }
}

const compacted = {
  input_tokens: 2_300,
  output_tokens: 100,
  iterations: [step('compaction', 18_000, 350), step('message', 2_300, 100)],
}
const compaction = { context_management: { edits: [{ type: 'compact_20260112' }] } }

test.each([
  ['/v1/messages', 14, false],
  ['/v1/messages', 14, true],
])('the summary of a conversation is charged: %s to type %i, streamed %s', async (path, type, stream) => {
  await harness.addChannel(upstream.url, { type, models: 'claude-haiku-5' })
  upstream.respond = messageOf('claude-haiku-5', compacted)
  const { status } = await harness.send({ bearer, path, body: ask({ ...compaction, stream }) })
  expect(status).toBe(200)
  const { amount, flags, usage, row, other } = await charged()
  expect({ amount, flags }).toEqual({ amount: (18_350n + 2_400n) / 2n, flags: '' })
  expect(usage.parts).toEqual([{ kind: 'compaction', inputText: 18_000, outputText: 350 }])
  expect(row).toMatchObject({ quota: 10_375n, prompt_tokens: 20_300, completion_tokens: 450 })
  expect(other.receipt.parts).toMatchObject([{ kind: 'compaction', price_model: 'claude-haiku-5' }])
})

test('a chat caller pays for the steps of a Messages upstream too', async () => {
  await harness.addChannel(upstream.url, { type: 14, models: 'claude-haiku-5' })
  const usage = { ...compacted, iterations: [...compacted.iterations, step('verifier_message', 200, 0)] }
  upstream.respond = messageOf('claude-haiku-5', usage)
  expect((await harness.send({ bearer, body: { ...CHAT, ...ask() } })).status).toBe(200)
  expect((await charged()).amount).toBe((18_350n + 2_400n + 200n) / 2n)
})

test('advice of a model that nobody named is charged at the price of the call, and marked', async () => {
  await harness.addChannel(upstream.url, { type: 14, models: 'claude-haiku-5' })
  const advice = step('advisor_message', 800, 200, { model: 'claude-opus-5' })
  upstream.respond = messageOf('claude-haiku-5', {
    input_tokens: 100,
    output_tokens: 50,
    iterations: [step('message', 100, 50), advice],
  })
  await harness.send({ bearer, path: '/v1/messages', body: ask() })
  const { amount, flags, other } = await charged()
  expect({ amount, flags }).toEqual({ amount: 575n, flags: 'served_other' })
  expect(other).toMatchObject({ flags: ['served_other'], admin_info: { served_model: 'claude-opus-5' } })
})

test.each([false, true])(
  'a dear model that only the upstream chose costs the caller what was requested, and the row says so (streamed: %s)',
  async (stream) => {
    await harness.addChannel(upstream.url, { type: 14, models: 'claude-haiku-5' })
    upstream.respond = messageOf('claude-opus-5', { input_tokens: 1_000, output_tokens: 1_000 })
    await harness.send({ bearer, path: '/v1/messages', body: ask({ stream }) })
    const { amount, flags, other } = await charged()
    expect({ amount, flags }).toEqual({ amount: 1_000n, flags: 'served_other' })
    expect(other.admin_info.served_model).toBe('claude-opus-5')
  },
)

test('a channel may pass a cheaper model on at its price', async () => {
  await harness.addChannel(upstream.url, {
    type: 14,
    models: 'claude-opus-5',
    setting: '{"charge_served":true}',
  })
  upstream.respond = messageOf('claude-haiku-5', { input_tokens: 1_000, output_tokens: 1_000 })
  await harness.send({ bearer, path: '/v1/messages', body: ask({ model: 'claude-opus-5' }) })
  const { amount, other } = await charged()
  expect(amount).toBe(1_000n)
  expect(other).toMatchObject({
    flags: ['served_other'],
    model_ratio: 0.5,
    receipt: { price_model: 'claude-haiku-5' },
  })
})

test.each(['gpt-4o', 'gpt-4o-2024-08-06', 'openai/gpt-4o', 'some-deployment'])(
  'an answer of the model %s is not marked',
  async (model) => {
    await harness.addChannel(upstream.url)
    upstream.respond = (response) =>
      sendJson(response, 200, {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      })
    await harness.send({ bearer, body: CHAT })
    expect(await charged()).toMatchObject({ amount: 38n, flags: '' })
  },
)
