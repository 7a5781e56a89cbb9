import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openConnectProxy } from './connect-proxy.ts'
import { CHAT } from './send.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** Settings of one channel, or for all models of one vendor, as they reach the upstream. */

let harness: RelayHarness
let openai: ScriptedUpstream
let google: ScriptedUpstream
let bearer: string

const OPERATIONS = [
  { mode: 'append', path: 'model', value: '-2024' },
  { mode: 'set_header', path: 'X-Lane', value: 'fast', conditions: { 'messages.-1.role': 'user' } },
  { mode: 'return_error', value: 'never', conditions: { user: 'nobody' } },
]
const GEMINI = ['gemini-2.5-flash-thinking', 'gemini-2.5-flash-image']

beforeAll(async () => {
  harness = await openRelayHarness()
  openai = await openScriptedUpstream()
  google = await openScriptedUpstream((response) =>
    sendJson(response, 200, {
      candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 },
    }),
  )
  const priced = ['gpt-4o', 'gpt-4o-mini', 'o3-mini', ...GEMINI]
  await harness.setOption('ModelRatio', JSON.stringify(Object.fromEntries(priced.map((name) => [name, 1]))))
  ;({ bearer } = await harness.addCaller())
})
afterAll(async () => {
  await harness.close()
  await openai.close()
  await google.close()
})

test('the system prompt, headers and removed members of a channel are applied', async () => {
  await harness.addChannel(openai.url, {
    models: 'gpt-4o',
    setting: JSON.stringify({ system_prompt: 'Be brief', system_prompt_override: true }),
    param_override: JSON.stringify({ operations: OPERATIONS }),
    header_override: JSON.stringify({ 'X-Team': '{client_header:X-Team}', 'X-Key': '{api_key}' }),
  })
  const body = { ...CHAT, service_tier: 'priority' }
  await harness.send({ bearer, body, headers: { 'x-team': 'red' } })
  expect(openai.received.at(-1)?.body).toEqual({
    ...CHAT,
    model: 'gpt-4o-2024',
    messages: [{ role: 'system', content: 'Be brief' }, ...CHAT.messages],
  })
  expect(openai.received.at(-1)?.headers).toMatchObject({
    'x-team': 'red',
    'x-key': 'upstream-key-1',
    'x-lane': 'fast',
  })
  const own = [{ role: 'system', content: 'Be long' }, ...CHAT.messages]
  await harness.send({ bearer, body: { ...CHAT, messages: own } })
  expect(openai.received.at(-1)?.body).toMatchObject({
    messages: [{ role: 'system', content: 'Be brief\nBe long' }, ...CHAT.messages],
  })
  await harness.quiet()
  const [first, second] = (await harness.logs()).map(({ other }) => JSON.parse(other))
  expect(first).not.toHaveProperty('is_system_prompt_overwritten')
  expect(second).toMatchObject({ is_system_prompt_overwritten: true, po: ['set model = "gpt-4o-2024"'] })
})

test('settings for Gemini models are applied: safety thresholds, version, thinking by model name, image output', async () => {
  await harness.addChannel(google.url, { type: 24, models: GEMINI.join(',') })
  await harness.setOption('gemini.thinking_adapter_enabled', 'true')
  await harness.setOption('gemini.version_settings', '{"default":"v1"}')
  await harness.setOption('gemini.supported_imagine_models', '["gemini-2.5-flash-image"]')
  await harness.setOption('gemini.safety_settings', '{"default":"BLOCK_LOW_AND_ABOVE"}')
  await harness.send({ bearer, body: { ...CHAT, model: 'gemini-2.5-flash-thinking', max_tokens: 1000 } })
  expect(google.received.at(-1)).toMatchObject({
    path: '/v1/models/gemini-2.5-flash:generateContent',
    body: {
      generationConfig: { maxOutputTokens: 1000, thinkingConfig: { thinkingBudget: 600 } },
      safetySettings: expect.arrayContaining([
        { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_LOW_AND_ABOVE' },
      ]),
    },
  })
  await harness.send({ bearer, body: { ...CHAT, model: 'gemini-2.5-flash-image' } })
  expect(google.received.at(-1)?.body).toMatchObject({
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
  })
  // Requests in Gemini's own dialect are forwarded unchanged.
  const own = '{"contents":[{"parts":[{"text":"hi"}]}]}'
  const path = '/v1beta/models/gemini-2.5-flash-image:generateContent'
  await harness.send({ path, headers: { 'x-goog-api-key': bearer }, body: own })
  expect(google.received.at(-1)?.text).toBe(own)
})

test('calls and tests of a channel use its proxy, and nothing is sent when the proxy setting is invalid', async () => {
  const proxy = await openConnectProxy()
  const setting = JSON.stringify({ proxy: proxy.url })
  const channelId = await harness.addChannel(openai.url, { models: 'gpt-4o-mini', setting })
  const body = { ...CHAT, model: 'gpt-4o-mini' }
  expect((await harness.send({ bearer, body })).status).toBe(200)
  expect(proxy.asked).toEqual([openai.url.slice('http://'.length)])
  expect(await harness.probe.probe({ channelId })).toMatchObject({ ok: true })
  const before = openai.received.length
  await harness.addChannel(openai.url, { models: 'o3-mini', setting: '{"proxy":7}' })
  expect((await harness.send({ bearer, body: { ...CHAT, model: 'o3-mini' } })).status).toBeGreaterThanOrEqual(
    500,
  )
  expect(openai.received).toHaveLength(before)
  proxy.close()
})

test('a rule that forwards all headers does not replace the channel’s own headers', async () => {
  const models = 'gpt-4o-handed-on'
  await harness.setOption('ModelRatio', JSON.stringify({ [models]: 1 }))
  await harness.addChannel(openai.url, { type: 3, models, header_override: '{"*":""}' })
  const headers = { 'api-key': 'sk-callers-own', 'x-team': 'red', accept: 'text/callers-own' }
  await harness.send({ bearer, body: { ...CHAT, model: models }, headers })
  expect(openai.received.at(-1)?.headers).toMatchObject({
    'api-key': 'upstream-key-1',
    'x-team': 'red',
    accept: 'application/json',
  })
})
