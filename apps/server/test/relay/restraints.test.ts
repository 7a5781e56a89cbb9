import { accountId } from '@tollgate/ledger/account'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT, listenFor } from './send.ts'
import { answerWith, ChatStream, failWith, openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

/** What an operator may forbid: words, and too many calls. */

let harness: RelayHarness
let upstream: ScriptedUpstream

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url, { models: 'gpt-4o' })
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.respond = answerWith()
})

describe('sensitive words', () => {
  beforeAll(() => harness.setOption('SensitiveWords', 'Forbidden\nregex:N[A-Z]{3}E'))
  afterAll(() => harness.setOption('CheckSensitiveEnabled', 'false'))

  test.each([
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'so FORBIDDEN' }] }],
    ['/v1/messages', { max_tokens: 9, messages: [{ role: 'user', content: 'a nAmEE' }] }],
    ['/v1/responses', { input: 'forbidden' }],
    ['/v1beta/models/gpt-4o:generateContent', { contents: [{ parts: [{ text: 'forbidden' }] }] }],
  ])('sensitive words are refused in every dialect: %s', async (path, body) => {
    const { bearer, userId } = await harness.addCaller()
    const before = upstream.received.length
    const headers = { 'x-goog-api-key': bearer }
    const { status, error } = await harness.send({
      path,
      bearer,
      headers,
      body: { model: 'gpt-4o', ...body },
    })
    expect(status).toBe(400)
    expect(error['message']).toContain('sensitive words detected')
    expect(String(error['message']).toLowerCase()).not.toContain('forbidden')
    expect(upstream.received).toHaveLength(before)
    const warned = harness.said.filter(({ level }) => level === 'warn')
    expect(warned.at(-1)).toMatchObject({ userId, word: expect.any(String) })
    expect(await harness.balance(userId)).toMatchObject({ used: 0n, reserved: 0n })
  })

  test('sensitive words pass once the check is switched off', async () => {
    await harness.setOption('CheckSensitiveOnPromptEnabled', 'false')
    const { bearer } = await harness.addCaller()
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'forbidden' }] }
    expect((await harness.send({ bearer, body })).status).toBe(200)
  })
})

describe('the call limits of a user', () => {
  beforeAll(async () => {
    await harness.setOption('ModelRequestRateLimitSuccessCount', '2')
    await harness.setOption('ModelRequestRateLimitCount', '5')
    await harness.setOption('ModelRequestRateLimitEnabled', 'true')
  })
  afterAll(() => harness.setOption('ModelRequestRateLimitEnabled', 'false'))
  afterEach(() => harness.quiet())

  test('failed calls do not count against the limit of successful calls, but against the limit of all calls', async () => {
    const { bearer } = await harness.addCaller()
    upstream.respond = failWith(500)
    for (let calls = 0; calls < 3; calls++)
      expect((await harness.send({ bearer, body: CHAT })).status).toBe(500)
    upstream.respond = answerWith()
    expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    const { status, headers, error } = await harness.send({ bearer, body: CHAT })
    expect([status, error['code']]).toEqual([429, 'too_many_calls_in_window'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  })

  test('the limits have no effect with a window of zero minutes', async () => {
    await harness.setOption('ModelRequestRateLimitDurationMinutes', '0')
    const { bearer } = await harness.addCaller()
    for (let calls = 0; calls < 7; calls++)
      expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    await harness.setOption('ModelRequestRateLimitDurationMinutes', '1')
  })

  test('a stream that broke off does not count as a success', async () => {
    const { bearer } = await harness.addCaller()
    const collected = listenFor('hel')
    upstream.respond = async (response) => {
      const stream = new ChatStream(response).say('hel')
      await collected.seen
      stream.break()
    }
    const body = { ...CHAT, stream: true }
    expect((await harness.send({ bearer, body, onText: collected.onText })).status).toBe(200)
    await harness.quiet()
    upstream.respond = answerWith()
    for (let calls = 0; calls < 2; calls++)
      expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    const { status, error } = await harness.send({ bearer, body: CHAT })
    expect([status, error['code']]).toEqual([429, 'too_many_successes_in_window'])
  })

  test('the limits cover all tokens of a user, and errors are in the caller’s dialect and language', async () => {
    const { bearer, userId } = await harness.addCaller()
    const other = await harness.addToken(userId)
    for (const key of [bearer, other.bearer])
      expect((await harness.send({ bearer: key, body: CHAT })).status).toBe(200)
    const messages = { ...CHAT, max_tokens: 9 }
    const headers = { 'accept-language': 'zh-CN' }
    const refused = await harness.send({ path: '/v1/messages', bearer, headers, body: messages })
    expect(refused.status).toBe(429)
    expect(refused.json).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    expect(refused.error['message']).toContain('您已达到请求数限制：1分钟内最多请求2次')
    const contents = [{ parts: [{ text: 'hi' }] }]
    const path = '/v1beta/models/gpt-4o:generateContent'
    const google = await harness.send({ path, headers: { 'x-goog-api-key': bearer }, body: { contents } })
    expect(google.error).toMatchObject({ code: 429, status: 'RESOURCE_EXHAUSTED' })
  })

  test('Unlike new-api: the limits apply in the playground too', async () => {
    const userId = await harness.addUser()
    harness.signIn(userId)
    const path = '/pg/chat/completions'
    for (let calls = 0; calls < 2; calls++)
      expect((await harness.send({ path, body: CHAT })).status).toBe(200)
    expect((await harness.send({ path, body: CHAT })).status).toBe(429)
  })
})

describe('the limits of a token', () => {
  afterEach(() => harness.quiet())

  test('the parallel limit refuses the next call until one has ended', async () => {
    const { bearer, tokenId } = await harness.addCaller({ token: { max_parallel_requests: 1 } })
    const collected = listenFor('hel')
    const mayEnd = Promise.withResolvers<void>()
    upstream.respond = async (response) => {
      const stream = new ChatStream(response).say('hel')
      await mayEnd.promise
      stream.say('lo').finish().usage().done()
    }
    const open = harness.send({ bearer, body: { ...CHAT, stream: true }, onText: collected.onText })
    await collected.seen
    const { status, headers, error } = await harness.send({ bearer, body: CHAT })
    expect([status, error['code'], headers['retry-after']]).toEqual([429, 'token_parallel_reached', '1'])
    mayEnd.resolve()
    expect((await open).status).toBe(200)
    upstream.respond = answerWith()
    for (let calls = 0; calls < 3; calls++)
      expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    await harness.quiet()
    expect(await harness.ledger.balance(accountId('token', tokenId))).toMatchObject({ reserved: 0n })
  })

  test('a used-up budget refuses calls and says when its period ends', async () => {
    const { bearer, userId } = await harness.addCaller({
      token: { budget_quota: 3n, budget_period: 'month' },
    })
    const messages = { ...CHAT, max_tokens: 9 }
    const refused = await harness.send({ path: '/v1/messages', bearer, body: messages })
    expect(refused.status).toBe(429)
    expect(refused.json).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    expect(refused.error['message']).toMatch(/budget of this token is not enough: 3 of 3 left until 20\d\d-/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await harness.balance(userId)).toMatchObject({ used: 0n, reserved: 0n })
  })

  test('calls and tokens per minute are limited', async () => {
    const { bearer } = await harness.addCaller({ token: { rpm_limit: 1 } })
    expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    const { status, error } = await harness.send({ bearer, body: CHAT })
    expect([status, error['code']]).toEqual([429, 'token_rpm_reached'])
    const other = await harness.addCaller({ token: { tpm_limit: 500 } })
    const large = await harness.send({ bearer: other.bearer, body: { ...CHAT, max_tokens: 501 } })
    expect([large.status, large.error['code']]).toEqual([429, 'token_tpm_too_small'])
    expect(large.headers['retry-after']).toBeUndefined()
    const fitting = { bearer: other.bearer, body: { ...CHAT, max_tokens: 300 } }
    expect((await harness.send(fitting)).status).toBe(200)
    await harness.quiet()
    // The first call used far fewer tokens than its limit, and the rest was released.
    expect((await harness.send(fitting)).status).toBe(200)
  })
})
