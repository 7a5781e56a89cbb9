import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createProbe } from '../../src/relay/probe.ts'
import { openRelayBench, type RelayBench } from './bench.ts'
import { CHAT, framesOf } from './send.ts'
import {
  answerWith,
  ChatStream,
  failWith,
  openScriptedUpstream,
  streamWith,
  type ScriptedUpstream,
} from './upstream.ts'

let bench: RelayBench
let good: ScriptedUpstream
let bad: ScriptedUpstream
let bearer: string

beforeEach(async () => {
  bench = await openRelayBench({ random: () => 0 })
  good = await openScriptedUpstream(answerWith())
  bad = await openScriptedUpstream(failWith(500))
  ;({ bearer } = await bench.addCaller())
})
afterEach(async () => {
  await bench.quiet()
  const { findings } = await bench.ledger.audit()
  const holds = await bench.openHolds()
  await bench.close()
  await Promise.all([good.close(), bad.close()])
  expect({ findings, holds }).toEqual({ findings: [], holds: 0 })
})

async function lastTrail(): Promise<unknown> {
  await bench.quiet()
  const row = (await bench.logs()).at(-1)
  const { admin_info: admin } = JSON.parse(row?.other ?? '{}')
  return {
    channels: admin.use_channel,
    attempts: admin.attempts.map((attempt: { outcome: string }) => attempt.outcome),
  }
}

const stream = { ...CHAT, stream: true }

test('relay 6a: a failed channel is not drawn again, even when chance would have it', async () => {
  await bench.setOption('RetryTimes', '5')
  const ids = [
    await bench.addChannel(bad.url),
    await bench.addChannel(bad.url),
    await bench.addChannel(good.url),
  ]
  expect((await bench.send({ bearer, body: CHAT })).status).toBe(200)
  expect(bad.received).toHaveLength(2)
  expect(await lastTrail()).toEqual({
    channels: ids.map(String),
    attempts: ['bad_response_status_code', 'bad_response_status_code', 'ok'],
  })
})

test('one hold serves all attempts, and one settlement ends it', async () => {
  await bench.setOption('RetryTimes', '1')
  await bench.addChannel(bad.url, { priority: 1 })
  await bench.addChannel(good.url)
  await bench.send({ bearer, body: stream })
  await bench.quiet()
  expect(await bench.entries()).toHaveLength(1)
  expect(await bench.logs()).toHaveLength(1)
})

test('when all have failed, the last failure is the answer, each channel tried once', async () => {
  await bench.setOption('RetryTimes', '9')
  await bench.addChannel(bad.url)
  await bench.addChannel(bad.url)
  expect((await bench.send({ bearer, body: CHAT })).status).toBe(500)
  expect(bad.received).toHaveLength(2)
})

test('by default nothing is tried twice', async () => {
  await bench.addChannel(bad.url)
  await bench.addChannel(good.url)
  expect((await bench.send({ bearer, body: CHAT })).status).toBe(500)
  expect(good.received).toHaveLength(0)
})

test.each([
  [400, false],
  [408, false],
  [504, false],
  [401, true],
  [404, true],
  [429, true],
  [503, true],
])('status %i leads to another channel: %s', async (status, isRetried) => {
  await bench.setOption('RetryTimes', '1')
  bad.respond = failWith(status)
  await bench.addChannel(bad.url, { priority: 1 })
  await bench.addChannel(good.url)
  expect((await bench.send({ bearer, body: CHAT })).status).toBe(isRetried ? 200 : status)
})

test('relay 7b: after the first byte there is no other channel, whatever happens', async () => {
  await bench.setOption('RetryTimes', '3')
  bad.respond = async (response) => {
    const answer = new ChatStream(response).say('once')
    await new Promise((resolve) => setTimeout(resolve, 10))
    answer.break()
  }
  await bench.addChannel(bad.url, { priority: 1 })
  await bench.addChannel(good.url)
  const { text } = await bench.send({ bearer, body: stream })
  expect(text.match(/once/g)).toHaveLength(1)
  expect(good.received).toHaveLength(0)
})

test('an answer that never becomes one leads to another channel, also in a stream', async () => {
  await bench.setOption('RetryTimes', '1')
  bad.respond = (response) => new ChatStream(response).frame({ error: { message: 'busy', code: 503 } }).done()
  good.respond = streamWith()
  await bench.addChannel(bad.url, { priority: 1 })
  await bench.addChannel(good.url)
  const { text, status } = await bench.send({ bearer, body: stream })
  expect(status).toBe(200)
  expect(framesOf(text).at(-1)).toBe('[DONE]')
  expect(text).not.toContain('busy')
})

test('a pinned channel is not left', async () => {
  await bench.setOption('RetryTimes', '3')
  const pinned = await bench.addChannel(bad.url)
  await bench.addChannel(good.url)
  const admin = await bench.addCaller({ user: { role: 100 } })
  expect((await bench.send({ bearer: `${admin.bearer}-${pinned}`, body: CHAT })).status).toBe(500)
})

test('a saturated group is told in its own words, with the wait the upstream asks for', async () => {
  bad.respond = (response, request) => {
    response.setHeader('retry-after', '7')
    void failWith(429, { message: 'org org-123 has reached its limit' })(response, request)
  }
  await bench.addChannel(bad.url)
  const answer = await bench.send({ bearer, body: CHAT })
  expect(answer.error['message']).toContain('saturated')
  expect(answer.text).not.toContain('org-123')
  expect(answer.headers['retry-after']).toBe('7')
})

test('a key the upstream repeats does not reach the caller, nor the operator', async () => {
  bad.respond = failWith(401, { message: 'the key oddly-shaped.KEY is refused' })
  const id = await bench.addChannel(bad.url, { key: 'oddly-shaped.KEY' })
  expect((await bench.send({ bearer, body: CHAT })).text).not.toContain('oddly')
  expect((await bench.probe.probe({ channelId: id })).message).not.toContain('oddly')
  await bench.quiet()
  expect(JSON.stringify((await bench.logs()).map(({ other }) => other))).not.toContain('oddly')
})

test('status mapping changes what the caller gets', async () => {
  bad.respond = failWith(400)
  await bench.addChannel(bad.url, { status_code_mapping: '{"400":"503"}' })
  expect((await bench.send({ bearer, body: CHAT })).status).toBe(503)
})

test('upstream texts can be hidden', async () => {
  await bench.setOption('global.hide_upstream_error_enabled', 'true')
  bad.respond = failWith(403, { message: 'account of Mr X is closed' })
  await bench.addChannel(bad.url)
  const answer = await bench.send({ bearer, body: CHAT })
  expect(answer.error['message']).toContain('Upstream error with status code 403')
  expect(answer.status).toBe(403)
})

test('keys take turns, and a refused key does not take the channel with it', async () => {
  await bench.setOption('AutomaticDisableChannelEnabled', 'true')
  bad.respond = (response, request) => {
    const isDead = request.headers.authorization === 'Bearer key-b'
    void (isDead ? failWith(401) : answerWith())(response, request)
  }
  await bench.addChannel(bad.url, { key: 'key-a\nkey-b\nkey-c' })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await bench.send({ bearer, body: CHAT })).status)
  expect(statuses).toEqual([200, 401, 200, 200, 200, 200])
  expect(bench.disabled).toEqual([])
  expect(bench.disabledKeys).toMatchObject([{ key: 'key-b', reason: expect.stringContaining('401') }])
  expect(bench.snapshots.roster().channel(1)?.disabledKeys).toEqual(new Set([1]))
})

test('12.24 relay 6b: a channel whose only key is refused is disabled at once, and no call meets it again', async () => {
  await bench.setOption('AutomaticDisableChannelEnabled', 'true')
  bad.respond = failWith(401, { message: 'Incorrect API key provided' })
  const id = await bench.addChannel(bad.url, { priority: 1 })
  await bench.addChannel(good.url)
  expect((await bench.send({ bearer, body: CHAT })).status).toBe(401)
  expect((await bench.send({ bearer, body: CHAT })).status).toBe(200)
  expect(bad.received).toHaveLength(1)
  expect(bench.disabled).toMatchObject([{ channelId: id }])
  expect(bench.disabled[0]?.reason).toContain('Incorrect API key')
})

test.each([
  ['the switch is off', {}, 'false'],
  ['the channel does not want it', { auto_ban: 0 as const }, 'true'],
])('nothing is disabled when %s', async (_name, parts, isOn) => {
  await bench.setOption('AutomaticDisableChannelEnabled', isOn)
  bad.respond = failWith(401)
  await bench.addChannel(bad.url, parts)
  await bench.send({ bearer, body: CHAT })
  expect(bench.disabled).toEqual([])
})

test('relay 8: one text a caller can provoke disables nothing', async () => {
  await bench.setOption('AutomaticDisableChannelEnabled', 'true')
  bad.respond = failWith(403, {
    message: 'Permission denied for prompt "permission denied"',
    type: 'permission_error',
  })
  await bench.addChannel(bad.url)
  await bench.send({ bearer, body: CHAT })
  await bench.send({ bearer, body: CHAT })
  expect(bench.disabled).toEqual([])
  await bench.send({ bearer, body: CHAT })
  expect(bench.disabled).toHaveLength(1)
})

test('a mapping in a circle is a fault of its channel: the next one is tried, and the last one says so', async () => {
  const circle = { models: 'gpt-4o', model_mapping: '{"gpt-4o":"b","b":"c","c":"b"}' }
  await bench.addChannel(bad.url, { ...circle, priority: 5 })
  const answer = await bench.send({ bearer, body: CHAT })
  expect([answer.status, answer.error]).toMatchObject([
    500,
    { code: 'channel_mapping_circular', message: expect.stringContaining('gpt-4o') },
  ])
  await bench.setOption('RetryTimes', '1')
  await bench.addChannel(good.url, { models: 'gpt-4o' })
  expect((await bench.send({ bearer, body: CHAT })).status).toBe(200)
  expect(bad.received).toEqual([])
  expect(await bench.probe.probe({ channelId: 1, model: 'gpt-4o' })).toMatchObject({ ok: false })
})

test('mapping, override and the bytes of everything else', async () => {
  await bench.addChannel(good.url, {
    models: 'gpt-4o',
    model_mapping: '{"gpt-4o":"my-deployment"}',
    param_override: '{"temperature":0.5,"__proto__":{"x":1},"stream":true}',
  })
  const body =
    '{ "model" : "gpt-4o", "messages":[{"role":"user","content":"\\u00e9"}],\n "unknown_field": 1.0 }'
  expect((await bench.send({ bearer, body })).status).toBe(200)
  const sent = good.received[0]
  expect(sent?.body).toEqual({
    model: 'my-deployment',
    messages: [{ role: 'user', content: 'é' }],
    unknown_field: 1,
    temperature: 0.5,
  })
  expect(sent?.text).toContain('"content":"\\u00e9"')
  expect(sent?.text).toContain('"unknown_field": 1.0')
  await bench.quiet()
  const row = (await bench.logs())[0]
  expect(row?.model_name).toBe('gpt-4o')
  expect(JSON.parse(row?.other ?? '')).toMatchObject({
    is_model_mapped: true,
    upstream_model_name: 'my-deployment',
  })
})

test('relay 9c: with nothing to change, the very bytes go out', async () => {
  await bench.addChannel(good.url)
  const body = '{"messages":[{"role":"user","content":"x"}],  "model":"gpt-4o"}'
  await bench.send({ bearer, body })
  expect(good.received[0]?.text).toBe(body)
})

test('relay 6c: a prefix chooses its channels and is cut off, for retries too', async () => {
  await bench.setOption('RetryTimes', '1')
  await bench.addChannel(bad.url, { models: 'gpt-4o', model_prefix: 'x/' })
  await bench.addChannel(good.url, { models: 'gpt-4o', model_prefix: 'x/' })
  await bench.addChannel(bad.url, { models: 'gpt-4o', priority: 99 })
  const answer = await bench.send({ bearer, body: { ...CHAT, model: 'x/gpt-4o' } })
  expect(answer.status).toBe(200)
  expect([bad.received[0]?.body['model'], good.received[0]?.body['model']]).toEqual(['gpt-4o', 'gpt-4o'])
  await bench.quiet()
  expect((await bench.logs())[0]?.model_name).toBe('x/gpt-4o')
})

test('usage is asked of a stream, and shown only to who asked', async () => {
  good.respond = streamWith()
  await bench.addChannel(good.url)
  const plain = await bench.send({ bearer, body: stream })
  expect(good.received[0]?.body['stream_options']).toEqual({ include_usage: true })
  expect(plain.text).not.toContain('"usage"')
  const asked = await bench.send({ bearer, body: { ...stream, stream_options: { include_usage: true } } })
  expect(asked.text).toContain('"prompt_tokens":10')
})

test('relay 10a: a channel that cannot stream is asked for a whole answer, which then is streamed', async () => {
  await bench.addChannel(good.url, { setting: '{"stream_support":"non_stream_only"}' })
  const { text, headers } = await bench.send({ bearer, body: stream })
  expect(good.received[0]?.body['stream']).not.toBe(true)
  expect(headers['content-type']).toContain('text/event-stream')
  expect(text).toContain('hello there')
  expect(framesOf(text).at(-1)).toBe('[DONE]')
})

test('12.26 a channel test goes as calls go, also when disabled, with every key, and nothing is charged', async () => {
  const id = await bench.addChannel(good.url, {
    status: 2,
    key: 'key-a\nkey-b',
    model_mapping: '{"gpt-4o":"up"}',
  })
  const passed = await bench.probe.probe({ channelId: id })
  expect(passed).toMatchObject({
    ok: true,
    message: '',
    status: 200,
    model: 'gpt-4o',
    usage: { inputTokens: 10, outputTokens: 5 },
  })
  expect(passed.units).toBe(38n)
  expect(good.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-a', 'Bearer key-b'])
  expect(good.received[0]?.body).toMatchObject({ model: 'up', max_tokens: 10 })
  good.respond = failWith(401, { message: 'Incorrect API key provided' })
  expect(await bench.probe.probe({ channelId: id })).toMatchObject({
    ok: false,
    status: 401,
    message: 'key 1 of 2: status code 401: Incorrect API key provided',
  })
  expect(await bench.probe.probe({ channelId: 999 })).toMatchObject({ ok: false })
  expect(await bench.entries()).toEqual([])
  expect(await bench.logs()).toEqual([])
})

test('12.17 a channel test whose upstream never answers ends by itself', async () => {
  good.respond = () => undefined
  const channelId = await bench.addChannel(good.url)
  const probe = createProbe({ ...bench, timeoutMs: 50 })
  const result = await probe.probe({ channelId })
  expect(result).toMatchObject({ ok: false, message: expect.stringMatching(/time/i) })
  expect(result.status).toBeUndefined()
  expect(bench.disabled).toEqual([])
})

test('12.29 a model name is as long as a channel takes it, in what is charged and listed', async () => {
  const model = `m${'x'.repeat(254)}`
  await bench.setOption('ModelPrice', JSON.stringify({ [model]: 0.01 }))
  await bench.addChannel(good.url, { models: model })
  expect((await bench.send({ bearer, body: { ...CHAT, model } })).status).toBe(200)
  await bench.quiet()
  expect(await bench.logs()).toMatchObject([{ model_name: model, quota: 5000n }])
})

test('12.26 a channel of embeddings is tested with embeddings, also by its default model', async () => {
  good.respond = (response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"data":[{"embedding":[1]}],"usage":{"prompt_tokens":2,"total_tokens":2}}')
  }
  const id = await bench.addChannel(good.url, { models: 'text-embedding-3-small' })
  expect(await bench.probe.probe({ channelId: id })).toMatchObject({ ok: true })
  expect(good.received[0]?.path).toBe('/v1/embeddings')
})

/** One call of a token in group auto. */
async function callOf(token: { cross_group_retry?: 1; group_order?: string } = {}) {
  const caller = await bench.addCaller({ token: { group_name: 'auto', ...token } })
  const { status } = await bench.send({ bearer: caller.bearer, body: CHAT })
  await bench.quiet()
  const [entry] = (await bench.entries()).toReversed()
  const log = (await bench.logs()).at(-1)
  return { status, units: entry?.amount, group: log?.group_name, other: JSON.parse(log?.other ?? '{}') }
}

describe('a token of group auto', () => {
  beforeEach(async () => {
    await bench.setOption('GroupRatio', '{"default":1,"cheap":0.5,"dear":3,"staff":1}')
    await bench.setOption('UserUsableGroups', '{"cheap":"","dear":""}')
    await bench.setOption('AutoGroups', '["staff","cheap","dear"]')
  })

  test('is served and charged by the first group with a channel that its owner may use', async () => {
    await bench.addChannel(bad.url, { group_names: 'staff' })
    await bench.addChannel(good.url, { group_names: 'dear' })
    const dear = await callOf()
    expect(dear).toMatchObject({ status: 200, group: 'dear' })
    await bench.addChannel(good.url, { group_names: 'cheap' })
    const cheap = await callOf()
    expect(cheap).toMatchObject({ status: 200, group: 'cheap' })
    // 37.5 at 0.5 and at 3, each rounded once.
    expect([cheap.units, dear.units]).toEqual([19n, 113n])
    expect(await callOf({ group_order: 'dear,cheap' })).toMatchObject({ group: 'dear', units: dear.units })
    expect(bad.received).toHaveLength(0)
  })

  test('the playground knows the site’s order too', async () => {
    const { userId } = await bench.addCaller()
    await bench.addChannel(good.url, { group_names: 'dear' })
    bench.signIn(userId)
    const asked = { path: '/pg/chat/completions', body: { ...CHAT, group: 'auto' } }
    expect(await bench.send(asked)).toMatchObject({ status: 200 })
    await bench.quiet()
    expect((await bench.logs()).at(-1)?.group_name).toBe('dear')
    await bench.setOption('AutoGroups', '["staff"]')
    expect(await bench.send(asked)).toMatchObject({ status: 403, error: { code: 'group_not_allowed' } })
  })

  test('moves on when every channel of a group failed, if it wants to; the group that served is paid', async () => {
    await bench.addChannel(bad.url, { group_names: 'cheap' })
    const id = await bench.addChannel(good.url, { group_names: 'dear' })
    expect(await callOf()).toMatchObject({ status: 500, group: 'cheap' })
    const moved = await callOf({ cross_group_retry: 1 })
    expect(moved).toMatchObject({ status: 200, group: 'dear' })
    expect(moved.other.group_ratio).toBe(3)
    expect(moved.other.admin_info.attempts).toMatchObject([{ group: 'cheap', status: 500 }, { channel: id }])
    expect(await callOf({ group_order: 'dear' })).toMatchObject({ units: moved.units })
    const back = await callOf({ cross_group_retry: 1, group_order: 'dear,cheap' })
    expect(back).toMatchObject({ status: 200, group: 'dear', units: moved.units })
  })

  test('may name every model of its groups, and none of others', async () => {
    await bench.addChannel(good.url, { group_names: 'staff', models: 'secret' })
    await bench.addChannel(good.url, { group_names: 'cheap', models: 'small' })
    await bench.addChannel(good.url, { group_names: 'cheap,dear', models: 'large' })
    const caller = await bench.addCaller({ token: { group_name: 'auto' } })
    const { json } = await bench.send({ method: 'GET', path: '/v1/models', bearer: caller.bearer })
    expect(json).toMatchObject({ data: [{ id: 'large' }, { id: 'small' }] })
  })
})
