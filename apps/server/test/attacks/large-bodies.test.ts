import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { messageWith } from '../relay/messages-upstream.ts'
import { CHAT, waitFor } from '../relay/send.ts'
import { answerWith, openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'
import { reportAttacks } from './index.ts'

const KIB = 1024
const MIB = 1024 * KIB
const CLAUDE = 'claude-haiku-4-5-20251001'
const picture = (bytes: number) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(bytes)]).toString('base64')
/** An image costs the same whatever the size of its file, because it is priced by its pixels. */
const withPicture = (base64: string, model: string = CHAT.model) => ({
  model,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this? 这是什么' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
      ],
    },
  ],
})
const withText = (text: string, model: string = CHAT.model) => ({
  model,
  messages: [{ role: 'user', content: text }],
})

let harness: RelayHarness
let upstream: ScriptedUpstream
let count = 0

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url)
  await harness.addChannel(upstream.url, { type: 14, models: CLAUDE })
  await harness.setOption('ModelRatio', JSON.stringify({ 'gpt-4o': 1.25, [CLAUDE]: 0.5, gratis: 0 }))
  await harness.addChannel(upstream.url, { models: 'gratis' })
})
afterEach(async () => {
  count++
  await harness.quiet()
  await waitFor(() => harness.relay.bodyBytes === 0)
  upstream.respond = answerWith()
  const bugs = harness.said.filter(({ level }) => level === 'error')
  expect({ holds: await harness.openHolds(), bugs }).toEqual({ holds: 0, bugs: [] })
})
afterAll(async () => {
  reportAttacks({ kind: 'large bodies', count })
  await harness.close()
  await upstream.close()
})

describe('a large body', () => {
  test('a large body goes to an upstream of its own dialect byte for byte', async () => {
    const { bearer } = await harness.addCaller({ quota: 1_000_000_000n })
    const body = `${JSON.stringify({ ...withPicture(picture(3 * MIB)), n: 1 }).slice(0, -1)},  "seed": 1.0 }`
    expect((await harness.send({ bearer, body })).status).toBe(200)
    expect(upstream.received.at(-1)?.text === body).toBe(true)
  })

  test('a large body is converted for an upstream of another dialect', async () => {
    upstream.respond = messageWith()
    const { bearer } = await harness.addCaller({ quota: 1_000_000_000n })
    const data = picture(3 * MIB)
    expect((await harness.send({ bearer, body: withPicture(data, CLAUDE) })).status).toBe(200)
    const sent = JSON.stringify(upstream.received.at(-1)?.body['messages'])
    expect(sent.includes(data)).toBe(true)
    expect(sent.includes('这是什么')).toBe(true)
  })

  test('a body with many values is also read by a worker thread', async () => {
    const { bearer } = await harness.addCaller()
    const body = { ...CHAT, metadata: { list: Array.from({ length: 100_000 }, () => ({})) } }
    expect((await harness.send({ bearer, body })).status).toBe(200)
    expect(upstream.received.at(-1)?.body).toEqual(body)
  })

  test.each([100 * KIB, 3 * MIB])(
    'a body of %d bytes is retried unchanged on the next channel',
    async (bytes) => {
      await harness.setOption('RetryTimes', '2')
      await harness.addChannel(upstream.url, { models: 'gpt-4o', priority: 5 })
      upstream.respond = (response, asked) => {
        upstream.respond = answerWith()
        response.writeHead(503).end(`{"error":{"message":"busy ${asked.bytes.length}"}}`)
      }
      const { bearer } = await harness.addCaller({ quota: 1_000_000_000n })
      const body = withPicture(picture(bytes))
      const before = upstream.received.length
      expect((await harness.send({ bearer, body })).status).toBe(200)
      const [first, second] = upstream.received.slice(before)
      expect(first?.text === second?.text).toBe(true)
      expect(second?.text === JSON.stringify(body)).toBe(true)
      await harness.setOption('RetryTimes', '0')
    },
  )

  test.each<[string, unknown, string]>([
    ['too many values', { ...CHAT, x: Array(900_000).fill(0) }, 'body_too_many_values'],
    ['too deep', `{"x":"${'a'.repeat(2 * MIB)}","y":${'['.repeat(99)}`, 'body_too_deep'],
    ['no JSON', `{"x":"${'a'.repeat(2 * MIB)}`, 'unmarshal_request_failed'],
    ['an odd member', { ...withText('a'.repeat(2 * MIB)), MAX_tokens: 5 }, 'member_misspelled'],
    ['a bad member', { ...withText('a'.repeat(2 * MIB)), n: -1 }, 'member_out_of_range'],
  ])('a large body with a fault is refused as a small one is: %s', async (_name, body, code) => {
    const { bearer } = await harness.addCaller({ quota: 1_000_000_000n })
    const asked = upstream.received.length
    expect((await harness.send({ bearer, body })).error).toMatchObject({ code })
    expect(upstream.received).toHaveLength(asked)
  })

  test('a large body is checked for sensitive words by a worker thread', async () => {
    await harness.setOption('CheckSensitiveEnabled', 'true')
    await harness.setOption('CheckSensitiveOnPromptEnabled', 'true')
    await harness.setOption('SensitiveWords', 'regex:se+cret\nforbidden')
    const { bearer } = await harness.addCaller({ quota: 1_000_000_000n })
    for (const length of [100, 20_000, 3 * MIB])
      for (const word of ['seeecret', 'FORBIDDEN']) {
        const answer = await harness.send({ bearer, body: withText(`${'a '.repeat(length / 2)}${word}`) })
        expect(answer.error).toMatchObject({ code: 'sensitive_words_detected' })
      }
    expect((await harness.send({ bearer, body: withText('a '.repeat(20_000)) })).status).toBe(200)
    await harness.setOption('CheckSensitiveEnabled', 'false')
  })

  test('the tokens of a large body are counted for a count-tokens request', async () => {
    const { bearer } = await harness.addCaller({ quota: 1_000_000_000n })
    const body = withText('word '.repeat(400_000), CLAUDE)
    const { json } = await harness.send({ path: '/v1/messages/count_tokens', bearer, body })
    expect(json['input_tokens']).toBeGreaterThan(300_000)
  })
})

describe('an account without a balance', () => {
  test('a large body of an account without a balance is refused before it is read', async () => {
    const { bearer } = await harness.addCaller({ quota: 0n })
    const answer = await harness.send({ bearer, body: withText('a'.repeat(3 * MIB)) })
    expect([answer.status, answer.error]).toMatchObject([403, { code: 'insufficient_user_quota' }])
  })

  test('an account without a balance can call free models with large bodies', async () => {
    const { bearer } = await harness.addCaller({ quota: 0n })
    const body = withText('a'.repeat(3 * MIB), 'gratis')
    expect((await harness.send({ bearer, body })).status).toBe(200)
    const late = { messages: [{ role: 'user', content: 'a'.repeat(500_000) }], model: 'gratis' }
    expect((await harness.send({ bearer, body: late })).status).toBe(200)
    const tooLate = { messages: [{ role: 'user', content: 'a'.repeat(2 * MIB) }], model: 'gratis' }
    expect((await harness.send({ bearer, body: tooLate })).status).toBe(403)
  })

  test('a token without quota is limited in the same way', async () => {
    const { bearer } = await harness.addCaller({ quota: 1_000_000_000n, tokenQuota: 0n })
    const answer = await harness.send({ bearer, body: withText('a'.repeat(3 * MIB)) })
    expect(answer.status).toBe(403)
  })

  test('a large text that costs more than the remaining cents is refused before it is parsed', async () => {
    const { bearer } = await harness.addCaller({ quota: 5_000n })
    const text = withText('word '.repeat(1_000_000))
    const needed = async (body: object) => {
      const { error } = await harness.send({ bearer, body })
      expect(error).toMatchObject({ code: 'insufficient_user_quota' })
      return /(\d+) needed/.exec(String(error?.['message']))?.[1]
    }
    // The refused amount covers the input alone; a hold made after parsing would include the output.
    const price = await needed(text)
    expect(price).toBeDefined()
    expect(await needed({ ...text, max_tokens: 100_000 })).toBe(price)
  })
})

/** Sends the beginning of a body and keeps the connection open. */
function holdOn(bearer: string, start: Buffer, headers: Record<string, string> = {}) {
  const request = httpRequest({
    host: '127.0.0.1',
    port: harness.port,
    method: 'POST',
    path: '/v1/messages',
    headers: { authorization: `Bearer ${bearer}`, 'transfer-encoding': 'chunked', ...headers },
  })
  const answered = new Promise<{ status: number; retryAfter: string | undefined; text: string }>(
    (resolve) => {
      request.on('error', () => resolve({ status: 0, retryAfter: undefined, text: '' }))
      request.on('response', (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text }),
        )
      })
    },
  )
  request.write(start)
  return { request, answered }
}

describe('the budget for request bodies', () => {
  const half = Buffer.from(`{"model":"${CLAUDE}","x":"${'a'.repeat(20 * MIB)}`)

  test('unfinished bodies count against their user until the sender disconnects', async () => {
    const { bearer } = await harness.addCaller()
    const first = holdOn(bearer, half)
    const second = holdOn(bearer, half)
    const third = holdOn(bearer, half)
    await waitFor(() => harness.relay.bodyBytes >= 3 * half.length)
    const refused = await holdOn(bearer, half).answered
    expect(refused).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) })
    // The error has the form of the caller's dialect.
    expect(JSON.parse(refused.text)).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
    for (const { request } of [first, second, third]) request.destroy()
    await waitFor(() => harness.relay.bodyBytes === 0)
  })

  test('the process has a budget too, and small bodies still fit when large ones are refused', async () => {
    const callers = await Promise.all(Array.from({ length: 10 }, () => harness.addCaller()))
    const held = callers.map(({ bearer }) => holdOn(bearer, half))
    const refused = await Promise.race(held.map(({ answered }) => answered))
    expect(refused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    expect(harness.relay.bodyBytes).toBeLessThanOrEqual(192 * MIB)
    const [{ bearer } = { bearer: '' }] = callers
    expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    for (const { request } of held) request.destroy()
    await waitFor(() => harness.relay.bodyBytes === 0)
  })

  test('accounts with only cents get one large body at a time, and together half of the budget', async () => {
    const callers = await Promise.all(Array.from({ length: 9 }, () => harness.addCaller({ quota: 5_000n })))
    const [first = { bearer: '' }] = callers
    const held = [holdOn(first.bearer, half)]
    await waitFor(() => harness.relay.bodyBytes >= half.length)
    expect((await holdOn(first.bearer, half).answered).status).toBe(429)
    held.push(...callers.slice(1).map(({ bearer }) => holdOn(bearer, half)))
    const refused = await Promise.race(held.map(({ answered }) => answered))
    expect(refused.status).toBe(503)
    expect(harness.relay.bodyBytes).toBeLessThanOrEqual(128 * MIB)
    const { bearer } = await harness.addCaller()
    const ample = holdOn(bearer, half)
    await waitFor(() => harness.relay.bodyBytes > 128 * MIB)
    for (const { request } of [...held, ample]) request.destroy()
    await waitFor(() => harness.relay.bodyBytes === 0)
  })

  test('25 unfinished compressed bodies of an account without a balance are refused and hold no memory', async () => {
    const { bearer } = await harness.addCaller({ quota: 0n })
    const packed = gzipSync(half)
    const held = Array.from({ length: 25 }, () => holdOn(bearer, packed, { 'content-encoding': 'gzip' }))
    const statuses = await Promise.all(held.map(async ({ answered }) => (await answered).status))
    expect(new Set(statuses)).toEqual(new Set([402]))
    expect(harness.relay.bodyBytes).toBe(0)
  })

  test('many small unfinished bodies of an account without a balance leave room for other callers', async () => {
    const { bearer } = await harness.addCaller({ quota: 0n })
    const small = Buffer.from(`{"model":"${CLAUDE}","x":"${'a'.repeat(60 * KIB)}`)
    const held = Array.from({ length: 120 }, () => holdOn(bearer, small))
    const refused = await Promise.race(held.map(({ answered }) => answered))
    expect([403, 429]).toContain(refused.status)
    const others = await Promise.all(held.slice(100).map(({ answered }) => answered))
    expect(others.every(({ status }) => status === 403 || status === 429)).toBe(true)
    expect(harness.relay.bodyBytes).toBeLessThanOrEqual(5 * MIB)
    for (const { request } of held) request.destroy()
    await waitFor(() => harness.relay.bodyBytes === 0)
  })

  test('a finished call releases its share of the budget', async () => {
    const { bearer } = await harness.addCaller({ quota: 1_000_000_000n })
    upstream.respond = async (response) => {
      await waitFor(() => harness.relay.bodyBytes > MIB)
      return answerWith()(response, { path: '', headers: {}, text: '', bytes: Buffer.alloc(0), body: {} })
    }
    expect((await harness.send({ bearer, body: withPicture(picture(2 * MIB)) })).status).toBe(200)
    await waitFor(() => harness.relay.bodyBytes === 0)
  })
})
