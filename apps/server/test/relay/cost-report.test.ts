import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { currencyText } from '@tollgate/billing/currency'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '@tollgate/kit/clock'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT, framesOf, listenFor, type RelayAnswer } from './send.ts'
import { conversationCases, type ConversationCase } from './settled-first-cases.ts'
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

/** Answers report what a call cost its caller, and never what the vendor charged. */

const OPTION = 'billing_setting.report_cost'
const STREAM = { ...CHAT, stream: true, stream_options: { include_usage: true } }
/** What OpenRouter reports to its own customers. */
const VENDOR_COST = { cost: 0.123, cost_details: { upstream_inference_cost: 0.1 }, is_byok: false }
const VENDOR_USAGE = { ...USAGE, ...VENDOR_COST }

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
const clock = new ManualClock()

const groupOf = ({ name }: ConversationCase) => `of ${name}`

/** Each case has a group, so that its calls go to its own channel. */
beforeAll(async () => {
  harness = await openRelayHarness({ clock })
  upstream = await openScriptedUpstream()
  const ratios = Object.fromEntries(conversationCases.map((each) => [groupOf(each), 1.7]))
  await harness.setOption('GroupRatio', JSON.stringify({ default: 1, ...ratios }))
  await harness.setOption('ModelPrice', JSON.stringify({ 'dall-e-2': 0.02 }))
  await harness.addChannel(upstream.url, { type: 42, models: 'gpt-4o,text-embedding-3-small' })
  await harness.addChannel(upstream.url, { models: 'dall-e-2' })
  for (const each of conversationCases)
    await harness.addChannel(upstream.url, { ...each.channel, group_names: groupOf(each) })
})

afterAll(async () => {
  await harness.quiet()
  expect((await harness.ledger.audit()).findings).toEqual([])
  await harness.close()
  await upstream.close()
})

beforeEach(async () => {
  ;({ bearer } = await harness.addCaller({ quota: 1_000_000_000n }))
  await harness.setOption(OPTION, 'usage')
})

/** The charge of the last call in the ledger, as callers read it. */
async function lastCharge(): Promise<string> {
  await harness.quiet()
  const entry = (await harness.entries()).at(-1)
  return currencyText(entry?.amount ?? 0n, '500000')
}

type Json = Readonly<Record<string, unknown>>

function recordOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The usage object of a body, an event, or the response in an event. */
function usageOf(json: Json): Json {
  return recordOf(json['usage'] ?? recordOf(json['response'])['usage'])
}

function jsonFrames({ text }: Pick<RelayAnswer, 'text'>): Json[] {
  return framesOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => recordOf(JSON.parse(data)))
}

/** The usage objects of all frames that report a cost. */
function costsIn(answer: Pick<RelayAnswer, 'text'>): Json[] {
  return jsonFrames(answer)
    .map(usageOf)
    .filter((usage) => usage['cost'] !== undefined)
}

describe.each(conversationCases)('$name', (each: ConversationCase) => {
  const isGemini = each.name.startsWith('gemini')
  const callIn = async (isStream: boolean) => {
    const caller = await harness.addCaller({ quota: 1_000_000_000n, user: { group_name: groupOf(each) } })
    return harness.send(each.send(isStream, caller.bearer))
  }

  test('a whole response has the cost in its head and in its usage', async () => {
    upstream.respond = (response) => sendJson(response, 200, each.whole)
    const answer = await callIn(false)
    const charge = await lastCharge()
    expect(answer.headers['x-tollgate-cost']).toBe(charge)
    if (isGemini) return expect(answer.text).not.toContain('cost')
    expect(answer.text).toContain(`"cost":${charge},`)
    const [ofVendor, ...parts] = Object.values(recordOf(usageOf(answer.json)['cost_details']))
    expect([ofVendor, parts.length]).toEqual([null, 2])
    expect(parts.reduce<number>((sum, part) => sum + Number(part), 0)).toBeCloseTo(Number(charge), 12)
  })

  test('a stream has the cost in its last usage, and no other byte changes', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end([...each.text, ...each.end].join(''))
    }
    const answer = await callIn(true)
    const charge = await lastCharge()
    expect(costsIn(answer).map(({ cost }) => cost)).toEqual(isGemini ? [] : [Number(charge)])
    if (!each.isSame) return
    const bare = answer.text.replace(/,"cost":.*?"is_byok":false/, '')
    expect(bare).toBe([...each.text, ...each.end].join(''))
  })
})

const withCost = (text: string) => text.replaceAll(/"usage":\{/g, '"usage":{"cost":0.123,')

describe("a vendor's own cost", () => {
  const respond = { whole: answerWith({ usage: VENDOR_USAGE }), stream: streamWith(['hello'], VENDOR_USAGE) }

  test.each(['off', 'header'])('reaches no caller while the site reports the cost: %s', async (mode) => {
    await harness.setOption(OPTION, mode)
    upstream.respond = respond.whole
    const whole = await harness.send({ bearer, body: CHAT })
    expect(whole.json['usage']).toEqual(USAGE)
    const charge = await lastCharge()
    expect(whole.headers['x-tollgate-cost']).toBe(mode === 'off' ? undefined : charge)
    upstream.respond = respond.stream
    const { text } = await harness.send({ bearer, body: STREAM })
    expect(text).toContain('"completion_tokens":5')
    expect(text).not.toContain('cost')
  })

  test('is replaced by what the call costs here', async () => {
    upstream.respond = respond.whole
    const whole = await harness.send({ bearer, body: CHAT })
    const charge = Number(await lastCharge())
    expect(usageOf(whole.json)).toMatchObject({ ...USAGE, cost: charge, is_byok: false })
    upstream.respond = respond.stream
    expect(costsIn(await harness.send({ bearer, body: STREAM }))).toMatchObject([{ cost: charge }])
  })

  test('is removed from messages and responses too', async () => {
    await harness.setOption(OPTION, 'off')
    for (const each of conversationCases.filter(({ isSame }) => isSame)) {
      const caller = await harness.addCaller({ user: { group_name: groupOf(each) } })
      upstream.respond = (response) => void response.end(withCost(JSON.stringify(each.whole)))
      expect((await harness.send(each.send(false, caller.bearer))).text).toBe(JSON.stringify(each.whole))
      upstream.respond = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(withCost([...each.text, ...each.end].join('')))
      }
      const { text } = await harness.send(each.send(true, caller.bearer))
      expect(text).toBe([...each.text, ...each.end].join(''))
    }
  })
})

test('gateways in a row report the charge of the outer one, once', async () => {
  const outer = await openRelayHarness()
  await outer.addChannel(harness.url, { key: bearer })
  await outer.setOption('GroupRatio', JSON.stringify({ default: 3 }))
  const caller = await outer.addCaller()
  for (const mode of ['off', 'usage']) {
    await outer.setOption(OPTION, mode)
    upstream.respond = answerWith()
    const whole = await outer.send({ bearer: caller.bearer, body: CHAT })
    upstream.respond = streamWith()
    const stream = await outer.send({ bearer: caller.bearer, body: STREAM })
    const inner = Number(await lastCharge())
    await outer.quiet()
    const [entry] = await outer.entries()
    const own = Number(entry?.amount) / 500_000
    expect(own).toBeGreaterThan(inner)
    const reported = [usageOf(whole.json)['cost'], whole.headers['x-tollgate-cost']]
    expect(reported).toEqual(mode === 'off' ? [undefined, undefined] : [own, String(own)])
    expect(costsIn(stream).map(({ cost }) => cost)).toEqual(mode === 'off' ? [] : [own])
  }
  await outer.close()
})

test('the usage that comes long after the finish reason waits for the settlement and has the cost', async () => {
  const { seen, onText } = listenFor('"finish_reason":"stop"')
  const said = Promise.withResolvers<void>()
  upstream.respond = async (response) => {
    const stream = new ChatStream(response).say('hello').finish()
    said.resolve()
    await seen
    stream.usage().done()
  }
  const answer = harness.send({ bearer, body: STREAM, onText })
  await said.promise
  for (let isSeen = false; !isSeen; isSeen = await Promise.race([seen.then(() => true), pause()])) {
    clock.advance(1_000)
    harness.relay.tick()
  }
  expect(costsIn(await answer)).toMatchObject([{ cost: Number(await lastCharge()) }])
})

async function pause(): Promise<boolean> {
  await turn()
  return false
}

test('a response over the WebSocket has the cost in its last event', async () => {
  const each = conversationCases.find(({ name }) => name === 'responses')
  upstream.respond = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end([...(each?.text ?? []), ...(each?.end ?? [])].join(''))
  }
  const caller = await harness.addCaller({ user: { group_name: 'of responses' } })
  const headers = { authorization: `Bearer ${caller.bearer}` }
  const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/responses`, { headers })
  await once(socket, 'open')
  const events: Json[] = []
  const completed = Promise.withResolvers<void>()
  socket.on('message', (data: Buffer) => {
    const event = recordOf(JSON.parse(data.toString()))
    events.push(event)
    if (event['type'] === 'response.completed') completed.resolve()
  })
  socket.send(JSON.stringify({ type: 'response.create', model: 'gpt-4o', input: 'hi' }))
  await completed.promise
  socket.close()
  expect(events.map(usageOf).filter(({ cost }) => cost !== undefined)).toMatchObject([
    { cost: Number(await lastCharge()) },
  ])
})

describe('other responses', () => {
  test('a failed call costs nothing, and its head says so', async () => {
    upstream.respond = failWith(400)
    const answer = await harness.send({ bearer, body: CHAT })
    expect([answer.status, answer.headers['x-tollgate-cost']]).toEqual([400, '0'])
    expect(answer.text).not.toContain('cost')
  })

  test('a call refused before its hold has no cost', async () => {
    const answer = await harness.send({ bearer, body: { ...CHAT, model: 'none' } })
    expect([answer.status, answer.headers['x-tollgate-cost']]).toEqual([503, undefined])
  })

  test('embeddings have it in their usage', async () => {
    upstream.respond = (response) =>
      sendJson(response, 200, {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
        model: 'text-embedding-3-small',
        usage: { prompt_tokens: 100, total_tokens: 100, cost: 9 },
      })
    const body = { model: 'text-embedding-3-small', input: 'hi' }
    const answer = await harness.send({ path: '/v1/embeddings', bearer, body })
    const charge = await lastCharge()
    expect(answer.headers['x-tollgate-cost']).toBe(charge)
    expect(usageOf(answer.json)['cost']).toBe(Number(charge))
  })

  test('images without usage have it in their head, and no usage is made up', async () => {
    upstream.respond = (response) => sendJson(response, 200, { created: 1, data: [{ b64_json: 'aGk=' }] })
    const body = { model: 'dall-e-2', prompt: 'x' }
    const answer = await harness.send({ path: '/v1/images/generations', bearer, body })
    expect([answer.headers['x-tollgate-cost'], answer.json['usage']]).toEqual(['0.02', undefined])
  })

  test('a stream without usage keeps its bytes', async () => {
    upstream.respond = streamWith()
    const { text } = await harness.send({ bearer, body: { ...CHAT, stream: true } })
    expect(text).not.toContain('cost')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })
})
