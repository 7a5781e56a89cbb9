import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT } from './send.ts'
import { answerWith, openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** An honest call never costs more than the ceiling it was admitted with, however expensive its media are. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

beforeEach(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url, { models: 'gpt-4o-audio-preview,gpt-4o' })
  ;({ bearer } = await harness.addCaller())
})
afterEach(async () => {
  await harness.close()
  await upstream.close()
})

const recording = { type: 'input_audio', input_audio: { data: 'A'.repeat(60_000), format: 'wav' } }

test('a spoken question with a spoken answer is charged in full', async () => {
  const usage = {
    prompt_tokens: 50,
    completion_tokens: 90,
    prompt_tokens_details: { audio_tokens: 40 },
    completion_tokens_details: { audio_tokens: 80 },
  }
  upstream.respond = answerWith({ usage })
  const body = {
    ...CHAT,
    model: 'gpt-4o-audio-preview',
    messages: [{ role: 'user', content: [recording] }],
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'wav' },
    max_tokens: 100,
  }
  expect((await harness.send({ bearer, body })).status).toBe(200)
  await harness.settled()
  const [entry, ...others] = await harness.entries()
  expect(others).toEqual([])
  // (10 text x 1 + 40 audio x 16 + 10 text x 4 + 80 audio x 16 x 2) x 1.25
  expect(entry).toMatchObject({ amount: 4_063n, waived: 0n, flags: '' })
})

test.each([
  ['the option of the dialect', { web_search_options: {} }],
  ['a tool', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] }],
])('searches requested as %s are charged in full', async (_name, asked) => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, server_tool_use: { web_search_requests: 3 } }
  upstream.respond = answerWith({ usage })
  const body = { ...CHAT, model: 'gpt-4o', max_tokens: 10, ...asked }
  expect((await harness.send({ bearer, body })).status).toBe(200)
  await harness.settled()
  const [entry] = await harness.entries()
  expect(entry).toMatchObject({ amount: 38n + 3n * 5_000n, waived: 0n, flags: '' })
  expect(entry?.usage_json).toContain('"toolCalls":{"web_search":3}')
})

test.each([
  [
    '/v1/messages',
    {
      messages: [{ role: 'user', content: 'hi' }],
      tools: [{ type: 'code_execution_20250825', name: 'code_execution' }],
    },
  ],
  [
    '/v1beta/models/gpt-5.3-codex:generateContent',
    { contents: [{ parts: [{ text: 'hi' }] }], tools: [{ codeExecution: {} }] },
  ],
])('code that a caller of %s lets OpenAI run is charged in full', async (path, asked) => {
  await harness.setOption('ModelRatio', '{"gpt-5.3-codex":1}')
  await harness.addChannel(upstream.url, { models: 'gpt-5.3-codex' })
  upstream.respond = (response) =>
    sendJson(response, 200, {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [
        { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', status: 'completed', code: '1' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'one', annotations: [] }],
        },
      ],
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    })
  const { status, text } = await harness.send({
    bearer,
    path,
    body: { model: 'gpt-5.3-codex', max_tokens: 10, ...asked },
  })
  expect(status, text).toBe(200)
  await harness.settled()
  const [entry] = await harness.entries()
  expect(upstream.received.at(-1)?.path).toBe('/v1/responses')
  expect(entry?.usage_json).toContain('"code_interpreter":1')
  expect(entry).toMatchObject({ waived: 0n, flags: '' })
  expect(entry?.amount).toBeGreaterThanOrEqual(15_000n)
})

test('a response longer than requested is charged in full where the provider has no output limit', async () => {
  await harness.addChannel(upstream.url, { type: 37, models: 'gpt-4o-mini' })
  upstream.respond = (response) =>
    sendJson(response, 200, {
      conversation_id: 'c',
      answer: 'long',
      metadata: { usage: { prompt_tokens: 10, completion_tokens: 5_000, total_tokens: 5_010 } },
    })
  const body = { ...CHAT, model: 'gpt-4o-mini', max_tokens: 1 }
  expect((await harness.send({ bearer, body })).status).toBe(200)
  await harness.settled()
  const [entry] = await harness.entries()
  expect(entry).toMatchObject({ waived: 0n, flags: '' })
  expect(entry?.amount).toBeGreaterThan(1_000n)
})
