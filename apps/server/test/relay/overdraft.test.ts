import { answeringServers } from '@tollgate/testkit/databases'
import { accountId } from '@tollgate/ledger/account'
import { afterEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT, type RelayAnswer, waitFor } from './send.ts'
import { answerWith, openScriptedUpstream, type Responder, type ScriptedUpstream } from './upstream.ts'

/** Many concurrent calls of one account that together may cost more than its balance. */

const QUOTA = 100_000n
const FACTOR = 2n
const AT_ONCE = 60
/** Output limit of gpt-4o; each token costs 5 units. */
const OUTPUT_TOKENS_MAX = 16_384

let harness: RelayHarness
let upstream: ScriptedUpstream
let dropDatabase = async (): Promise<void> => undefined

afterEach(async () => {
  expect((await harness.ledger.audit()).findings).toEqual([])
  await harness.close()
  await upstream.close()
  await dropDatabase()
})

async function open(respond: Responder, dsn?: string): Promise<void> {
  upstream = await openScriptedUpstream(respond)
  harness = await openRelayHarness(dsn === undefined ? {} : { dsn })
  await harness.addChannel(upstream.url, { models: 'gpt-4o,my-own-model,dall-e-3' })
}

/** Responds with the longest possible output once `letGo` resolves. */
function longAnswers(letGo: Promise<void>): Responder {
  return async (response, request) => {
    await letGo
    const asked = Number(request.body['max_tokens'] ?? OUTPUT_TOKENS_MAX)
    const usage = { prompt_tokens: 10, completion_tokens: Math.min(asked, OUTPUT_TOKENS_MAX) }
    await answerWith({ usage })(response, request)
  }
}

/**
 * Sends the calls concurrently. The upstream responds once every call has either reached it or been refused.
 */
async function allAtOnce(bearer: string, letGo: () => void): Promise<readonly RelayAnswer[]> {
  let answered = 0
  const sent = Array.from({ length: AT_ONCE }, async () => {
    const answer = await harness.send({ bearer, body: CHAT })
    answered++
    return answer
  })
  await waitFor(() => answered + upstream.received.length === AT_ONCE)
  letGo()
  return Promise.all(sent)
}

const codes = (answers: readonly RelayAnswer[]) =>
  new Set(answers.map(({ status, error }) => `${status} ${String(error['code'])}`))

async function netBalance(userId: number): Promise<bigint> {
  const { remaining = 0n, debt = 0n } = (await harness.balance(userId)) ?? {}
  return remaining - debt
}

const databases = [{ label: 'SQLite', createMigrated: undefined }, ...(await answeringServers())]

describe.each(databases)('$label', ({ createMigrated }) => {
  async function openOn(respond: Responder): Promise<void> {
    const database = await createMigrated?.()
    dropDatabase = database?.drop ?? (async () => undefined)
    await open(respond, database?.dsn)
  }

  test(`${AT_ONCE} concurrent complete responses cost an account that has paid no more than the overdraft rule allows`, async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await openOn(longAnswers(promise))
    const { userId, bearer } = await harness.addCaller({ quota: QUOTA })
    const answers = await allAtOnce(bearer, resolve)
    await harness.settled()
    const served = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(served.length).toBeGreaterThanOrEqual(1)
    expect(codes(refused)).toEqual(new Set(['429 too_many_calls_for_balance']))
    expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['5']))
    expect(upstream.received).toHaveLength(served.length)
    expect(await netBalance(userId)).toBeGreaterThanOrEqual(-(FACTOR - 1n) * QUOTA)
    expect((await harness.entries()).filter(({ waived }) => waived > 0n)).toEqual([])
  })

  test(`${AT_ONCE} concurrent complete responses cost an account that has never paid no more than its balance`, async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await openOn(longAnswers(promise))
    const { userId, bearer } = await harness.addCaller({ quota: QUOTA, isGift: true })
    const answers = await allAtOnce(bearer, resolve)
    await harness.settled()
    expect(codes(answers.filter(({ status }) => status !== 200))).toEqual(
      new Set(['429 too_many_calls_for_balance']),
    )
    expect(await netBalance(userId)).toBeGreaterThanOrEqual(0n)
    expect((await harness.entries()).filter(({ waived }) => waived > 0n)).toEqual([])
  })
})

/** A caller whose first call is still running and uses up everything that the overdraft rule allows. */
async function occupied(): Promise<{ bearer: string; end: () => Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await open(longAnswers(promise))
  const { bearer } = await harness.addCaller({ quota: 20_000n })
  const first = harness.send({ bearer, body: CHAT })
  await waitFor(() => upstream.received.length === 1)
  const end = async () => {
    resolve()
    expect((await first).status).toBe(200)
    await harness.settled()
  }
  return { bearer, end }
}

const REASON = 'Too many concurrent calls for this balance'

test('a caller of OpenAI’s API is refused with 429 and Retry-After', async () => {
  const { bearer, end } = await occupied()
  const answer = await harness.send({ bearer, body: CHAT })
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '5'])
  expect(answer.error).toMatchObject({
    code: 'too_many_calls_for_balance',
    message: expect.stringContaining(REASON),
  })
  expect(upstream.received).toHaveLength(1)
  await end()
})

test('a caller of Anthropic’s API is refused with a rate limit error and Retry-After', async () => {
  const { bearer, end } = await occupied()
  const body = { ...CHAT, max_tokens: 1_000 }
  const answer = await harness.send({ bearer, path: '/v1/messages', body })
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '5'])
  expect(answer.json).toMatchObject({ type: 'error' })
  expect(answer.error).toMatchObject({ message: expect.stringContaining(REASON) })
  await end()
})

test('a caller of Gemini’s API is refused with its own code and Retry-After', async () => {
  const { bearer, end } = await occupied()
  const body = { contents: [{ parts: [{ text: 'hi' }] }] }
  const answer = await harness.send({ bearer, path: '/v1beta/models/gpt-4o:generateContent', body })
  expect([answer.status, answer.headers['retry-after']]).toEqual([429, '5'])
  expect(answer.error).toMatchObject({ code: 429, message: expect.stringContaining(REASON) })
  await end()
})

test('image generation follows the same overdraft rule', async () => {
  const { bearer, end } = await occupied()
  await harness.setOption('ModelPrice', '{"dall-e-3":0.02}')
  const body = { model: 'dall-e-3', prompt: 'a cat' }
  const answer = await harness.send({ bearer, path: '/v1/images/generations', body })
  expect([answer.status, answer.error['code']]).toEqual([429, 'too_many_calls_for_balance'])
  await end()
})

test('a single call is never refused for its possible cost: its output limit is lowered to what the rule allows', async () => {
  await open(longAnswers(Promise.resolve()))
  for (const quota of [3_000n, 5_000n, 20_000n, 25_000n]) {
    const { userId, bearer } = await harness.addCaller({ quota })
    expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    await harness.quiet()
    expect(await netBalance(userId)).toBeGreaterThanOrEqual(-(FACTOR - 1n) * quota)
  }
  const limits = upstream.received.map(({ body }) => body['max_tokens'])
  expect(limits.map(Number)).toEqual(limits.map(Number).toSorted((left, right) => left - right))
  expect(limits.every((limit) => Number(limit) >= 1_000)).toBe(true)
  const { bearer } = await harness.addCaller()
  await harness.send({ bearer, body: CHAT })
  expect(upstream.received.at(-1)?.body).toEqual(CHAT)
})

test('consecutive calls never limit each other', async () => {
  await open(answerWith())
  const { bearer } = await harness.addCaller({ quota: 10_000n })
  for (let calls = 0; calls < 30; calls++)
    expect((await harness.send({ bearer, body: { ...CHAT, max_tokens: 500 } })).status).toBe(200)
})

test('an unknown model gets no output limit for an account that has paid, and 8,192 for one that never has', async () => {
  await open(answerWith())
  await harness.setOption('ModelRatio', '{"my-own-model":1}')
  const paid = await harness.addCaller({ quota: 100_000n })
  expect((await harness.send({ bearer: paid.bearer, body: { ...CHAT, model: 'my-own-model' } })).status).toBe(
    200,
  )
  const gift = await harness.addCaller({ quota: 100_000n, isGift: true })
  expect((await harness.send({ bearer: gift.bearer, body: { ...CHAT, model: 'my-own-model' } })).status).toBe(
    200,
  )
  expect(upstream.received.map(({ body }) => body['max_tokens'])).toEqual([undefined, 8_192])
})

test('the overdraft factor is a setting of the site', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await open(longAnswers(promise))
  await harness.setOption('billing_setting.overdraft_factor', '100')
  const { bearer } = await harness.addCaller({ quota: QUOTA })
  const sent = Array.from({ length: 10 }, () => harness.send({ bearer, body: CHAT }))
  await waitFor(() => upstream.received.length === 10)
  resolve()
  expect(codes(await Promise.all(sent))).toEqual(new Set(['200 undefined']))
})

test('operators count as paid, and so does everybody in self-use mode', async () => {
  await open(answerWith())
  const limitFor = async ({ bearer }: { bearer: string }) => {
    expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
    await harness.quiet()
    return Number(upstream.received.at(-1)?.body['max_tokens'])
  }
  const gift = await harness.addCaller({ quota: 20_000n, isGift: true })
  const operator = await harness.addCaller({ quota: 20_000n, isGift: true, user: { role: 10 } })
  // At 5 units a token: what the balance pays for, and what the rule allows beyond it.
  expect(await limitFor(gift)).toBeLessThan(4_000)
  expect(await limitFor(operator)).toBeGreaterThan(5_000)
  await harness.setOption('SelfUseModeEnabled', 'true')
  expect(await limitFor(await harness.addCaller({ quota: 20_000n, isGift: true }))).toBeGreaterThan(5_000)
})

test('an account counts as paid from its first payment on', async () => {
  await open(answerWith())
  const { userId, bearer } = await harness.addCaller({ quota: 20_000n, isGift: true })
  await harness.send({ bearer, body: CHAT })
  await harness.ledger.credit({ key: 'redeem:1', account: accountId('user', userId), amount: 1n })
  await harness.notices.publish({ entity: 'user', id: userId })
  await harness.send({ bearer, body: CHAT })
  const [before, after] = upstream.received.map(({ body }) => Number(body['max_tokens']))
  expect(before).toBeLessThan(4_000)
  expect(after).toBeGreaterThan(5_000)
})
