import { ManualClock } from '@tollgate/kit/clock'
import { afterEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import type { RelayHarnessOptions } from './relay-harness-options.ts'
import { CHAT, framesOf, listenFor, waitFor } from './send.ts'
import {
  answerWith,
  ChatStream,
  failWith,
  openScriptedUpstream,
  streamWith,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'

/**
 * What is charged for each outcome of a call, streamed or not. gpt-4o costs 1.25 units an input token and 5
 * an output token, so the usual usage of 10 and 5 tokens costs 38 after rounding.
 */

const PRICE = 38n
const STREAM = { ...CHAT, stream: true }

let harness: RelayHarness
let upstream: ScriptedUpstream
let userId: number
let bearer: string

async function open(
  respond: Responder,
  options: RelayHarnessOptions & { quota?: bigint } = {},
): Promise<void> {
  harness = await openRelayHarness(options)
  upstream = await openScriptedUpstream(respond)
  await harness.addChannel(upstream.url)
  ;({ userId, bearer } = await harness.addCaller(options.quota === undefined ? {} : { quota: options.quota }))
}

afterEach(async () => {
  await harness.quiet()
  const { findings } = await harness.ledger.audit()
  const holds = await harness.openHolds()
  const bugs = harness.said.filter(({ level }) => level === 'error')
  await harness.close()
  await upstream.close()
  expect({ findings, holds, bugs }).toEqual({ findings: [], holds: 0, bugs: [] })
})

/** Charge, flags and log type of the one call, from ledger and log. */
async function charged() {
  await harness.quiet()
  const entries = await harness.entries()
  const logs = await harness.logs()
  expect(entries.length).toBeLessThanOrEqual(1)
  expect(logs).toHaveLength(1)
  return {
    units: entries[0]?.amount ?? 0n,
    flags: entries[0]?.flags ?? '',
    type: logs[0]?.type,
    quota: logs[0]?.quota,
  }
}

const free = { units: 0n, flags: '', type: 8, quota: 0n }
const full = { units: PRICE, flags: '', type: 2, quota: PRICE }

test('a refused call contacts no upstream, costs nothing and writes an error row', async () => {
  await open(answerWith(), { quota: 0n })
  const answer = await harness.send({ bearer, body: CHAT })
  expect([answer.status, answer.error]).toMatchObject([403, { code: 'insufficient_user_quota' }])
  expect(upstream.received).toHaveLength(0)
  await harness.settled()
  expect(await charged()).toEqual(free)
})

test.each([CHAT, STREAM])('a call whose every attempt failed costs nothing', async (body) => {
  await open(failWith(503))
  expect((await harness.send({ bearer, body })).status).toBe(503)
  expect(await charged()).toEqual(free)
})

test('a complete response costs its price', async () => {
  await open(answerWith())
  expect((await harness.send({ bearer, body: CHAT })).json['choices']).toHaveLength(1)
  expect(await charged()).toEqual(full)
  expect((await harness.balance(userId))?.used).toBe(PRICE)
})

test('a complete stream costs its price', async () => {
  await open(streamWith())
  const { text } = await harness.send({ bearer, body: STREAM })
  expect(framesOf(text).at(-1)).toBe('[DONE]')
  expect(await charged()).toEqual(full)
})

test.each([
  ['whole', CHAT, answerWith({ content: 'one two three four five six seven', usage: null })],
  ['streamed', STREAM, streamWith(['one two three', ' four five six seven'], null)],
])(
  'a complete response without usage, %s, is charged by the local count and flagged as estimated',
  async (_name, body, respond) => {
    await open(respond)
    await harness.send({ bearer, body })
    const { units, flags, type } = await charged()
    expect([flags, type]).toEqual(['estimated', 2])
    expect(units).toBeGreaterThan(10n)
    expect(units).toBeLessThan(200n)
  },
)

const contradicting = {
  prompt_tokens: 1_000,
  completion_tokens: 5_000,
  prompt_tokens_details: { cached_tokens: 2_000 },
  completion_tokens_details: { reasoning_tokens: 4_990 },
}

test.each([
  ['whole', CHAT, answerWith({ usage: contradicting })],
  ['streamed', STREAM, streamWith(['hello'], contradicting)],
])(
  'a report with more cached than input tokens, %s, is charged with its hidden reasoning and marked',
  async (_name, body, respond) => {
    await open(respond)
    await harness.send({ bearer, body: { ...body, max_tokens: 6_000 } })
    const { units, flags } = await charged()
    // 5,000 x 5 for the output, 2,000 x 0.625 for the cached input, which is nearer to the few tokens counted.
    expect({ units, flags }).toMatchObject({ flags: expect.stringContaining('usage_mended') })
    expect(units).toBeGreaterThanOrEqual(25_000n)
  },
)

const insane = { prompt_tokens: 10_000_000, completion_tokens: 5 }
const negative = { prompt_tokens: -10, completion_tokens: 5 }

test.each([
  ['whole', CHAT, answerWith({ usage: insane })],
  ['streamed', STREAM, streamWith(['hello'], insane)],
  ['whole and negative', CHAT, answerWith({ usage: negative })],
])(
  'a complete response with an implausible usage, %s, is charged by an estimate',
  async (_name, body, respond) => {
    await open(respond)
    await harness.send({ bearer, body })
    const { units, flags } = await charged()
    expect(flags).toBe('estimated')
    expect(units).toBeLessThan(200n)
    expect(units).toBeGreaterThan(0n)
  },
)

const halfValid = { prompt_tokens: -1, completion_tokens: 5_000, mystery_tokens: 7 }

test.each([
  ['whole', CHAT, answerWith({ usage: halfValid })],
  ['streamed', STREAM, streamWith(['hello'], halfValid)],
])(
  'a report of which one member is no count, %s, is charged by its other members',
  async (_name, body, respond) => {
    await open(respond)
    await harness.send({ bearer, body: { ...body, max_tokens: 6_000 } })
    const { units, flags } = await charged()
    expect(flags).toBe('estimated')
    expect(units).toBeGreaterThan(25_000n)
    expect(units).toBeLessThan(25_100n)
    const [log] = await harness.logs()
    expect(JSON.parse(log?.other ?? '{}')).toMatchObject({
      admin_info: { unknown_usage: ['mystery_tokens'] },
    })
  },
)

test('a stream that the upstream breaks after output ends with an error and is charged for input and output so far', async () => {
  await open(async (response) => {
    const stream = new ChatStream(response).say('hello there')
    await new Promise((resolve) => setTimeout(resolve, 20))
    stream.break()
  })
  const { text, status } = await harness.send({ bearer, body: STREAM })
  expect(status).toBe(200)
  expect(framesOf(text).at(-1)).toContain('"stream_broken"')
  expect(framesOf(text)).not.toContain('[DONE]')
  const { units, flags, type } = await charged()
  expect([flags, type]).toEqual(['partial', 2])
  expect(units).toBeGreaterThan(0n)
})

test('a response that breaks off before it is complete reaches the caller as an error and costs nothing', async () => {
  await open((response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
    response.write('{"choices":[{"message":')
    setTimeout(() => response.destroy(), 10)
  })
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(500)
  expect(await charged()).toEqual(free)
})

test('a stream that breaks off after only a role is an error and costs nothing', async () => {
  await open(async (response) => {
    const stream = new ChatStream(response).frame({ choices: [{ index: 0, delta: { role: 'assistant' } }] })
    await new Promise((resolve) => setTimeout(resolve, 20))
    stream.break()
  })
  expect((await harness.send({ bearer, body: STREAM })).status).toBe(500)
  expect(await charged()).toEqual(free)
})

test('a stream that the caller left but the gateway read to its end costs its price', async () => {
  await open(async (response) => {
    const stream = new ChatStream(response).say('hello')
    await waitFor(() => isLeft)
    stream.say(' there').finish().usage().done()
  })
  let isLeft = false
  await harness.send({ bearer, body: STREAM, leaveWhen: (text) => text.includes('hello') })
  await harness.noticed()
  isLeft = true
  expect(await charged()).toEqual({ ...full, flags: 'client_gone' })
})

test('a response that the caller did not wait for is awaited and charged', async () => {
  await open(async (response, request) => {
    await waitFor(() => isLeft)
    await answerWith()(response, request)
  })
  let isLeft = false
  await harness.send({ bearer, body: CHAT, leaveOnce: waitFor(() => upstream.received.length === 1) })
  await harness.noticed()
  isLeft = true
  expect(await charged()).toEqual({ ...full, flags: 'client_gone' })
})

test('a stream that the caller left goes on until the upstream is silent for too long, and is charged as counted so far', async () => {
  const clock = new ManualClock()
  let isCancelled = false
  await open(
    (response) => {
      new ChatStream(response).say('hello there my friend')
      response.on('close', () => (isCancelled = true))
    },
    { clock },
  )
  await harness.send({ bearer, body: STREAM, leaveWhen: (text) => text.includes('friend') })
  await harness.noticed()
  clock.advance(299_999)
  harness.relay.tick()
  expect(harness.relay.inFlight).toBe(1)
  clock.advance(2)
  harness.relay.tick()
  const { units, flags } = await charged()
  expect(flags.split(',').sort()).toEqual(['client_gone', 'partial'])
  expect(units).toBeGreaterThan(0n)
  await waitFor(() => isCancelled)
})

test('a stream that the caller left and that never began costs nothing', async () => {
  const clock = new ManualClock()
  await open(() => undefined, { clock })
  await harness.send({ bearer, body: STREAM, leaveOnce: waitFor(() => upstream.received.length === 1) })
  await harness.noticed()
  clock.advance(600_000)
  harness.relay.tick()
  expect(await charged()).toEqual(free)
})

test.each([CHAT, STREAM])(
  'a call without a first byte in time ends with an error and costs nothing',
  async (body) => {
    const clock = new ManualClock()
    await open(() => undefined, { clock, limits: { firstByteMs: 5_000 } })
    const sent = harness.send({ bearer, body })
    await waitFor(() => upstream.received.length === 1)
    clock.advance(5_000)
    harness.relay.tick()
    const answer = await sent
    expect([answer.status, answer.error]).toMatchObject([504, { code: 'first_byte_timeout' }])
    expect(await charged()).toEqual(free)
  },
)

test('an idle stream is ended and charged so far', async () => {
  const clock = new ManualClock()
  await open((response) => void new ChatStream(response).say('hello there'), { clock })
  const { seen, onText } = listenFor('there')
  const sent = harness.send({ bearer, body: STREAM, onText })
  await seen
  clock.advance(300_000)
  harness.relay.tick()
  const { text } = await sent
  expect(framesOf(text).at(-1)).toContain('"stream_idle"')
  const { units, flags } = await charged()
  expect(flags).toBe('partial')
  expect(units).toBeGreaterThan(0n)
})

/** Streams more than any balance in these tests pays for, in events of about ten tokens. */
function chatter(frames: number): Responder {
  return async (response) => {
    const stream = new ChatStream(response)
    for (let i = 0; i < frames && !response.destroyed; i++) {
      stream.say(`word number ${i} of a long and winding tale `)
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 4))
    }
    if (!response.destroyed) stream.finish().done()
  }
}

test('metered mode: a stream ends with finish reason length when the balance is used up, and leaves no debt', async () => {
  await open(chatter(2_000), { quota: 4_000n })
  const { text } = await harness.send({ bearer, body: STREAM })
  const frames = framesOf(text)
  expect(frames.at(-1)).toBe('[DONE]')
  expect(frames.at(-2)).toContain('"finish_reason":"length"')
  const { units, flags } = await charged()
  expect(flags).toBe('cut')
  expect(units).toBeGreaterThan(2_000n)
  const balance = await harness.balance(userId)
  expect((balance?.remaining ?? 0n) - (balance?.debt ?? 0n)).toBe(4_000n - units)
})

test('lenient mode: the stream continues, and the part beyond the balance becomes a debt', async () => {
  await open(chatter(150), { quota: 4_000n })
  await harness.setOption('billing_setting.hold_mode', 'lenient')
  await harness.setOption('billing_setting.overdraft_factor', '20')
  const { text } = await harness.send({ bearer, body: STREAM })
  expect(framesOf(text).at(-1)).toBe('[DONE]')
  expect(text).toContain('number 149')
  const { units } = await charged()
  expect(units).toBeGreaterThan(4_000n)
  expect((await harness.balance(userId))?.debt).toBe(units - 4_000n)
})

test('strict mode: a call that the balance might not pay in full is refused', async () => {
  await open(answerWith(), { quota: 4_000n })
  await harness.setOption('billing_setting.hold_mode', 'strict')
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(403)
  expect((await harness.send({ bearer, body: { ...CHAT, max_tokens: 100 } })).status).toBe(200)
  await harness.settled()
  expect(await harness.entries()).toHaveLength(1)
})

test('strict mode with strict_fits: the output limit is lowered to the balance, and a call whose input alone is too expensive is refused', async () => {
  await open(answerWith(), { quota: 4_000n })
  await harness.setOption('billing_setting.hold_mode', 'strict')
  await harness.setOption('billing_setting.strict_fits', 'true')
  const body =
    '{"model":"gpt-4o", "messages":[{"role":"user","content":"hi"}], "max_completion_tokens":9000 }'
  expect((await harness.send({ bearer, body })).status).toBe(200)
  expect((await harness.send({ bearer, body: CHAT })).status).toBe(200)
  await harness.quiet()
  const limits = upstream.received.map(({ body: sent }) => [
    sent['max_completion_tokens'],
    sent['max_tokens'],
  ])
  // 5 units an output token, after the price of the input.
  expect(limits).toEqual([
    [expect.any(Number), undefined],
    [undefined, expect.any(Number)],
  ])
  expect(limits[0]?.[0]).toBeGreaterThan(600)
  expect(limits[0]?.[0]).toBeLessThan(800)
  expect(upstream.received[0]?.text).toContain('"gpt-4o", "messages"')
  expect(await harness.entries()).toHaveLength(2)
  const dear = { ...CHAT, messages: [{ role: 'user', content: 'word '.repeat(4_000) }] }
  expect((await harness.send({ bearer, body: dear })).error).toMatchObject({
    code: 'insufficient_user_quota',
  })
  expect((await harness.balance(userId))?.debt).toBe(0n)
})

test('a price per call is charged once, whatever the usage', async () => {
  await open(answerWith({ usage: { prompt_tokens: 900, completion_tokens: 800 } }))
  await harness.setOption('ModelPrice', '{"gpt-4o":0.01}')
  await harness.send({ bearer, body: CHAT })
  expect(await charged()).toEqual({ units: 5_000n, flags: '', type: 2, quota: 5_000n })
})

test('a call in a free group has a zero hold and still gets a ledger entry', async () => {
  await open(answerWith(), { quota: 0n })
  await harness.setOption('GroupRatio', '{"default":0}')
  await harness.send({ bearer, body: CHAT })
  expect(await charged()).toEqual({ units: 0n, flags: '', type: 2, quota: 0n })
  expect(await harness.entries()).toHaveLength(1)
})

test('the ledger entry is written even with the consumption log switched off', async () => {
  await open(answerWith())
  await harness.setOption('LogConsumeEnabled', 'false')
  await harness.send({ bearer, body: CHAT })
  await harness.quiet()
  expect(await harness.logs()).toHaveLength(0)
  expect((await harness.entries())[0]?.amount).toBe(PRICE)
})
