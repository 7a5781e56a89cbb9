import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT, framesOf } from './send.ts'
import {
  answerWith,
  ChatStream,
  failWith,
  openScriptedUpstream,
  streamWith,
  type ScriptedUpstream,
} from './upstream.ts'

let harness: RelayHarness
let good: ScriptedUpstream
let bad: ScriptedUpstream
let bearer: string

beforeEach(async () => {
  harness = await openRelayHarness({ random: () => 0 })
  good = await openScriptedUpstream(answerWith())
  bad = await openScriptedUpstream(failWith(500))
  ;({ bearer } = await harness.addCaller())
})
afterEach(async () => {
  await harness.quiet()
  const { findings } = await harness.ledger.audit()
  const holds = await harness.openHolds()
  await harness.close()
  await Promise.all([good.close(), bad.close()])
  expect({ findings, holds }).toEqual({ findings: [], holds: 0 })
})

async function lastTrail(): Promise<unknown> {
  await harness.quiet()
  const row = (await harness.logs()).at(-1)
  const { admin_info: admin } = JSON.parse(row?.other ?? '{}')
  return {
    channels: admin.use_channel,
    attempts: admin.attempts.map((attempt: { outcome: string }) => attempt.outcome),
  }
}

const stream = { ...CHAT, stream: true }

test('a failed channel is not chosen again for the same call, even when random selection would pick it', async () => {
  await harness.setOption('RetryTimes', '5')
  const ids = [
    await harness.addChannel(bad.url),
    await harness.addChannel(bad.url),
    await harness.addChannel(good.url),
  ]
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
  expect(bad.received).toHaveLength(2)
  expect(await lastTrail()).toEqual({
    channels: ids.map(String),
    attempts: ['bad_response_status_code', 'bad_response_status_code', 'ok'],
  })
})

test('all attempts share one hold, and one settlement ends it', async () => {
  await harness.setOption('RetryTimes', '1')
  await harness.addChannel(bad.url, { priority: 1 })
  await harness.addChannel(good.url)
  await harness.send({ bearer, body: stream })
  await harness.quiet()
  expect(await harness.entries()).toHaveLength(1)
  expect(await harness.logs()).toHaveLength(1)
})

test('when all channels have failed, the caller gets the last error, and each channel was tried once', async () => {
  await harness.setOption('RetryTimes', '9')
  await harness.addChannel(bad.url)
  await harness.addChannel(bad.url)
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(500)
  expect(bad.received).toHaveLength(2)
})

test('by default a failed call is not retried', async () => {
  await harness.addChannel(bad.url)
  await harness.addChannel(good.url)
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(500)
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
])('status %i is retried on another channel: %s', async (status, isRetried) => {
  await harness.setOption('RetryTimes', '1')
  bad.respond = failWith(status)
  await harness.addChannel(bad.url, { priority: 1 })
  await harness.addChannel(good.url)
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(isRetried ? 200 : status)
})

test('after the first byte there is no retry, whatever happens', async () => {
  await harness.setOption('RetryTimes', '3')
  bad.respond = async (response) => {
    const answer = new ChatStream(response).say('once')
    await new Promise((resolve) => setTimeout(resolve, 10))
    answer.break()
  }
  await harness.addChannel(bad.url, { priority: 1 })
  await harness.addChannel(good.url)
  const { text } = await harness.send({ bearer, body: stream })
  expect(text.match(/once/g)).toHaveLength(1)
  expect(good.received).toHaveLength(0)
})

test('a stream that starts with an error is retried on another channel', async () => {
  await harness.setOption('RetryTimes', '1')
  bad.respond = (response) => new ChatStream(response).frame({ error: { message: 'busy', code: 503 } }).done()
  good.respond = streamWith()
  await harness.addChannel(bad.url, { priority: 1 })
  await harness.addChannel(good.url)
  const { text, status } = await harness.send({ bearer, body: stream })
  expect(status).toBe(200)
  expect(framesOf(text).at(-1)).toBe('[DONE]')
  expect(text).not.toContain('busy')
})

test('a call with a pinned channel is not retried on another one', async () => {
  await harness.setOption('RetryTimes', '3')
  const pinned = await harness.addChannel(bad.url)
  await harness.addChannel(good.url)
  const admin = await harness.addCaller({ user: { role: 100 } })
  expect((await harness.send({ bearer: `${admin.bearer}-${pinned}`, body: CHAT })).status).toBe(500)
})

test('a rate-limited group gets the gateway’s own message, with the Retry-After of the upstream', async () => {
  bad.respond = (response, request) => {
    response.setHeader('retry-after', '7')
    void failWith(429, { message: 'org org-123 has reached its limit' })(response, request)
  }
  await harness.addChannel(bad.url)
  const answer = await harness.send({ bearer, body: CHAT })
  expect(answer.error['message']).toContain('saturated')
  expect(answer.text).not.toContain('org-123')
  expect(answer.headers['retry-after']).toBe('7')
})

test('a channel key that the upstream repeats in an error is hidden from the caller and the operator', async () => {
  bad.respond = failWith(401, { message: 'the key oddly-shaped.KEY is refused' })
  const id = await harness.addChannel(bad.url, { key: 'oddly-shaped.KEY' })
  expect((await harness.send({ bearer, body: CHAT })).text).not.toContain('oddly')
  expect((await harness.probe.probe({ channelId: id })).message).not.toContain('oddly')
  await harness.quiet()
  expect(JSON.stringify((await harness.logs()).map(({ other }) => other))).not.toContain('oddly')
})

test('status mapping changes the status that the caller gets', async () => {
  bad.respond = failWith(400)
  await harness.addChannel(bad.url, { status_code_mapping: '{"400":"503"}' })
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(503)
})

test('error messages of the upstream can be hidden', async () => {
  await harness.setOption('global.hide_upstream_error_enabled', 'true')
  bad.respond = failWith(403, { message: 'account of Mr X is closed' })
  await harness.addChannel(bad.url)
  const answer = await harness.send({ bearer, body: CHAT })
  expect(answer.error['message']).toContain('Upstream error with status code 403')
  expect(answer.status).toBe(403)
})

test('the keys of a channel are used in rotation, and a refused key is disabled without its channel', async () => {
  await harness.setOption('AutomaticDisableChannelEnabled', 'true')
  bad.respond = (response, request) => {
    const isDead = request.headers.authorization === 'Bearer key-b'
    void (isDead ? failWith(401) : answerWith())(response, request)
  }
  await harness.addChannel(bad.url, { key: 'key-a\nkey-b\nkey-c' })
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await harness.send({ bearer, body: CHAT })).status)
  expect(statuses).toEqual([200, 401, 200, 200, 200, 200])
  expect(harness.disabled).toEqual([])
  expect(harness.disabledKeys).toMatchObject([{ key: 'key-b', reason: expect.stringContaining('401') }])
  expect(harness.snapshots.roster().channel(1)?.disabledKeys).toEqual(new Set([1]))
})

test('a channel whose only key is refused is disabled at once, and no later call uses it', async () => {
  await harness.setOption('AutomaticDisableChannelEnabled', 'true')
  bad.respond = failWith(401, { message: 'Incorrect API key provided' })
  const id = await harness.addChannel(bad.url, { priority: 1 })
  await harness.addChannel(good.url)
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(401)
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
  expect(bad.received).toHaveLength(1)
  expect(harness.disabled).toMatchObject([{ channelId: id }])
  expect(harness.disabled[0]?.reason).toContain('Incorrect API key')
})

test.each([
  ['the switch is off', {}, 'false'],
  ['the channel does not want it', { auto_ban: 0 as const }, 'true'],
])('nothing is disabled when %s', async (_name, parts, isOn) => {
  await harness.setOption('AutomaticDisableChannelEnabled', isOn)
  bad.respond = failWith(401)
  await harness.addChannel(bad.url, parts)
  await harness.send({ bearer, body: CHAT })
  expect(harness.disabled).toEqual([])
})

test('one error text that a caller can provoke disables no channel', async () => {
  await harness.setOption('AutomaticDisableChannelEnabled', 'true')
  bad.respond = failWith(403, {
    message: 'Permission denied for prompt "permission denied"',
    type: 'permission_error',
  })
  await harness.addChannel(bad.url)
  await harness.send({ bearer, body: CHAT })
  await harness.send({ bearer, body: CHAT })
  expect(harness.disabled).toEqual([])
  await harness.send({ bearer, body: CHAT })
  expect(harness.disabled).toHaveLength(1)
})

test('a circular model mapping is an error of its channel: the next channel is tried, and the last error names it', async () => {
  const circle = { models: 'gpt-4o', model_mapping: '{"gpt-4o":"b","b":"c","c":"b"}' }
  await harness.addChannel(bad.url, { ...circle, priority: 5 })
  const answer = await harness.send({ bearer, body: CHAT })
  expect([answer.status, answer.error]).toMatchObject([
    500,
    { code: 'channel_mapping_circular', message: expect.stringContaining('gpt-4o') },
  ])
  await harness.setOption('RetryTimes', '1')
  await harness.addChannel(good.url, { models: 'gpt-4o' })
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
  expect(bad.received).toEqual([])
  expect(await harness.probe.probe({ channelId: 1, model: 'gpt-4o' })).toMatchObject({ ok: false })
})

test('model mapping and overrides change only their members and keep all other bytes', async () => {
  await harness.addChannel(good.url, {
    models: 'gpt-4o',
    model_mapping: '{"gpt-4o":"my-deployment"}',
    param_override: '{"temperature":0.5,"__proto__":{"x":1},"stream":true}',
  })
  const body =
    '{ "model" : "gpt-4o", "messages":[{"role":"user","content":"\\u00e9"}],\n "unknown_field": 1.0 }'
  expect((await harness.send({ bearer, body })).status).toBe(200)
  const sent = good.received[0]
  expect(sent?.body).toEqual({
    model: 'my-deployment',
    messages: [{ role: 'user', content: 'é' }],
    unknown_field: 1,
    temperature: 0.5,
  })
  expect(sent?.text).toContain('"content":"\\u00e9"')
  expect(sent?.text).toContain('"unknown_field": 1.0')
  await harness.quiet()
  const row = (await harness.logs())[0]
  expect(row?.model_name).toBe('gpt-4o')
  expect(JSON.parse(row?.other ?? '')).toMatchObject({
    is_model_mapped: true,
    upstream_model_name: 'my-deployment',
  })
})

test('a request that needs no change is forwarded byte for byte', async () => {
  await harness.addChannel(good.url)
  const body = '{"messages":[{"role":"user","content":"x"}],  "model":"gpt-4o"}'
  await harness.send({ bearer, body })
  expect(good.received[0]?.text).toBe(body)
})

test('a model prefix selects its channels and is removed before sending, for retries too', async () => {
  await harness.setOption('RetryTimes', '1')
  await harness.addChannel(bad.url, { models: 'gpt-4o', model_prefix: 'x/' })
  await harness.addChannel(good.url, { models: 'gpt-4o', model_prefix: 'x/' })
  await harness.addChannel(bad.url, { models: 'gpt-4o', priority: 99 })
  const answer = await harness.send({ bearer, body: { ...CHAT, model: 'x/gpt-4o' } })
  expect(answer.status).toBe(200)
  expect([bad.received[0]?.body['model'], good.received[0]?.body['model']]).toEqual(['gpt-4o', 'gpt-4o'])
  await harness.quiet()
  expect((await harness.logs())[0]?.model_name).toBe('x/gpt-4o')
})

test('usage is always requested from a stream, and shown only to a caller who requested it', async () => {
  good.respond = streamWith()
  await harness.addChannel(good.url)
  const plain = await harness.send({ bearer, body: stream })
  expect(good.received[0]?.body['stream_options']).toEqual({ include_usage: true })
  expect(plain.text).not.toContain('"usage"')
  const asked = await harness.send({ bearer, body: { ...stream, stream_options: { include_usage: true } } })
  expect(asked.text).toContain('"prompt_tokens":10')
})

test('a channel that cannot stream is asked for a complete response, which is then streamed', async () => {
  await harness.addChannel(good.url, { setting: '{"stream_support":"non_stream_only"}' })
  const { text, headers } = await harness.send({ bearer, body: stream })
  expect(good.received[0]?.body['stream']).not.toBe(true)
  expect(headers['content-type']).toContain('text/event-stream')
  expect(text).toContain('hello there')
  expect(framesOf(text).at(-1)).toBe('[DONE]')
})

test('a channel test sends requests as calls do, also for a disabled channel and with every key, and charges nothing', async () => {
  const id = await harness.addChannel(good.url, {
    status: 2,
    key: 'key-a\nkey-b',
    model_mapping: '{"gpt-4o":"up"}',
  })
  const passed = await harness.probe.probe({ channelId: id })
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
  expect(await harness.probe.probe({ channelId: id })).toMatchObject({
    ok: false,
    status: 401,
    message: 'key 1 of 2: status code 401: Incorrect API key provided',
  })
  expect(await harness.probe.probe({ channelId: 999 })).toMatchObject({ ok: false })
  expect(await harness.entries()).toEqual([])
  expect(await harness.logs()).toEqual([])
})

test('a channel test times out when the upstream never responds', async () => {
  good.respond = () => undefined
  const hasty = await openRelayHarness({ limits: { probeMs: 50 } })
  const channelId = await hasty.addChannel(good.url)
  const result = await hasty.probe.probe({ channelId })
  await hasty.close()
  expect(result).toMatchObject({ ok: false, message: expect.stringMatching(/time/i) })
  expect(result.status).toBeUndefined()
  expect(hasty.disabled).toEqual([])
})

test('a channel test sends what the channel adds to calls, and learns from a refusal as they do', async () => {
  good.respond = (response, request) => {
    const isOld = good.received.at(-1)?.body['max_tokens'] !== undefined
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    const param = 'max_tokens'
    const refused = failWith(400, {
      message,
      type: 'invalid_request_error',
      param,
      code: 'unsupported_parameter',
    })
    void (isOld ? refused : answerWith())(response, request)
  }
  const channelId = await harness.addChannel(good.url, {
    header_override: '{"x-team":"red"}',
    setting: '{"system_prompt":"be brief"}',
  })
  expect(await harness.probe.probe({ channelId })).toMatchObject({ ok: true, status: 200 })
  expect(good.received).toHaveLength(2)
  expect(good.received[1]).toMatchObject({
    headers: { 'x-team': 'red' },
    body: { max_completion_tokens: 10, messages: [{ content: 'be brief' }, { content: 'hi' }] },
  })
})

test('a channel test shows the operator errors that callers do not see, and spares the health of the key', async () => {
  await harness.setOption('global.hide_upstream_error_enabled', 'true')
  await harness.setOption('AutomaticDisableChannelEnabled', 'true')
  good.respond = failWith(401, { message: 'account of Mr X is closed' })
  const channelId = await harness.addChannel(good.url)
  const result = { ok: false, status: 401, keys: [{ ok: false, evidence: 'certain' }] }
  const shown = { ...result, message: 'status code 401: account of Mr X is closed' }
  expect(await harness.probe.probe({ channelId })).toMatchObject(shown)
  const closed = await harness.addChannel('http://10.0.0.1:1')
  const unsent = await harness.probe.probe({ channelId: closed, language: 'en' })
  expect(unsent).toMatchObject({ ok: false, message: expect.stringContaining('EGRESS_ALLOW') })
  expect(harness.disabled).toEqual([])
  good.respond = answerWith()
  await harness.db.deleteFrom('channels').where('id', '=', closed).execute()
  await harness.notices.publish({ entity: 'channels' })
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
})

test('a model name may be as long as the channel accepts, in charges and lists too', async () => {
  const model = `m${'x'.repeat(254)}`
  await harness.setOption('ModelPrice', JSON.stringify({ [model]: 0.01 }))
  await harness.addChannel(good.url, { models: model })
  expect((await harness.send({ bearer, body: { ...CHAT, model } })).status).toBe(200)
  await harness.quiet()
  expect(await harness.logs()).toMatchObject([{ model_name: model, quota: 5000n }])
})

test('a channel of embeddings is tested with embeddings, also by its default model', async () => {
  good.respond = (response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"data":[{"embedding":[1]}],"usage":{"prompt_tokens":2,"total_tokens":2}}')
  }
  const id = await harness.addChannel(good.url, { models: 'text-embedding-3-small' })
  expect(await harness.probe.probe({ channelId: id })).toMatchObject({ ok: true })
  expect(good.received[0]?.path).toBe('/v1/embeddings')
})

/** Makes one call with a token of group `auto`. */
async function callOf(token: { cross_group_retry?: 1; group_order?: string } = {}) {
  const caller = await harness.addCaller({ token: { group_name: 'auto', ...token } })
  const { status } = await harness.send({ bearer: caller.bearer, body: CHAT })
  await harness.quiet()
  const [entry] = (await harness.entries()).toReversed()
  const log = (await harness.logs()).at(-1)
  return { status, units: entry?.amount, group: log?.group_name, other: JSON.parse(log?.other ?? '{}') }
}

describe('a token of group auto', () => {
  beforeEach(async () => {
    await harness.setOption('GroupRatio', '{"default":1,"cheap":0.5,"dear":3,"staff":1}')
    await harness.setOption('UserUsableGroups', '{"cheap":"","dear":""}')
    await harness.setOption('AutoGroups', '["staff","cheap","dear"]')
  })

  test('the first group that the owner may use and that has a channel serves and charges the call', async () => {
    await harness.addChannel(bad.url, { group_names: 'staff' })
    await harness.addChannel(good.url, { group_names: 'dear' })
    const dear = await callOf()
    expect(dear).toMatchObject({ status: 200, group: 'dear' })
    await harness.addChannel(good.url, { group_names: 'cheap' })
    const cheap = await callOf()
    expect(cheap).toMatchObject({ status: 200, group: 'cheap' })
    // 37.5 units times 0.5 and times 3, each rounded once.
    expect([cheap.units, dear.units]).toEqual([19n, 113n])
    expect(await callOf({ group_order: 'dear,cheap' })).toMatchObject({ group: 'dear', units: dear.units })
    expect(bad.received).toHaveLength(0)
  })

  test('the playground uses the site’s order of groups too', async () => {
    const { userId } = await harness.addCaller()
    await harness.addChannel(good.url, { group_names: 'dear' })
    harness.signIn(userId)
    const asked = { path: '/pg/chat/completions', body: { ...CHAT, group: 'auto' } }
    expect(await harness.send(asked)).toMatchObject({ status: 200 })
    await harness.quiet()
    expect((await harness.logs()).at(-1)?.group_name).toBe('dear')
    await harness.setOption('AutoGroups', '["staff"]')
    expect(await harness.send(asked)).toMatchObject({ status: 403, error: { code: 'group_not_allowed' } })
  })

  test('with cross_group_retry a call moves on when every channel of a group failed, and the group that served is charged', async () => {
    await harness.addChannel(bad.url, { group_names: 'cheap' })
    const id = await harness.addChannel(good.url, { group_names: 'dear' })
    expect(await callOf()).toMatchObject({ status: 500, group: 'cheap' })
    const moved = await callOf({ cross_group_retry: 1 })
    expect(moved).toMatchObject({ status: 200, group: 'dear' })
    expect(moved.other.group_ratio).toBe(3)
    expect(moved.other.admin_info.attempts).toMatchObject([{ group: 'cheap', status: 500 }, { channel: id }])
    expect(await callOf({ group_order: 'dear' })).toMatchObject({ units: moved.units })
    const back = await callOf({ cross_group_retry: 1, group_order: 'dear,cheap' })
    expect(back).toMatchObject({ status: 200, group: 'dear', units: moved.units })
  })

  test('the model list has every model of its groups and no others', async () => {
    await harness.addChannel(good.url, { group_names: 'staff', models: 'secret' })
    await harness.addChannel(good.url, { group_names: 'cheap', models: 'small' })
    await harness.addChannel(good.url, { group_names: 'cheap,dear', models: 'large' })
    const caller = await harness.addCaller({ token: { group_name: 'auto' } })
    const { json } = await harness.send({ method: 'GET', path: '/v1/models', bearer: caller.bearer })
    expect(json).toMatchObject({ data: [{ id: 'large' }, { id: 'small' }] })
  })
})
