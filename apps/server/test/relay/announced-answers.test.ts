import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { listenFor } from './send.ts'
import { openScriptedUpstream, type Responder, type ScriptedUpstream } from './upstream.ts'

/** An error that follows nothing but the announcement of an answer leads to another channel. */

const RESTED_MS = 11 * 60_000
const ANNOUNCED_MS = 10_000
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
const chatUsage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

const vendors = {
  chat: {
    type: 8,
    body: { messages: [{ role: 'user', content: 'x' }] },
    path: '/v1/chat/completions',
    announced: ['{"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}'],
    failure: '{"error":{"message":"The server is overloaded","code":503}}',
    answer: [
      '{"id":"c","choices":[{"index":0,"delta":{"content":"good"}}]}',
      '{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
      JSON.stringify({ id: 'c', choices: [], usage: chatUsage }),
      '[DONE]',
    ],
  },
  messages: {
    type: 14,
    body: { max_tokens: 50, messages: [{ role: 'user', content: 'x' }] },
    path: '/v1/messages',
    announced: [
      JSON.stringify({ type: 'message_start', message: { id: 'm', content: [], usage } }),
      '{"type":"ping"}',
      '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    ],
    failure: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    answer: [
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"good"}}',
      '{"type":"content_block_stop","index":0}',
      JSON.stringify({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
      '{"type":"message_stop"}',
    ],
  },
  responses: {
    type: 1,
    body: { input: 'x' },
    path: '/v1/responses',
    announced: [
      '{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}',
      '{"type":"response.in_progress","response":{"id":"r","status":"in_progress","output":[]}}',
      '{"type":"response.output_item.added","output_index":0,"item":{"id":"i","type":"message","content":[]}}',
    ],
    failure:
      '{"type":"response.failed","response":{"id":"r","status":"failed","error":{"code":"server_is_overloaded","message":"at capacity"}}}',
    answer: [
      '{"type":"response.output_text.delta","item_id":"i","output_index":0,"content_index":0,"delta":"good"}',
      JSON.stringify({
        type: 'response.completed',
        response: { id: 'r', status: 'completed', output: [], usage },
      }),
    ],
  },
} as const

type Vendor = keyof typeof vendors
const names: readonly Vendor[] = ['chat', 'messages', 'responses']

let harness: RelayHarness
let faulty: ScriptedUpstream
let sound: ScriptedUpstream
let bearer: string
let entriesBefore: number
const clock = new ManualClock()

beforeAll(async () => {
  harness = await openRelayHarness({ clock })
  faulty = await openScriptedUpstream()
  sound = await openScriptedUpstream()
  for (const name of names)
    for (const [url, priority] of [
      [faulty.url, 10],
      [sound.url, 0],
    ] as const)
      await harness.addChannel(url, {
        type: vendors[name].type,
        models: `by-${name}`,
        priority,
        model_mapping: name === 'responses' ? '{"by-responses":"gpt-5.3-codex"}' : '',
      })
  const ratios = Object.fromEntries(names.map((name) => [`by-${name}`, 1]))
  await harness.setOption('ModelRatio', JSON.stringify(ratios))
  await harness.setOption('RetryTimes', '1')
})
afterAll(async () => {
  await harness.close()
  await Promise.all([faulty.close(), sound.close()])
})
beforeEach(async () => {
  clock.advance(RESTED_MS)
  ;({ bearer } = await harness.addCaller())
  entriesBefore = (await harness.entries()).length
})
afterEach(async () => {
  await harness.quiet()
  expect(await harness.openHolds()).toBe(0)
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})

async function charges(): Promise<bigint[]> {
  await harness.quiet()
  return (await harness.entries()).slice(entriesBefore).map(({ amount }) => amount)
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

function write(response: ServerResponse, payload: string): Promise<void> {
  return new Promise((resolve) => response.write(`data: ${payload}\n\n`, () => resolve()))
}

function answers(vendor: Vendor): Responder {
  return async (response) => {
    begin(response)
    for (const payload of [...vendors[vendor].announced, ...vendors[vendor].answer])
      await write(response, payload)
    response.end()
  }
}

/** Writes each frame in a packet of its own. */
async function announce(response: ServerResponse, vendor: Vendor): Promise<void> {
  begin(response)
  for (const payload of vendors[vendor].announced) {
    await write(response, payload)
    await pause(20)
  }
}

const failures: Readonly<Record<string, (vendor: Vendor) => Responder>> = {
  'an error': (vendor) => async (response) => {
    await announce(response, vendor)
    await write(response, vendors[vendor].failure)
    response.end()
  },
  'the end of the stream': (vendor) => async (response) => {
    await announce(response, vendor)
    response.end()
  },
  'a reset': (vendor) => async (response) => {
    await announce(response, vendor)
    response.socket?.resetAndDestroy()
  },
}

const ask = (caller: Vendor, vendor: Vendor) => ({
  bearer,
  path: vendors[caller].path,
  body: { model: `by-${vendor}`, stream: true, ...vendors[caller].body },
})

describe.each(names.flatMap((vendor) => names.map((caller) => ({ vendor, caller }))))(
  'a caller of $caller, a vendor of $vendor',
  ({ vendor, caller }) => {
    test.each(Object.keys(failures))('%s in a later packet leads to the next channel', async (name) => {
      faulty.respond = failures[name]?.(vendor) ?? expect.fail('the failure is known')
      sound.respond = answers(vendor)
      const { status, text } = await harness.send(ask(caller, vendor))
      expect(status).toBe(200)
      expect(text).toContain('good')
      expect(text).not.toMatch(/overloaded|capacity|broken/i)
      expect(await charges()).toEqual([15n])
    })
  },
)

/** Lets time pass until the caller has the announcement; then the vendor goes on. Returns all that was received. */
async function sendUntilAnnounced(vendor: Vendor, goOn: () => void): Promise<string> {
  const mark = { chat: '"role":"assistant"', messages: 'message_start', responses: 'response.created' }[
    vendor
  ]
  const { seen, onText } = listenFor(mark)
  const sent = harness.send({ ...ask(vendor, vendor), onText })
  const ticking = setInterval(() => {
    clock.advance(ANNOUNCED_MS)
    harness.relay.tick()
  }, 50)
  await seen
  clearInterval(ticking)
  goOn()
  return (await sent).text
}

/** The vendor announces its answer, and goes on when the test says so. */
function announceFirst(vendor: Vendor, then: (response: ServerResponse) => Promise<void>): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  faulty.respond = async (response) => {
    await announce(response, vendor)
    await promise
    await then(response)
  }
  return resolve
}

test.each(names)('an announcement of %s is sent when nothing follows it for ten seconds', async (vendor) => {
  const goOn = announceFirst(vendor, async (response) => {
    for (const payload of vendors[vendor].answer) await write(response, payload)
    response.end()
  })
  expect(await sendUntilAnnounced(vendor, goOn)).toContain('good')
  expect(await charges()).toEqual([15n])
})

test.each(names)('a stream of %s that breaks off after a sent announcement costs nothing', async (vendor) => {
  const goOn = announceFirst(vendor, async (response) => void response.destroy())
  const before = sound.received.length
  await sendUntilAnnounced(vendor, goOn)
  expect((await charges()).filter((amount) => amount !== 0n)).toEqual([])
  expect(sound.received).toHaveLength(before)
  const { other } = (await harness.logs()).at(-1) ?? { other: '{}' }
  expect(JSON.parse(other)).toMatchObject({ event: 'answer_empty' })
})

test('a call whose channels all fail after their announcement ends with a status of its own', async () => {
  faulty.respond = failures['an error']?.('messages') ?? expect.fail('the failure is known')
  sound.respond = faulty.respond
  const { status, headers } = await harness.send(ask('messages', 'messages'))
  expect([status, headers['content-type']]).toEqual([529, 'application/json; charset=utf-8'])
  expect(await charges()).toEqual([])
})
