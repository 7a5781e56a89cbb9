import { readFileSync } from 'node:fs'
import { recordAt, recordsAt, textAt } from '@tollgate/dialects/json'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import type { ReceivedRequest, ScriptedUpstream } from '../relay/upstream.ts'
import { claudeModels, geminiModels, openaiModels, openStrictVendor } from './strict-vendor.ts'

/**
 * For every model, requests of callers of every dialect must reach the vendor in the form and at the endpoint
 * it requires.
 */

const FIXTURE = new URL('../../../../packages/providers/fixtures/openai/expected.json', import.meta.url)

let harness: RelayHarness
let vendor: ScriptedUpstream
let bearer: string

const houses = [
  { type: 1, own: 'responses', models: Object.keys(openaiModels) },
  { type: 14, own: 'messages', models: Object.keys(claudeModels) },
  { type: 24, own: 'generate', models: Object.keys(geminiModels) },
] as const

beforeAll(async () => {
  harness = await openRelayHarness()
  vendor = await openStrictVendor()
  const all = houses.flatMap(({ models }) => models)
  const others = ['my-model', 'gpt-7', 'gpt-7-of-mine', 'zai-org/GLM-4.6', 'moonshot-v1-8k']
  await harness.setOption(
    'ModelRatio',
    JSON.stringify(Object.fromEntries([...all, ...others].map((each) => [each, 1]))),
  )
  for (const { type, models } of houses)
    await harness.addChannel(vendor.url, { type, models: models.join(',') })
  ;({ bearer } = await harness.addCaller({ quota: 10n ** 12n }))
})
afterAll(async () => {
  await harness.close()
  await vendor.close()
})

type Dialect = 'chat' | 'messages' | 'responses' | 'generate'

interface Wishes {
  readonly sampling?: true
  /** Sent together with the sampling members where the vendor's dialect has them. */
  readonly penalties?: true
  /** `off`, an effort level, or a budget in tokens. */
  readonly thinks?: 'off' | 'low' | 'medium' | 'high' | 'max' | number
  readonly tools?: true
}

const schema = { type: 'object', properties: { path: { type: 'string' } } }

/** Request body of a caller of each dialect. */
const writers: Readonly<Record<Dialect, (wishes: Wishes) => object>> = {
  chat: ({ sampling, penalties, thinks, tools }) => ({
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'hi' },
    ],
    max_tokens: 9000,
    ...(sampling && { temperature: 0.2, top_p: 0.9, ...(penalties && { frequency_penalty: 0.1 }) }),
    ...(typeof thinks === 'number' && { reasoning: { max_tokens: thinks } }),
    ...(typeof thinks === 'string' && { reasoning_effort: thinks === 'off' ? 'none' : thinks }),
    ...(tools && { tools: [{ type: 'function', function: { name: 'read', parameters: schema } }] }),
  }),
  messages: ({ sampling, thinks, tools }) => ({
    system: 'Be brief',
    messages: [{ role: 'user', content: 'hi' }],
    max_tokens: 9000,
    ...(sampling && { temperature: 0.2, top_p: 0.9, top_k: 5 }),
    ...(thinks === 'off' && { thinking: { type: 'disabled' } }),
    ...(typeof thinks === 'number' && { thinking: { type: 'enabled', budget_tokens: thinks } }),
    ...(typeof thinks === 'string' &&
      thinks !== 'off' && { thinking: { type: 'adaptive' }, output_config: { effort: thinks } }),
    ...(tools && { tools: [{ name: 'read', input_schema: schema }] }),
  }),
  responses: ({ sampling, thinks, tools }) => ({
    instructions: 'Be brief',
    input: 'hi',
    max_output_tokens: 9000,
    ...(sampling && { temperature: 0.2, top_p: 0.9 }),
    ...(typeof thinks === 'string' && { reasoning: { effort: thinks === 'off' ? 'none' : thinks } }),
    ...(tools && { tools: [{ type: 'function', name: 'read', parameters: schema }] }),
  }),
  generate: ({ sampling, penalties, thinks, tools }) => ({
    systemInstruction: { parts: [{ text: 'Be brief' }] },
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    generationConfig: {
      maxOutputTokens: 9000,
      ...(sampling && { temperature: 0.2, topP: 0.9, topK: 5, ...(penalties && { presencePenalty: 0.1 }) }),
      ...(thinks === 'off' && { thinkingConfig: { thinkingBudget: 0 } }),
      ...(typeof thinks === 'number' && { thinkingConfig: { thinkingBudget: thinks } }),
      ...(typeof thinks === 'string' &&
        thinks !== 'off' && { thinkingConfig: { thinkingLevel: thinks === 'max' ? 'high' : thinks } }),
    },
    ...(tools && { tools: [{ functionDeclarations: [{ name: 'read', parameters: schema }] }] }),
  }),
}

const asks: readonly Wishes[] = [
  { sampling: true },
  { sampling: true, thinks: 'medium' },
  { sampling: true, penalties: true },
  { thinks: 'off' },
  { thinks: 'low' },
  { thinks: 'max' },
  { thinks: 5000 },
  { tools: true },
  { tools: true, thinks: 'high', sampling: true },
]

function pathOf(dialect: Dialect, model: string, isStream: boolean): string {
  if (dialect === 'generate')
    return `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`
  return { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' }[dialect]
}

interface Call {
  readonly dialect: Dialect
  readonly model: string
  readonly wishes?: Wishes
  readonly isStream?: boolean
  readonly more?: object
}

async function call({ dialect, model, wishes = {}, isStream = false, more = {} }: Call) {
  const body = {
    ...(dialect !== 'generate' && { model, ...(isStream && { stream: true }) }),
    ...writers[dialect](wishes),
    ...more,
  }
  const path = pathOf(dialect, model, isStream)
  const answer = await harness.send({ bearer, path, body })
  const sent: ReceivedRequest | undefined = vendor.received.at(-1)
  return { ...answer, sent: sent?.body ?? {}, path: sent?.path ?? '' }
}

describe.each(houses)('models of channels of type $type', ({ own, models }) => {
  // A caller of the vendor's newest dialect is skipped: the request is forwarded unchanged.
  const dialects = (['chat', 'messages', 'responses', 'generate'] as const).filter((each) => each !== own)

  test.each(models.flatMap((model) => dialects.map((dialect) => [model, dialect] as const)))(
    '%s accepts the requests of %s callers',
    async (model, dialect) => {
      const native = dialect === 'chat' && own === 'responses'
      for (const wishes of asks)
        for (const isStream of [false, true]) {
          // In the same dialect an effort is forwarded unchanged, so an unsupported one may be refused.
          if (native && wishes.thinks !== undefined) continue
          // Claude's dialect has no penalties; such calls are refused.
          if (own === 'messages' && wishes.penalties) continue
          const { status, text } = await call({ dialect, model, wishes, isStream })
          expect([wishes, isStream, status, status === 200 ? '' : text]).toEqual([wishes, isStream, 200, ''])
        }
    },
  )
})

/** The text that a chat caller reads from a streamed or complete response. */
function saidIn(text: string): string {
  const frames = text.startsWith('data:')
    ? text.split('\n').filter((line) => line.startsWith('data: {'))
    : [`data: ${text}`]
  return frames
    .flatMap((frame) => recordsAt(JSON.parse(frame.slice('data: '.length)), 'choices'))
    .map((choice) => textAt(recordAt(choice, 'delta') ?? recordAt(choice, 'message') ?? {}, 'content') ?? '')
    .join('')
}

describe('the endpoint of a call', () => {
  test('a chat caller reads the same text whichever endpoint serves the call', async () => {
    const { conversation } = JSON.parse(readFileSync(FIXTURE, 'utf8'))
    for (const isStream of [false, true]) {
      const { status, text, path } = await call({ dialect: 'chat', model: 'o1-pro', isStream })
      expect([status, path, saidIn(text)]).toEqual([200, '/v1/responses', conversation.text])
      if (isStream) expect(text).toContain('data: [DONE]')
    }
  })

  test('a channel test uses the same endpoint as a call', async () => {
    const id = await harness.addChannel(vendor.url, { type: 1, models: 'o1-pro' })
    const before = vendor.received.length
    expect(await harness.probe.probe({ channelId: id, model: 'o1-pro' })).toMatchObject({ ok: true })
    expect(vendor.received[before]?.path).toBe('/v1/responses')
  })

  test.each([
    ['o1-pro', {}, '/v1/responses'],
    ['gpt-5.3-codex', {}, '/v1/responses'],
    ['gpt-5.2', { tools: true, thinks: 'high' }, '/v1/chat/completions'],
    ['gpt-5.5', { tools: true }, '/v1/chat/completions'],
    ['gpt-5.5', { tools: true, thinks: 'high' }, '/v1/responses'],
    ['gpt-6.1-sol', {}, '/v1/chat/completions'],
    ['gpt-6.1-sol', { tools: true }, '/v1/responses'],
    ['gpt-6.1-sol', { thinks: 'max' }, '/v1/responses'],
    ['gpt-4o', { tools: true }, '/v1/chat/completions'],
  ] as const)('the endpoint of %s with %j is %s', async (model, wishes, path) => {
    for (const dialect of ['chat', 'messages'] as const)
      expect(await call({ dialect, model, wishes })).toMatchObject({ status: 200, path })
  })

  test('an operator can set the endpoint for a channel', async () => {
    const setting = JSON.stringify({ model_traits: { '*-of-mine': { responses_for: [] } } })
    await harness.addChannel(vendor.url, { type: 1, models: 'gpt-7-of-mine', setting })
    await harness.addChannel(vendor.url, { type: 1, models: 'gpt-7' })
    const wishes = { tools: true } as const
    expect((await call({ dialect: 'messages', model: 'gpt-7', wishes })).path).toBe('/v1/responses')
    expect((await call({ dialect: 'messages', model: 'gpt-7-of-mine', wishes })).path).toBe(
      '/v1/chat/completions',
    )
  })
})

const search = { type: 'web_search_20250305', name: 'web_search' }
const read = { name: 'read', input_schema: schema }
function searching(model: string, tools: readonly object[]) {
  return call({ dialect: 'messages', model, more: { tools } })
}

describe('web search', () => {
  test.each([
    ['gpt-5.2', '/v1/responses', { tools: [{ type: 'web_search' }] }],
    ['gpt-4o', '/v1/responses', { tools: [{ type: 'web_search' }] }],
    ['gpt-4o-search-preview', '/v1/chat/completions', { web_search_options: {} }],
  ])('a web search with %s is sent to %s', async (model, path, sent) => {
    expect(await searching(model, [search])).toMatchObject({ status: 200, path, sent })
  })

  test('a web search of a Gemini caller is also sent to /v1/responses', async () => {
    const more = { tools: [{ googleSearch: {} }] }
    const { status, path, sent } = await call({ dialect: 'generate', model: 'gpt-5.2', more })
    expect([status, path]).toEqual([200, '/v1/responses'])
    expect(sent).toMatchObject({ tools: [{ type: 'web_search' }] })
  })

  test('a web search with an unknown model is sent as chat completions', async () => {
    await harness.addChannel(vendor.url, { type: 1, models: 'my-model' })
    const { path, sent } = await searching('my-model', [search])
    expect(path).toBe('/v1/chat/completions')
    expect(sent).toHaveProperty('web_search_options')
  })

  test.each([
    [40, 'zai-org/GLM-4.6'],
    [25, 'moonshot-v1-8k'],
  ])(
    'a web search beside functions is dropped for a vendor of type %s, which has none',
    async (type, model) => {
      await harness.addChannel(vendor.url, { type, models: model })
      const more = { tools: [{ type: 'web_search' }, { type: 'function', name: 'read', parameters: schema }] }
      const { status, headers, sent } = await call({ dialect: 'responses', model, more })
      expect([status, headers['x-tollgate-dropped']]).toEqual([200, 'web_search_options'])
      expect(sent).not.toHaveProperty('web_search_options')
      expect(sent['tools']).toHaveLength(1)
    },
  )

  test('a web search without other tools is refused for a vendor that has none, and costs nothing', async () => {
    await harness.quiet()
    const before = (await harness.entries()).length
    const { status, error } = await searching('zai-org/GLM-4.6', [search])
    expect([status, error['message']]).toEqual([400, expect.stringContaining('built-in web search')])
    expect((await searching('zai-org/GLM-4.6', [search, read])).status).toBe(200)
    await harness.quiet()
    expect(await harness.entries()).toHaveLength(before + 1)
  })
})

describe('members that a model refuses', () => {
  test.each([
    ['messages', 'gpt-6.1-sol', { sampling: true }, 'temperature, top_p, top_k'],
    ['chat', 'gpt-6.1-sol', { sampling: true, penalties: true }, 'temperature, top_p, frequency_penalty'],
    ['chat', 'gpt-5.3-codex', { sampling: true, penalties: true }, 'temperature, top_p, frequency_penalty'],
    ['chat', 'claude-sonnet-5', { sampling: true }, 'temperature, top_p'],
    ['chat', 'claude-opus-5-5', { thinks: 'off' }, 'reasoning_effort'],
    ['responses', 'gpt-4o', { thinks: 'high' }, undefined],
    ['chat', 'claude-3-7-sonnet-20250219', { sampling: true }, undefined],
    ['chat', 'claude-sonnet-4-5-20250929', { sampling: true }, 'top_p'],
    ['messages', 'gpt-4o', { thinks: 'high' }, 'reasoning_effort'],
  ] as const)(
    'callers of %s for %s with %j get the dropped members named: %s',
    async (dialect, model, wishes, names) => {
      const { headers } = await call({ dialect, model, wishes })
      expect(headers['x-tollgate-dropped']).toBe(names)
    },
  )

  test.each([
    ['messages', 'gpt-6.1-sol', { reasoning: { effort: 'max' } }],
    ['messages', 'gpt-5.2', { reasoning_effort: 'xhigh' }],
    ['chat', 'claude-opus-5', { output_config: { effort: 'max' } }],
    ['chat', 'claude-opus-4-6', { output_config: { effort: 'max' } }],
    ['chat', 'gemini-3.8-flash', { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } }],
  ] as const)('callers of %s keep the effort they request from %s', async (dialect, model, sent) => {
    expect((await call({ dialect, model, wishes: { thinks: 'max' } })).sent).toMatchObject(sent)
  })
})
