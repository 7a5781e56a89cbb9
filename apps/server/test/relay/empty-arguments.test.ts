import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { ChatStream, openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** Calls of tools without parameters: vendors send empty arguments, and clients parse them as JSON. */

let harness: RelayHarness
let chat: ScriptedUpstream
let openai: OpenAI

const CALL = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '' } }

beforeAll(async () => {
  harness = await openRelayHarness()
  chat = await openScriptedUpstream()
  await harness.addChannel(chat.url, { type: 42, models: 'gpt-4o' })
  const { bearer } = await harness.addCaller()
  openai = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await harness.close()
  await chat.close()
})
beforeEach(() => {
  chat.respond = (response, { body }) => {
    if (body['stream'] !== true) {
      const message = { role: 'assistant', content: null, tool_calls: [CALL] }
      return sendJson(response, 200, {
        id: 'c',
        choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      })
    }
    new ChatStream(response)
      .frame({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...CALL }] } }] })
      .finish('tool_calls')
      .usage()
      .done()
  }
})

test.each([false, true])(
  'empty arguments become an empty object for a caller of Responses (streamed: %s)',
  async (isStream) => {
    const asked = { model: 'gpt-4o', input: 'What time is it?' }
    const { output } = isStream
      ? await openai.responses.stream(asked).finalResponse()
      : await openai.responses.create(asked)
    expect(output).toMatchObject([{ type: 'function_call', call_id: 'call_1', arguments: '{}' }])
    const result = { type: 'function_call_output' as const, call_id: 'call_1', output: 'noon' }
    const empty = { type: 'function_call' as const, call_id: 'call_1', name: 'now', arguments: '' }
    await openai.responses.create({ ...asked, input: [{ role: 'user', content: 'hi' }, empty, result] })
    const { messages } = chat.received.at(-1)?.body ?? {}
    expect(messages).toMatchObject([{}, { tool_calls: [{ function: { arguments: '{}' } }] }, {}])
  },
)
