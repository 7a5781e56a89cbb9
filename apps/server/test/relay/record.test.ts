import { logTextContext, readLogTexts } from '@tollgate/store/logs/texts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT } from './send.ts'
import {
  answerWith,
  ChatStream,
  failWith,
  openScriptedUpstream,
  sendJson,
  streamWith,
  USAGE,
  type ScriptedUpstream,
} from './upstream.ts'

const ANSWER = {
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: USAGE,
}

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
let userId: number
let channelId: number

beforeEach(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream(answerWith())
  channelId = await harness.addChannel(upstream.url)
  ;({ bearer, userId } = await harness.addCaller())
})
afterEach(async () => {
  await harness.close()
  await upstream.close()
})

async function row(body: unknown) {
  await harness.send({ bearer, body })
  await harness.settled()
  const [last, ...others] = (await harness.logs()).toReversed()
  expect(others).toEqual([])
  return { ...last, other: JSON.parse(last?.other ?? '') }
}

test('a charged call has the columns and keys of new-api, and a receipt', async () => {
  const cached = {
    prompt_tokens: 1000,
    completion_tokens: 500,
    prompt_tokens_details: { cached_tokens: 200 },
  }
  upstream.respond = answerWith({ usage: cached })
  const record = await row({ ...CHAT, reasoning_effort: 'high', max_tokens: 1000 })
  expect(record).toMatchObject({
    user_id: userId,
    username: expect.stringMatching(/^user\d+$/),
    type: 2,
    content: '',
    token_name: 'cli',
    model_name: 'gpt-4o',
    // The example of the price formula: (800 + 200 x 0.5 + 500 x 4) x 1.25.
    quota: 3_625n,
    prompt_tokens: 1000,
    completion_tokens: 500,
    is_stream: 0,
    channel_id: channelId,
    group_name: 'default',
    ip: '127.0.0.1',
    request_id: expect.stringMatching(/^\d{17}\w{8}$/),
  })
  expect(record.other).toEqual({
    event: 'call_charged',
    operation: 'chat',
    answer_id: 'chatcmpl-1',
    finish_reason: 'stop',
    model_ratio: 1.25,
    completion_ratio: 4,
    cache_ratio: 0.5,
    cache_creation_ratio: 1.25,
    model_price: -1,
    group_ratio: 1,
    cache_tokens: 200,
    frt: expect.any(Number),
    reasoning_effort: 'high',
    admin_info: {
      use_channel: [String(channelId)],
      attempts: [{ channel: channelId, key: 0, outcome: 'ok', status: 200, ms: expect.any(Number) }],
      // The name that this upstream gives its model, which says nothing about what it is.
      served_model: 'm',
    },
    receipt: {
      price_version: 1,
      price_model: 'gpt-4o',
      quota_per_unit: '500000',
      usage: { inputText: 800, cacheRead: 200, outputText: 500 },
      held: expect.any(String),
      ceiling: expect.any(String),
      hold_ms: expect.any(Number),
    },
  })
})

test('charge, row and receipt agree on server-side tools', async () => {
  const model = 'gpt-4o-search-preview'
  await harness.addChannel(upstream.url, { models: model })
  await harness.setOption('ModelRatio', JSON.stringify({ [model]: 1.25 }))
  const record = await row({ ...CHAT, model })
  // 38 units of text, and one search at 25 per thousand in currency.
  expect(record.quota).toBe(38n + 12_500n)
  expect(record.other.tool_surcharges).toEqual([{ name: 'web_search_preview', count: 1, price: 25 }])
  expect(record.other.receipt.usage.toolCalls).toEqual({ web_search_preview: 1 })
  expect(record.other.receipt.price.toolPrices.web_search_preview).toBe('25')
})

test('a long call is charged entirely at the factors of its length, and the receipt keeps them', async () => {
  await harness.setOption('ContextTierRatio', '{"gpt-4o*":[{"above":200,"input":2,"output":1.5}]}')
  const used = { prompt_tokens: 1000, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 200 } }
  upstream.respond = answerWith({ usage: used })
  const { quota, other } = await row({ ...CHAT, max_tokens: 1000 })
  expect(quota).toBe((800n * 5n) / 2n + (200n * 5n) / 4n + (500n * 15n) / 2n)
  expect(other.context_tier).toEqual({ above: 200, input: 2, output: 1.5, cache: 2 })
  expect(other.receipt.price.contextTiers).toEqual([{ above: 200, input: '2', output: '1.5', cache: '2' }])
  expect(BigInt(other.receipt.ceiling)).toBeGreaterThan(1000n * 7n)
})

async function allowTiers() {
  const setting = '{"allow_service_tier":true}'
  await harness.db.updateTable('channels').set({ setting }).where('id', '=', channelId).execute()
  await harness.notices.publish({ entity: 'channel', id: channelId })
}

describe('a service tier', () => {
  const TIERS = '{"priority:gpt-4o*":2,"flex":0.5}'
  // 10 input tokens at 1.25 and 5 output tokens at 5.
  const ordinary = 37.5

  beforeEach(() => harness.setOption('ServiceTierRatio', TIERS))

  test.each([
    ['priority', 2],
    ['flex', 0.5],
    ['default', 1],
  ])('the tier in the response decides the price: %s', async (tier, ratio) => {
    for (const stream of [false, true]) {
      upstream.respond = (response) => {
        if (!stream) return sendJson(response, 200, { ...ANSWER, service_tier: tier })
        const said = new ChatStream(response).say('hello').finish()
        said.frame({ choices: [], usage: USAGE, service_tier: tier }).done()
      }
      await harness.send({ bearer, body: { ...CHAT, stream, service_tier: 'priority' } })
    }
    await harness.settled()
    for (const { quota, other } of await harness.logs()) {
      expect(quota).toBe(BigInt(Math.round(ordinary * ratio)))
      const { service_tier: reported, service_tier_ratio: factor = 1 } = JSON.parse(other)
      expect([reported, factor]).toEqual([ratio === 1 ? undefined : tier, ratio])
    }
  })

  test('a requested tier is sent only where the channel allows it, and held for in full', async () => {
    const asking = { ...CHAT, service_tier: 'priority' }
    await harness.send({ bearer, body: asking })
    expect(upstream.received.at(-1)?.body).toEqual(CHAT)
    await allowTiers()
    await harness.send({ bearer, body: asking })
    expect(upstream.received.at(-1)?.body).toEqual(asking)
    await harness.send({ bearer, body: CHAT })
    await harness.settled()
    const [first, second, plain] = (await harness.logs()).map(({ other }) => JSON.parse(other).receipt)
    expect([first.held, second.held]).toEqual([`${plain.held * 2}`, `${plain.held * 2}`])
  })

  test('without reported usage the requested tier is charged, if it was sent', async () => {
    upstream.respond = (response) => sendJson(response, 200, { ...ANSWER, usage: undefined })
    const asking = { ...CHAT, service_tier: 'priority' }
    await harness.send({ bearer, body: asking })
    await allowTiers()
    await harness.send({ bearer, body: asking })
    upstream.respond = (response) => {
      new ChatStream(response).say('hello')
      setImmediate(() => response.destroy())
    }
    await harness.send({ bearer, body: { ...asking, stream: true } })
    await harness.settled()
    const [refused, allowed, broken] = (await harness.logs()).map(({ quota, other }) => ({
      quota,
      tier: JSON.parse(other).service_tier,
    }))
    expect(refused?.tier).toBeUndefined()
    expect(allowed?.tier).toBe('priority')
    expect(Math.round(Number(allowed?.quota) / Number(refused?.quota))).toBe(2)
    expect(broken?.tier).toBe('priority')
  })

  test('inference restricted to the United States has a tier of its own', async () => {
    await harness.setOption('ServiceTierRatio', '{"geo-us:claude*":1.1,"fast":6}')
    const model = 'claude-3-5-haiku-20241022'
    const setting = '{"allow_inference_geo":true,"allow_speed":true}'
    await harness.addChannel(upstream.url, { type: 14, models: model, setting })
    const usage = { input_tokens: 10, output_tokens: 10, inference_geo: 'us' }
    for (const speed of ['standard', 'fast']) {
      upstream.respond = (response) =>
        sendJson(response, 200, {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'hi' }],
          stop_reason: 'end_turn',
          usage: { ...usage, speed },
        })
      const body = { model, max_tokens: 10, messages: CHAT.messages, inference_geo: 'us', speed }
      await harness.send({ path: '/v1/messages', bearer, body })
      expect(upstream.received.at(-1)?.body).toMatchObject({ inference_geo: 'us' })
    }
    await harness.settled()
    const rows = (await harness.logs()).map(({ quota, other }) => [quota, JSON.parse(other).service_tier])
    expect(rows).toEqual([
      [33n, 'geo-us'],
      [198n, 'fast-geo-us'],
    ])
  })

  test('the tier is read from its place in a response or a message', async () => {
    upstream.respond = (response) =>
      sendJson(response, 200, {
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        service_tier: 'flex',
        output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hi' }] }],
        usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      })
    await harness.send({ path: '/v1/responses', bearer, body: { model: 'gpt-4o', input: 'hi' } })
    await harness.addChannel(upstream.url, { type: 14, models: 'claude-3-opus-20240229' })
    upstream.respond = (response) =>
      sendJson(response, 200, {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: 'hi' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 10, output_tokens: 5, service_tier: 'standard', speed: 'fast' },
      })
    await harness.send({ bearer, body: { ...CHAT, model: 'claude-3-opus-20240229' } })
    await harness.settled()
    const tiers = (await harness.logs()).map(({ other }) => JSON.parse(other).service_tier)
    expect(tiers).toEqual(['flex', 'fast'])
  })
})

test('a price per call is in the row', async () => {
  await harness.setOption('ModelPrice', '{"gpt-4o":0.01}')
  const { content, other } = await row(CHAT)
  expect(content).toBe('')
  expect(other).toMatchObject({
    event: 'call_charged',
    model_price: 0.01,
    model_ratio: 0,
    completion_ratio: 0,
    group_ratio: 1,
  })
})

test('flags of a settlement are in the row too', async () => {
  upstream.respond = streamWith(['hello'], null)
  const { other, is_stream: isStream } = await row({ ...CHAT, stream: true })
  expect([other.flags, isStream]).toEqual([['estimated'], 1])
})

test('audio tokens have their own fields, and the receipt has the complete price', async () => {
  const usage = {
    prompt_tokens: 30,
    completion_tokens: 20,
    prompt_tokens_details: { audio_tokens: 10 },
    completion_tokens_details: { audio_tokens: 15 },
  }
  upstream.respond = answerWith({ usage })
  const { other } = await row(CHAT)
  expect(other).toMatchObject({
    audio: true,
    audio_input: 10,
    audio_output: 15,
    text_input: 20,
    text_output: 5,
  })
  expect(other.receipt.price).toMatchObject({ version: 1, rule: { type: 'ratio', modelRatio: '1.25' } })
})

test("a failed call writes an error row: free, with the message the caller got, and the upstream's message for operators only", async () => {
  await harness.setOption('global.hide_upstream_error_enabled', 'true')
  upstream.respond = failWith(403, { message: 'account closed', code: 'account_closed' })
  const record = await row(CHAT)
  expect(record).toMatchObject({ type: 8, quota: 0n, content: 'Upstream error with status code 403' })
  expect(record.other).toMatchObject({
    error_code: 'account_closed',
    status_code: 403,
    admin_info: { use_channel: [String(channelId)], detail: 'account closed' },
  })
})

test('a refused call writes an error row without a channel; unknown keys write none, and repeated refusals are counted', async () => {
  for (let i = 0; i < 30; i++) await harness.send({ bearer, body: { ...CHAT, model: 'nope' } })
  await harness.send({ bearer: 'sk-unknown', body: CHAT })
  await harness.settled()
  const rows = await harness.logs()
  const [summary] = rows.splice(20)
  expect(rows).toHaveLength(20)
  expect(JSON.parse(summary?.other ?? '')).toMatchObject({ event: 'calls_refused', refused: 10 })
  expect(rows[0]).toMatchObject({ type: 8, user_id: userId, channel_id: 0, model_name: 'nope', quota: 0n })
  expect(JSON.parse(rows[0]?.other ?? '')).toEqual({
    error_code: 'no_channel',
    status_code: 503,
    problem: { code: 'no_channel', parameters: { model: 'nope', group: 'default', isListed: '0' } },
  })
})

test('conversations are kept on request of the operator: encrypted, without keys, streamed or not', async () => {
  await harness.send({ bearer, body: CHAT })
  await harness.setOption('LogChatContentEnabled', 'true')
  const content = 'My key is sk-0123456789abcdef'
  const body = { ...CHAT, messages: [{ role: 'user', content }] }
  upstream.respond = answerWith({ content: 'Write to a@b.example' })
  await harness.send({ bearer, body })
  upstream.respond = streamWith(['Hel', 'lo'])
  await harness.send({ bearer, body: { ...body, stream: true } })
  // Gemini callers who do not request events get one JSON list.
  const path = '/v1beta/models/gpt-4o:streamGenerateContent'
  const list = await harness.send({
    bearer,
    path,
    body: { contents: [{ role: 'user', parts: [{ text: content }] }] },
  })
  expect(Array.isArray(JSON.parse(list.text))).toBe(true)
  await harness.settled()
  const ids = (await harness.logs()).map(({ request_id: id }) => id ?? '')
  const texts = await readLogTexts(harness.db, ids)
  expect(texts.has(ids[0] ?? '')).toBe(false)
  const opened = ids.slice(1).map((id) => {
    expect(texts.get(id)).toMatch(/^v1\./)
    return JSON.parse(harness.cipher.decrypt(texts.get(id) ?? '', logTextContext(id)))
  })
  const input_content = { role: 'user', content: 'My key is [key]' }
  expect(opened).toMatchObject([
    { input_content, output_content: 'Write to [e-mail]' },
    { input_content, output_content: 'Hello', text_kept: { redacted: 1, is_cut: false } },
    { input_content, output_content: 'Hello', text_kept: { redacted: 1, is_cut: false } },
  ])
})

test('the row has the operator’s cost where the channel has cost ratios', async () => {
  const usage = { prompt_tokens: 100, completion_tokens: 50 }
  upstream.respond = answerWith({ usage })
  await harness.send({ bearer, body: CHAT })
  const setting = JSON.stringify({ cost_ratio: 0.8, cost_ratios: { 'gpt-4o': '0.5' } })
  await harness.db.updateTable('channels').set({ setting }).where('id', '=', channelId).execute()
  await harness.notices.publish({ entity: 'channels' })
  await harness.send({ bearer, body: CHAT })
  await harness.settled()
  // (100 + 50 x 4) x 1.25 = 375
  expect((await harness.logs()).map(({ quota, cost }) => [quota, cost])).toEqual([
    [375n, null],
    [375n, 188n],
  ])
})
