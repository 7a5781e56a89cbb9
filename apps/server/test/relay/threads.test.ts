import Anthropic, { BadRequestError } from '@anthropic-ai/sdk'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { messageStreamWith, messageWith } from './messages-upstream.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import type { RelayAnswer } from './send.ts'
import { answerWith, failWith, openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

/** Conversations that a vendor keeps: the member `thread` of Messages, and members that sound like it. */

const MODEL = 'claude-haiku-4-5-20251001'
const CREATE = { type: 'create' }
const KEEPS = JSON.stringify({ stored_context: true })

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

beforeEach(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream(messageWith())
  ;({ bearer } = await harness.addCaller())
})
afterEach(async () => {
  await harness.close()
  await upstream.close()
})

/** Adds a channel that may keep conversations, unless it says otherwise. */
function addChannel(parts: Parameters<RelayHarness['addChannel']>[1] = {}): Promise<number> {
  return harness.addChannel(upstream.url, { type: 14, models: MODEL, setting: KEEPS, ...parts })
}

function ask(thread: unknown, more: { readonly bearer?: string; readonly body?: object } = {}) {
  const messages = [{ role: 'user', content: 'What is my name?' }]
  const body = {
    model: MODEL,
    max_tokens: 20,
    messages,
    ...(thread !== undefined && { thread }),
    ...more.body,
  }
  return harness.send({ path: '/v1/messages', bearer: more.bearer ?? bearer, body })
}

const goOn = (id = 'msg_1') => ({ type: 'continue', previous_message_id: id })

function expectRefused(answer: RelayAnswer, details: object): void {
  expect(answer.status).toBe(400)
  expect(answer.error).toMatchObject({ type: 'invalid_request_error', details })
}

const UNSUPPORTED = { error_code: 'thread_unsupported_request', unsupported: ['thread'] }
const NOT_FOUND = { error_code: 'thread_not_found' }

describe.each([
  { title: 'a new channel', parts: { setting: '{}' } },
  { title: 'a channel from before the switch', parts: { setting: '{"stored_context":"as_before"}' } },
  { title: 'a channel of chat completions', parts: { type: 42 } },
  { title: 'Bedrock', parts: { type: 33, key: 'a|b|us-east-1', setting: '{}' } },
  { title: 'Vertex AI', parts: { type: 41, key: '{}', setting: '{}' } },
  { title: 'another gateway', parts: { type: 58, setting: '{}' } },
])('$title', ({ parts }) => {
  test.each([CREATE, goOn(), { type: 'something new' }])(
    'refuses a call with the thread %j, so that the library sends the whole conversation',
    async (thread) => {
      await addChannel(parts)
      for (const stream of [false, true]) expectRefused(await ask(thread, { body: { stream } }), UNSUPPORTED)
      expect(upstream.received).toEqual([])
      expect(await harness.entries()).toEqual([])
    },
  )
})

test.each([undefined, null, false])('a call with the thread %j is answered', async (thread) => {
  await addChannel({ setting: '{}' })
  expect((await ask(thread)).status).toBe(200)
})

test('a channel that may not keep conversations is passed over for one that may', async () => {
  const other = await openScriptedUpstream(failWith(500))
  await harness.addChannel(other.url, { type: 14, models: MODEL, priority: 9 })
  await addChannel()
  expect((await ask(CREATE)).status).toBe(200)
  expect(other.received).toEqual([])
  await other.close()
})

describe('a conversation that a channel keeps', () => {
  test.each([messageWith(), messageStreamWith([{ type: 'text', text: 'hi' }])])(
    'goes on with its channel and key, for the user who began it',
    async (respond) => {
      upstream.respond = respond
      await addChannel({ key: 'first\nsecond\nthird' })
      const stream = respond !== messageWith()
      expect((await ask(CREATE, { body: { stream } })).status).toBe(200)
      const keys = () => upstream.received.map(({ headers }) => headers['x-api-key'])
      for (let turn = 0; turn < 4; turn++) expect((await ask(goOn(), { body: { stream } })).status).toBe(200)
      expect(new Set(keys()).size).toBe(1)
      expect(upstream.received.at(-1)?.body['thread']).toEqual(goOn())
      const { bearer: stranger } = await harness.addCaller()
      expectRefused(await ask(goOn(), { bearer: stranger }), NOT_FOUND)
      expect(upstream.received).toHaveLength(5)
    },
  )

  test('that nobody knows is not found', async () => {
    await addChannel()
    expectRefused(await ask(goOn('msg_unknown')), NOT_FOUND)
    expectRefused(await ask(goOn('m'.repeat(10_000))), NOT_FOUND)
    expect(upstream.received).toEqual([])
  })

  test('whose channel is gone is not found, although another one could keep conversations', async () => {
    const id = await addChannel()
    await ask(CREATE)
    await addChannel()
    await harness.db.updateTable('channels').set({ status: 2 }).where('id', '=', id).execute()
    await harness.notices.publish({ entity: 'channels' })
    expectRefused(await ask(goOn()), NOT_FOUND)
    expect(upstream.received).toHaveLength(1)
  })

  test('is never sent to another channel when its own fails', async () => {
    await harness.setOption('RetryTimes', '3')
    await addChannel()
    await ask(CREATE)
    await addChannel()
    upstream.respond = failWith(500)
    expect((await ask(goOn())).status).toBe(500)
    expect(upstream.received).toHaveLength(2)
  })

  test('holds the context of the model as its input', async () => {
    await addChannel()
    const { bearer: poor } = await harness.addCaller({ quota: 30_000n, isGift: true })
    expect((await ask(undefined, { bearer: poor })).status).toBe(200)
    expect((await ask(CREATE, { bearer: poor })).status).toBe(402)
  })
})

test('the official client reads which request is not supported, and its conversation goes on without a thread', async () => {
  await addChannel({ setting: '{}' })
  const client = new Anthropic({ apiKey: bearer, baseURL: harness.url, maxRetries: 0 })
  const message = { role: 'user' as const, content: 'hi' }
  const failure = await client.beta.messages
    .create({ model: MODEL, max_tokens: 9, messages: [message], thread: { type: 'create' } })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(BadRequestError)
  expect(failure).toMatchObject({ errorCode: 'thread_unsupported_request', requestID: expect.any(String) })
  const runner = client.beta.messages.toolRunner({
    model: MODEL,
    max_tokens: 9,
    messages: [message],
    tools: [],
  })
  const answer = await runner
  expect(answer.content).toMatchObject([{ type: 'text', text: 'hello there' }])
  expect(upstream.received.at(-1)?.body).not.toHaveProperty('thread')
})

test('the tokens of a conversation that is kept elsewhere cannot be counted', async () => {
  await addChannel()
  const body = { model: MODEL, thread: goOn(), messages: [{ role: 'user', content: 'x' }] }
  expectRefused(await harness.send({ path: '/v1/messages/count_tokens', bearer, body }), UNSUPPORTED)
})

const chat = { messages: [{ role: 'user', content: 'x' }] }
const gemini = { contents: [{ parts: [{ text: 'x' }] }] }

test.each([
  ['/v1/chat/completions', { ...chat, thread_id: 't' }],
  ['/v1/chat/completions', { ...chat, sessionKey: { id: 1 } }],
  ['/v1/chat/completions', { ...chat, ParentMessage: 'm' }],
  ['/v1/chat/completions', { ...chat, extra_body: { conversation_id: 'c' } }],
  ['/v1/responses', { input: 'x', resume_from: 3 }],
  ['/v1/responses', { input: 'x', previous_turn: ['a'] }],
  [`/v1beta/models/gpt-plain:generateContent`, { ...gemini, previousInteraction: 'i' }],
  [`/v1beta/models/gpt-plain:generateContent`, { ...gemini, generationConfig: { sessionHandle: 's' } }],
  [`/v1/messages`, { ...chat, max_tokens: 9, resumption: { handle: 'h' } }],
])(
  '%s with %j is refused where it is converted, because a model would have forgotten everything',
  async (path, body) => {
    const converts = path.includes('chat')
      ? { type: 14, models: 'gpt-plain' }
      : { type: 42, models: 'gpt-plain' }
    upstream.respond = converts.type === 14 ? messageWith() : answerWith()
    await addChannel(converts)
    await harness.setOption('ModelRatio', JSON.stringify({ 'gpt-plain': 1 }))
    const plain = await harness.send({ path, bearer, body: { model: 'gpt-plain', ...emptied(body) } })
    expect(plain.status).toBe(200)
    const { status, text } = await harness.send({ path, bearer, body: { model: 'gpt-plain', ...body } })
    expect([status, text]).toEqual([400, expect.stringMatching(/does not support '\w+'/)])
    expect(upstream.received).toHaveLength(1)
  },
)

/** The same body with values that ask for nothing. */
function emptied(body: object): object {
  const usual = new Set(['messages', 'input', 'contents', 'max_tokens'])
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, usual.has(name) ? value : null]),
  )
}
