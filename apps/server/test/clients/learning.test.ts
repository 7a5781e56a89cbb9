import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayBench, type RelayBench } from '../relay/bench.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from '../relay/upstream.ts'
import { chatAlone, refusing, stringsOnly, systemFirst } from './picky-server.ts'

/** A vendor says in which form it takes a request: it is asked once more, and then always. */

const clock = new ManualClock()
const MODEL = 'deepseek-chat'
const DAY_MS = 24 * 60 * 60 * 1000

let bench: RelayBench
let vendor: ScriptedUpstream
let bearer: string
let userId: number

beforeAll(async () => {
  bench = await openRelayBench({ clock })
  ;({ bearer, userId } = await bench.addCaller())
})
afterAll(() => bench.close())

/** A channel and a vendor for each test. */
beforeEach(async () => {
  vendor = await openScriptedUpstream()
  await bench.db.updateTable('channels').set({ status: 2 }).execute()
  await bench.addChannel(vendor.url, { type: 1, models: `${MODEL},qwen-turbo` })
})
afterEach(() => vendor.close())

const messages = [{ role: 'user', content: 'hi' }]
const ask = (more: object = {}, model = MODEL) =>
  bench.send({ bearer, body: { model, messages, max_tokens: 50, ...more } })

const respond = (model: string) =>
  bench.send({ bearer, path: '/v1/responses', body: { model, input: 'hi', stream: true } })
const refused = (error: object) => {
  vendor.respond = (response) => sendJson(response, 400, { error })
}

async function lastOther(): Promise<Record<string, unknown>> {
  await bench.quiet()
  return JSON.parse((await bench.logs()).at(-1)?.other ?? '{}')
}

describe('a model that refuses a member', () => {
  test('is asked again without it, and from then on at once', async () => {
    vendor.respond = refusing('temperature')
    const before = (await bench.entries()).length
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
    await bench.quiet()
    expect(await bench.entries()).toHaveLength(before + 2)
  })

  test('is asked again before a stream begins', async () => {
    vendor.respond = refusing('top_p')
    const { status, text } = await ask({ top_p: 0.5, stream: true })
    expect(status).toBe(200)
    expect(text).toContain('hello')
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  })

  test('teaches nothing of another model', async () => {
    vendor.respond = refusing('temperature')
    await ask({ temperature: 0.5 })
    await ask({ temperature: 0.5 }, 'qwen-turbo')
    expect(vendor.received).toHaveLength(4)
  })

  test('is asked in the first form again after a day', async () => {
    vendor.respond = refusing('temperature')
    await ask({ temperature: 0.5 })
    clock.advance(DAY_MS - 1)
    await ask({ temperature: 0.5 })
    expect(vendor.received).toHaveLength(3)
    clock.advance(1)
    await ask({ temperature: 0.5 })
    expect(vendor.received).toHaveLength(5)
  })

  test('has its bound on output under the name that it takes, with the same value', async () => {
    vendor.respond = refusing('max_tokens')
    expect((await ask()).status).toBe(200)
    expect(vendor.received.at(-1)?.body).toMatchObject({ max_completion_tokens: 50 })
    expect(vendor.received.at(-1)?.body).not.toHaveProperty('max_tokens')
  })
})

describe('a server that takes strings alone', () => {
  test('is sent strings by chat callers too, once it said so', async () => {
    vendor.respond = stringsOnly
    const listed = { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] }
    expect((await ask(listed)).status).toBe(200)
    expect((await ask(listed)).status).toBe(200)
    expect(vendor.received).toHaveLength(3)
    expect(vendor.received.at(-1)?.body['messages']).toEqual(messages)
  })
})

describe('a template that wants the system message first', () => {
  test('is sent later ones as reminders, once it said so', async () => {
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
  test('is asked in chat, and so for all of its models', async () => {
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
  ])('is not concluded from something else that is missing: $message', async (error) => {
    vendor.respond = (response) => sendJson(response, 404, { error })
    expect((await respond(MODEL)).status).toBe(404)
    expect(vendor.received).toHaveLength(1)
  })
})

describe('a vendor that refuses every form', () => {
  test('is asked once more, is paid nothing and teaches nothing', async () => {
    const error = {
      message: "Unsupported parameter: 'temperature' is not supported with this model.",
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'unsupported_parameter',
    }
    vendor.respond = (response) => sendJson(response, 400, { error })
    await bench.quiet()
    const before = await bench.balance(userId)
    const answer = await ask({ temperature: 0.5, top_p: 0.5 })
    expect(answer.status).toBe(400)
    expect(answer.error['message']).toContain(error.message)
    expect(vendor.received).toHaveLength(2)
    await ask({ temperature: 0.5 })
    expect(vendor.received[2]?.body).toMatchObject({ temperature: 0.5 })
    await bench.quiet()
    expect(await bench.balance(userId)).toMatchObject({
      remaining: before?.remaining,
      used: before?.used,
    })
    expect(await bench.openHolds()).toBe(0)
  })
})

describe('a caller', () => {
  test.each([
    'System message must be at the beginning. (you said: hi)',
    'I cannot read this: System message must be at the beginning.',
    'Failed to deserialize the JSON body into the target type: messages[0]: invalid type: sequence, expected a string, said the caller',
    "Unsupported parameter: 'temperature' is not supported with this model.",
  ])('cannot teach by words that a vendor repeats: %s', async (message) => {
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

  test('cannot teach that a member is refused by a value that nobody takes', async () => {
    refused({ message: 'no', type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' })
    await ask({ temperature: 9 })
    expect(vendor.received).toHaveLength(1)
  })

  test.each(['messages', 'tools', 'response_format', 'n', 'stream', 'stop', 'model'])(
    'is not served without %s, whatever a vendor refuses',
    async (param) => {
      refused({ message: 'no', type: 'invalid_request_error', param, code: 'unsupported_parameter' })
      await ask()
      expect(vendor.received).toHaveLength(1)
    },
  )

  test('has a bound on output in every form that is tried', async () => {
    vendor.respond = refusing('max_tokens', 'max_completion_tokens')
    expect((await ask()).status).toBe(400)
    expect(vendor.received.map(({ body }) => body['max_tokens'] ?? body['max_completion_tokens'])).toEqual([
      50, 50,
    ])
  })
})
