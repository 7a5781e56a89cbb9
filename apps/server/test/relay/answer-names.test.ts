import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from './upstream.ts'

/** Which model name answers carry where a channel maps the name: the one that was asked for. */

const VENDOR_NAME = 'vendor/real-model-2026'
/** Text and arguments that mention a model are the model's own words. */
const WORDS = `{"model":"${VENDOR_NAME}"} says "model":"${VENDOR_NAME}"`

let harness: RelayHarness
let vendor: ScriptedUpstream
let bearer: string

const kinds = {
  chat: { type: 8, path: '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'x' }] } },
  completions: { type: 8, path: '/v1/completions', body: { prompt: 'x' } },
  messages: {
    type: 14,
    path: '/v1/messages',
    body: { max_tokens: 100, messages: [{ role: 'user', content: 'x' }] },
  },
  responses: { type: 1, path: '/v1/responses', body: { input: 'x' } },
  generate: { type: 24, path: '', body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] } },
  embeddings: { type: 8, path: '/v1/embeddings', body: { input: 'x' } },
} as const

type Kind = keyof typeof kinds
const streamed = ['chat', 'completions', 'messages', 'responses', 'generate'] as const
const all = [...streamed, 'embeddings'] as const

beforeAll(async () => {
  harness = await openRelayHarness()
  vendor = await openScriptedUpstream()
  for (const kind of all)
    for (const [name, members] of Object.entries({
      mapped: { model_mapping: JSON.stringify({ [`mapped-${kind}`]: VENDOR_NAME }) },
      shown: {
        model_mapping: JSON.stringify({ [`shown-${kind}`]: VENDOR_NAME }),
        setting: '{"upstream_model_name":true}',
      },
      plain: {},
    }))
      await harness.addChannel(vendor.url, { type: kinds[kind].type, models: `${name}-${kind}`, ...members })
  const names = all.flatMap((kind) => ['mapped', 'shown', 'plain'].map((name) => [`${name}-${kind}`, 1]))
  await harness.setOption('ModelRatio', JSON.stringify(Object.fromEntries(names)))
})
afterAll(async () => {
  await harness.close()
  await vendor.close()
})
beforeEach(async () => {
  ;({ bearer } = await harness.addCaller())
})

function ask(kind: Kind, name: string, isStream: boolean) {
  const { path, body } = kinds[kind]
  if (kind !== 'generate')
    return { bearer, path, body: { model: name, ...body, ...(isStream && { stream: true }) } }
  const verb = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return { bearer, path: `/v1beta/models/${name}:${verb}`, body }
}

const message = { id: 'm1', type: 'message', role: 'assistant' }
const usage = { input_tokens: 1, output_tokens: 1 }
const item = { ...message, content: [{ type: 'output_text', text: WORDS, annotations: [] }] }
const response = { id: 'r1', object: 'response', output: [item], usage }
const tokens = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

const wholes: Readonly<Record<Kind, object>> = {
  chat: {
    id: 'c1',
    object: 'chat.completion',
    provider: { model: VENDOR_NAME },
    model: VENDOR_NAME,
    choices: [{ index: 0, message: { role: 'assistant', content: WORDS }, finish_reason: 'stop' }],
    usage: tokens,
  },
  completions: {
    id: 'c1',
    object: 'text_completion',
    choices: [{ index: 0, text: WORDS, finish_reason: 'stop' }],
    usage: tokens,
    model: VENDOR_NAME,
  },
  messages: {
    ...message,
    content: [{ type: 'text', text: WORDS }],
    model: VENDOR_NAME,
    stop_reason: 'end_turn',
    usage,
  },
  responses: { ...response, status: 'completed', model: VENDOR_NAME },
  generate: {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: WORDS }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
    modelVersion: VENDOR_NAME,
  },
  embeddings: {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: Array.from({ length: 90_000 }, () => 0.125) }],
    model: VENDOR_NAME,
    usage: tokens,
  },
}

function chunk(choices: readonly object[], more: object = {}): object {
  return { id: 'c1', object: 'chat.completion.chunk', created: 1, model: VENDOR_NAME, choices, ...more }
}

const place = { item_id: 'm1', output_index: 0, content_index: 0 }
const streams: Readonly<Record<(typeof streamed)[number], readonly object[]>> = {
  chat: [
    chunk([{ index: 0, delta: { role: 'assistant', content: WORDS }, finish_reason: null }]),
    chunk([{ index: 0, delta: { content: 'two' }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
  ],
  completions: [
    chunk([{ index: 0, text: WORDS, finish_reason: null }]),
    chunk([{ index: 0, text: '', finish_reason: 'stop' }], { usage: tokens }),
  ],
  messages: [
    { type: 'message_start', message: { ...message, content: [], model: VENDOR_NAME, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: WORDS } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ],
  responses: [
    {
      type: 'response.created',
      response: { ...response, output: [], status: 'in_progress', model: VENDOR_NAME },
    },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.output_text.delta', ...place, delta: WORDS },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', model: VENDOR_NAME } },
  ],
  generate: [wholes.generate, wholes.generate],
}

function streamOf(kind: (typeof streamed)[number]): Responder {
  const frames = streams[kind].map((event) => {
    const name = 'type' in event ? `event: ${String(event.type)}\n` : ''
    return `${name}data: ${JSON.stringify(event)}\n\n`
  })
  const text = frames.join('') + (kind === 'chat' || kind === 'completions' ? 'data: [DONE]\n\n' : '')
  return (reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.end(text)
  }
}

/** The names at the place where a dialect names its model, in a whole answer or in each event. */
function namesIn(kind: Kind, text: string): string[] {
  const objects = text.startsWith('{')
    ? [JSON.parse(text)]
    : text
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice(6)))
  const names = objects.map((object) =>
    kind === 'generate'
      ? object.modelVersion
      : (object.model ?? object.message?.model ?? object.response?.model),
  )
  return [...new Set(names.filter((name) => name !== undefined))]
}

const forms = [
  ...all.map((kind) => ({ kind, isStream: false })),
  ...streamed.map((kind) => ({ kind, isStream: true })),
]

describe.each(forms)('$kind (stream: $isStream)', ({ kind, isStream }) => {
  beforeEach(() => {
    vendor.respond =
      isStream && kind !== 'embeddings' ? streamOf(kind) : (reply) => sendJson(reply, 200, wholes[kind])
  })

  test('an answer to a mapped name carries the name that was asked for, and nothing else is changed', async () => {
    const mapped = await harness.send(ask(kind, `mapped-${kind}`, isStream))
    expect([mapped.status, namesIn(kind, mapped.text)]).toEqual([200, [`mapped-${kind}`]])
    const shown = await harness.send(ask(kind, `shown-${kind}`, isStream))
    expect(namesIn(kind, shown.text)).toEqual([VENDOR_NAME])
    const names = new RegExp(`("(?:model|modelVersion)":)"mapped-${kind}"`, 'g')
    expect(mapped.text.replace(names, `$1"${VENDOR_NAME}"`)).toBe(shown.text)
  })

  test('an answer to a name that is not mapped passes as it came', async () => {
    const plain = await harness.send(ask(kind, `plain-${kind}`, isStream))
    const shown = await harness.send(ask(kind, `shown-${kind}`, isStream))
    expect(plain.text).toBe(shown.text)
  })
})

test('the end that the gateway writes into a stream carries the asked name too', async () => {
  const text = streams.chat.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  vendor.respond = (reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.end(text)
  }
  const request = ask('chat', 'mapped-chat', true)
  const body = { ...request.body, stream_options: { include_usage: true } }
  const answer = await harness.send({ ...request, body })
  expect(answer.text).toContain('"usage":{')
  expect(namesIn('chat', answer.text)).toEqual(['mapped-chat'])
})
