import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from '../relay/upstream.ts'
import { chatAlone, refusing, stringsOnly, systemFirst } from './picky-server.ts'

/**
 * When a vendor's error says which form of request it accepts, the gateway retries once in that form and
 * remembers it.
 */

const clock = new ManualClock()
const MODEL = 'deepseek-chat'
const DAY_MS = 24 * 60 * 60 * 1000

let harness: RelayHarness
let vendor: ScriptedUpstream
let bearer: string
let userId: number

beforeAll(async () => {
  harness = await openRelayHarness({ clock })
  ;({ bearer, userId } = await harness.addCaller())
})
afterAll(() => harness.close())

/** A channel and a vendor for each test. */
beforeEach(async () => {
  vendor = await openScriptedUpstream()
  await harness.db.updateTable('channels').set({ status: 2 }).execute()
  await harness.addChannel(vendor.url, { type: 1, models: `${MODEL},qwen-turbo` })
})
afterEach(() => vendor.close())

const messages = [{ role: 'user', content: 'hi' }]
const ask = (more: object = {}, model = MODEL) =>
  harness.send({ bearer, body: { model, messages, max_tokens: 50, ...more } })

const respond = (model: string) =>
  harness.send({ bearer, path: '/v1/responses', body: { model, input: 'hi', stream: true } })
const refused = (error: object) => {
  vendor.respond = (response) => sendJson(response, 400, { error })
}

async function lastOther(): Promise<Record<string, unknown>> {
  await harness.quiet()
  return JSON.parse((await harness.logs()).at(-1)?.other ?? '{}')
}

describe('a model that refuses a member', () => {
  test('a refused member is dropped in a retry, and later calls omit it from the start', async () => {
    vendor.respond = refusing('temperature')
    const before = (await harness.entries()).length
    const { status, headers } = await ask({ temperature: 0.5 })
    expect(status).toBe(200)
    expect(headers['x-tollgate-dropped']).toBe('temperature')
    expect(vendor.received.map(({ body }) => body['temperature'])).toEqual([0.5, undefined])
    expect(await lastOther()).toMatchObject({
      dropped: ['temperature'],
      lessons: ['refuses:temperature'],
      admin_info: {
        attempts: [{ status: 400 }, { outcome: 'ok', lesson: 'refuses:temperature' }],
      },
    })
    expect((await ask({ temperature: 0.7 })).status).toBe(200)
    expect(vendor.received).toHaveLength(3)
    await harness.quiet()
    expect(await harness.entries()).toHaveLength(before + 2)
  })

  test('the retry happens before a stream begins', async () => {
    vendor.respond = refusing('top_p')
    const { status, text } = await ask({ top_p: 0.5, stream: true })
    expect(status).toBe(200)
    expect(text).toContain('hello')
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  })

  test('a lesson about one model does not apply to another', async () => {
    vendor.respond = refusing('temperature')
    await ask({ temperature: 0.5 })
    await ask({ temperature: 0.5 }, 'qwen-turbo')
    expect(vendor.received).toHaveLength(4)
  })

  test('a lesson expires after a day', async () => {
    vendor.respond = refusing('temperature')
    await ask({ temperature: 0.5 })
    clock.advance(DAY_MS - 1)
    await ask({ temperature: 0.5 })
    expect(vendor.received).toHaveLength(3)
    clock.advance(1)
    await ask({ temperature: 0.5 })
    expect(vendor.received).toHaveLength(5)
  })

  test('the output limit is sent under the name that the model accepts, with the same value', async () => {
    vendor.respond = refusing('max_tokens')
    expect((await ask()).status).toBe(200)
    expect(vendor.received.at(-1)?.body).toMatchObject({ max_completion_tokens: 50 })
    expect(vendor.received.at(-1)?.body).not.toHaveProperty('max_tokens')
  })
})

describe('a server that accepts only string content', () => {
  test('content lists of chat callers become strings once the server refused them', async () => {
    vendor.respond = stringsOnly
    const listed = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] }
    expect((await ask(listed)).status).toBe(200)
    expect((await ask(listed)).status).toBe(200)
    expect(vendor.received).toHaveLength(3)
    expect(vendor.received.at(-1)?.body['messages']).toEqual(messages)
  })
})

describe('a chat template that requires the system message first', () => {
  test('later system messages become reminders once the server refused them', async () => {
    vendor.respond = systemFirst
    const late = { messages: [...messages, { role: 'system', content: 'be brief' }] }
    expect((await ask(late)).status).toBe(200)
    expect((await ask(late)).status).toBe(200)
    expect(vendor.received).toHaveLength(3)
    const reminder = '<system-reminder>\nbe brief\n</system-reminder>'
    expect(vendor.received.at(-1)?.body['messages']).toEqual([
      ...messages,
      { role: 'user', content: reminder },
    ])
  })
})

describe('a server without /v1/responses', () => {
  test('chat completions are used instead, for all models of the server', async () => {
    vendor.respond = chatAlone
    const { status, text } = await respond(MODEL)
    expect(status).toBe(200)
    expect(text).toContain('response.completed')
    expect((await respond('qwen-turbo')).status).toBe(200)
    expect(vendor.received.map(({ path }) => path)).toEqual([
      '/v1/responses',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ])
    expect(await lastOther()).toMatchObject({ lessons: ['responses:false'] })
  })

  test.each([
    { message: "Item with id 'rs_1' not found.", type: 'invalid_request_error', param: 'input', code: null },
    { message: 'The model does not exist', type: 'NotFoundError', param: 'model', code: 404 },
    { message: 'no such model', type: 'invalid_request_error', param: null, code: 'model_not_found' },
    { message: 'Model x is not served here', type: 'not_found_error', param: null, code: null },
  ])('another not-found error does not disable /v1/responses: $message', async (error) => {
    vendor.respond = (response) => sendJson(response, 404, { error })
    expect((await respond(MODEL)).status).toBe(404)
    expect(vendor.received).toHaveLength(1)
  })
})

describe('a vendor that refuses every form', () => {
  test('the call is retried once, costs nothing and leaves no lesson', async () => {
    const error = {
      message: "Unsupported parameter: 'temperature' is not supported with this model.",
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'unsupported_parameter',
    }
    vendor.respond = (response) => sendJson(response, 400, { error })
    await harness.quiet()
    const before = await harness.balance(userId)
    const answer = await ask({ temperature: 0.5, top_p: 0.5 })
    expect(answer.status).toBe(400)
    expect(answer.error['message']).toContain(error.message)
    expect(vendor.received).toHaveLength(2)
    await ask({ temperature: 0.5 })
    expect(vendor.received[2]?.body).toMatchObject({ temperature: 0.5 })
    await harness.quiet()
    expect(await harness.balance(userId)).toMatchObject({
      remaining: before?.remaining,
      used: before?.used,
    })
    expect(await harness.openHolds()).toBe(0)
  })
})

describe('a caller', () => {
  test.each([
    'System message must be at the beginning. (you said: hi)',
    'I cannot read this: System message must be at the beginning.',
    'Failed to deserialize the JSON body into the target type: messages[0]: invalid type: sequence, expected a string, said the caller',
    "Unsupported parameter: 'temperature' is not supported with this model.",
  ])('a caller cannot cause a lesson with a text that the vendor echoes: %s', async (message) => {
    refused({ message, type: 'invalid_request_error', param: null, code: null })
    const text = [{ type: 'text', text: message }]
    await ask({
      temperature: 0.5,
      messages: [
        { role: 'user', content: text },
        { role: 'system', content: message },
      ],
    })
    expect(vendor.received).toHaveLength(1)
  })

  test('a caller cannot cause a lesson with an invalid value of a member', async () => {
    refused({ message: 'no', type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' })
    await ask({ temperature: 9 })
    expect(vendor.received).toHaveLength(1)
  })

  test.each(['messages', 'tools', 'response_format', 'n', 'stream', 'stop', 'model'])(
    'a call is never retried without %s, whatever a vendor refuses',
    async (param) => {
      refused({ message: 'no', type: 'invalid_request_error', param, code: 'unsupported_parameter' })
      await ask()
      expect(vendor.received).toHaveLength(1)
    },
  )

  test('every form that is tried keeps the output limit', async () => {
    vendor.respond = refusing('max_tokens', 'max_completion_tokens')
    expect((await ask()).status).toBe(400)
    expect(vendor.received.map(({ body }) => body['max_tokens'] ?? body['max_completion_tokens'])).toEqual([
      50, 50,
    ])
  })
})
