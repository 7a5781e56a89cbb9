import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** Nobody gets a dear model at a cheap one's price, or past a token's list, by a member that names one. */

const CHEAP = 'cheap-one'
const DEAR = 'dear-one'
const TYPES = { openai: 1, custom: 8, anthropic: 14, openrouter: 20, perplexity: 27 } as const

let harness: RelayHarness
let upstream: ScriptedUpstream
let all: string

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  for (const [name, type] of Object.entries(TYPES))
    await harness.addChannel(upstream.url, {
      type,
      models: `${CHEAP},${DEAR}`,
      group_names: name,
      model_mapping: JSON.stringify({ [DEAR]: 'vendor/dear' }),
    })
  await harness.addChannel(upstream.url, {
    type: TYPES.openrouter,
    models: `${CHEAP},${DEAR}`,
    group_names: 'never',
    setting: '{"other_models":"never"}',
  })
  await harness.addChannel(upstream.url, { type: TYPES.openrouter, models: CHEAP, group_names: 'lacking' })
  await harness.setOption('ModelRatio', JSON.stringify({ [CHEAP]: 0.05, [DEAR]: 75 }))
  const groups = [...Object.keys(TYPES), 'never', 'lacking']
  await harness.setOption('GroupRatio', JSON.stringify(Object.fromEntries(groups.map((name) => [name, 1]))))
  all = groups.join()
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.respond = (response, { path }) =>
    path.includes('messages')
      ? sendJson(response, 200, {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: DEAR,
          content: [{ type: 'text', text: 'x' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 10, output_tokens: 5 },
        })
      : path.includes('responses')
        ? sendJson(response, 200, {
            id: 'r',
            object: 'response',
            status: 'completed',
            model: DEAR,
            output: [
              {
                type: 'message',
                id: 'b',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: 'ok', annotations: [] }],
              },
            ],
            usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
          })
        : sendJson(response, 200, {
            id: 'c',
            object: 'chat.completion',
            created: 1,
            model: DEAR,
            choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
            usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
          })
})

const turns = [{ role: 'user', content: 'hi' }]
const bodies = {
  '/v1/chat/completions': { model: CHEAP, messages: turns, max_tokens: 100 },
  '/v1/responses': { model: CHEAP, input: 'hi', max_output_tokens: 100 },
  '/v1/messages': { model: CHEAP, messages: turns, max_tokens: 100 },
} as const

async function ask(group: string, token: object, path: keyof typeof bodies, more: object) {
  const { bearer } = await harness.addCaller({ quota: 100_000_000n, user: { group_name: group }, token })
  const before = upstream.received.length
  const answer = await harness.send({ bearer, path, body: { ...bodies[path], ...more } })
  await harness.quiet()
  return { answer, sent: upstream.received.slice(before) }
}

const onlyCheap = { model_limits_enabled: 1, model_limits: CHEAP }
const ways = [
  ['/v1/chat/completions', { models: [DEAR] }],
  ['/v1/responses', { models: [CHEAP, DEAR] }],
  ['/v1/messages', { fallbacks: [{ model: DEAR }] }],
  ['/v1/messages', { models: [DEAR] }],
  ['/v1/chat/completions', { fallbacks: [DEAR] }],
  ['/v1/chat/completions', { fallbacks: 'default' }],
  ['/v1/chat/completions', { model_name: DEAR, extra_body: { models: [DEAR] } }],
  ['/v1/messages', { reviewer: { model: DEAR } }],
] as const

test.each(Object.keys(TYPES).flatMap((group) => ways.map(([path, more]) => ({ group, path, more }))))(
  'a token of one model is not served by another: $group $path $more',
  async ({ group, path, more }) => {
    const { answer, sent } = await ask(group, onlyCheap, path, more)
    expect(answer.status, answer.text).toBe(200)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.text).not.toMatch(/dear|default/)
    expect(answer.headers['x-tollgate-dropped']).toMatch(/model|fallbacks/)
  },
)

test.each([
  ['openrouter', '/v1/chat/completions', { models: [CHEAP, DEAR] }, { models: [CHEAP, 'vendor/dear'] }],
  ['perplexity', '/v1/chat/completions', { models: [DEAR] }, { models: ['vendor/dear'] }],
  ['anthropic', '/v1/messages', { fallbacks: [{ model: DEAR }] }, { fallbacks: [{ model: 'vendor/dear' }] }],
] as const)('a vendor that reports who served keeps an allowed name: %s', async (group, path, more, kept) => {
  const { answer, sent } = await ask(group, {}, path, more)
  expect(answer.status, answer.text).toBe(200)
  expect(sent[0]?.body).toMatchObject(kept)
  expect(answer.headers['x-tollgate-dropped']).toBeUndefined()
})

test('a picture tool without its model still reaches the vendor', async () => {
  const tools = [{ type: 'image_generation', model: DEAR, quality: 'low' }]
  const { answer, sent } = await ask('openai', {}, '/v1/responses', { tools })
  expect(answer.status, answer.text).toBe(200)
  expect(sent[0]?.body['tools']).toEqual([{ type: 'image_generation', quality: 'low' }])
})

test.each([
  ['the switch of the channel', 'never'],
  ['a channel that does not list the model', 'lacking'],
  ['a vendor that does not say who served', 'openai'],
])('%s takes the name out', async (_why, group) => {
  const { answer, sent } = await ask(group, {}, '/v1/chat/completions', { models: [CHEAP, DEAR] })
  expect(answer.status).toBe(200)
  expect(sent[0]?.body['models'] ?? [CHEAP]).toEqual([CHEAP])
  expect(answer.headers['x-tollgate-dropped']).toBe('models')
})

test('a name without a price is taken out', async () => {
  const unpriced = 'nobody-knows-its-price'
  await harness.addChannel(upstream.url, {
    type: 20,
    models: `${CHEAP},${unpriced}`,
    group_names: 'unpriced',
  })
  await harness.setOption(
    'GroupRatio',
    JSON.stringify(Object.fromEntries([...all.split(','), 'unpriced'].map((n) => [n, 1]))),
  )
  const { sent } = await ask('unpriced', {}, '/v1/chat/completions', { models: [unpriced] })
  expect(sent[0]?.text).not.toContain(unpriced)
})

const adviser = { type: 'advisor_20260301', name: 'advisor', model: DEAR, max_uses: 2 }

test('an adviser that the token may not use refuses the call', async () => {
  const { answer, sent } = await ask('anthropic', onlyCheap, '/v1/messages', { tools: [adviser] })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('tools.model')
  expect(sent).toEqual([])
})

test('an adviser that is allowed reaches the vendor by the vendor’s name', async () => {
  const { answer, sent } = await ask('anthropic', {}, '/v1/messages', { tools: [adviser] })
  expect(answer.status, answer.text).toBe(200)
  expect(sent[0]?.body['tools']).toEqual([{ ...adviser, model: 'vendor/dear' }])
})

test('a query or a header chooses no model, address or key', async () => {
  const { bearer } = await harness.addCaller({ quota: 100_000_000n, user: { group_name: 'openai' } })
  const names = ['model', 'models', 'api_base', 'deployment', 'engine', 'preset', 'provider', 'key']
  for (const name of names) {
    const before = upstream.received.length
    const path = `/v1/chat/completions?${name}=dear-one&${name.toUpperCase()}=dear-one`
    const headers = {
      [`x-${name.replace('_', '-')}`]: 'dear-one',
      [`openai-${name.replace('_', '-')}`]: 'dear-one',
    }
    const answer = await harness.send({ bearer, path, headers, body: bodies['/v1/chat/completions'] })
    expect(answer.status, name).toBe(200)
    const { path: sent, headers: passed } = upstream.received[before] ?? { path: '', headers: {} }
    expect(sent + JSON.stringify(passed), name).not.toContain('dear')
  }
})

const chatAnswer = (model: string) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})

/** The model of an answer, whole and streamed, where the vendor says that `served` did it. */
async function namesFor(model: string, models: readonly string[], served: string): Promise<unknown[]> {
  const names: unknown[] = []
  for (const stream of [false, true]) {
    upstream.respond = (response) => {
      if (!stream) return sendJson(response, 200, chatAnswer(served))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const { choices: _whole, usage, ...head } = chatAnswer(served)
      const chunk = (choices: readonly object[], more: object = {}) =>
        `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
      response.write(chunk([{ index: 0, delta: { role: 'assistant', content: 'x' }, finish_reason: null }]))
      response.write(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }], { usage }))
      response.end('data: [DONE]\n\n')
    }
    const { answer } = await ask('openrouter', {}, '/v1/chat/completions', { model, models, stream })
    expect(answer.status, answer.text).toBe(200)
    const events = answer.text.startsWith('{')
      ? [JSON.parse(answer.text)]
      : answer.text
          .split('\n')
          .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
    names.push(...new Set(events.map((event: { model: string }) => event.model)))
  }
  return names
}

test.each([
  ['a mapped model that took over', CHEAP, [DEAR], 'vendor/dear', DEAR],
  ['a mapped model that took over, under its dated name', CHEAP, [DEAR], 'vendor/dear-2026-05-01', DEAR],
  ['the requested model, which is not mapped', CHEAP, [DEAR], CHEAP, CHEAP],
  ['the requested model, which is mapped', DEAR, [CHEAP], 'vendor/dear', DEAR],
  ['a model that took over and is not mapped', DEAR, [CHEAP], CHEAP, CHEAP],
  ['a model that nobody named', DEAR, [CHEAP], 'vendor/other', DEAR],
] as const)('an answer has the name of the caller for %s', async (_why, model, models, served, expected) => {
  expect(await namesFor(model, models, served)).toEqual([expected, expected])
})
