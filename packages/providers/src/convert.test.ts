import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { describe, expect, it } from 'vitest'
import { openConversion } from './convert.ts'

/**
 * Content that a conversion drops silently makes the model answer another question. These tests check that
 * such content is refused or written in another form.
 */

const OPERATIONS = ['chat', 'responses', 'messages', 'generate'] as const

function converted(asked: ConversationOperation, to: ConversationOperation, body: JsonObject): JsonObject {
  return openConversion({
    asked,
    codec: conversations[to].upstream,
    body: { model: 'm', max_tokens: 100, ...body },
    model: 'm',
    isStream: false,
    outputTokensDefault: 4096,
  }).write().body
}

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const item = (content: unknown) => ({ input: [{ role: 'user', content }] })
const contents = (...parts: unknown[]) => ({ contents: [{ role: 'user', parts }] })
const text = [{ type: 'text', text: 'hi' }]
const HOLOGRAM = { type: 'hologram' }

const foreign: readonly (readonly [ConversationOperation, string, JsonObject, RegExp])[] = [
  ['chat', 'a part nobody knows', user([...text, HOLOGRAM]), /not_expressible.*'hologram' parts/],
  ['messages', 'a block nobody knows', user([...text, HOLOGRAM]), /'hologram' parts/],
  ['messages', 'results of a search of the caller’s', user([{ type: 'search_result' }]), /'search_result'/],
  [
    'messages',
    'a reference in the result of a tool',
    {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'tool_reference' }] }],
        },
      ],
    },
    /'tool_reference'/,
  ],
  [
    'messages',
    'a file at the vendor',
    user([{ type: 'image', source: { type: 'file', file_id: 'f' } }]),
    /media_unsupported.*file id/,
  ],
  [
    'messages',
    'servers that the vendor calls',
    { ...user('hi'), mcp_servers: [{ name: 'm' }] },
    /MCP servers/,
  ],
  [
    'responses',
    'the output of a computer',
    { input: [{ type: 'computer_call_output' }] },
    /computer_call_output/,
  ],
  ['generate', 'a part nobody knows', contents({ text: 'hi' }, { hologram: 1 }), /'hologram' parts/],
  [
    'generate',
    'a file at the vendor',
    contents({ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/a' } }),
    /media_unsupported.*file id/,
  ],
  ['generate', 'cached content', { ...contents({ text: 'hi' }), cachedContent: 'c/1' }, /cached content/],
]

describe.each(foreign)('a request of %s with %s', (asked, _what, body, refusal) => {
  it.each(OPERATIONS.filter((to) => to !== asked))('is refused for upstream %s', (to) => {
    expect(() => converted(asked, to, body)).toThrow(refusal)
  })
})

describe('files stored at OpenAI', () => {
  const file = user([{ type: 'file', file: { file_id: 'f' } }])

  it('are kept between chat and Responses, except image ids, which chat does not support', () => {
    expect(JSON.stringify(converted('chat', 'responses', file))).toContain('"file_id":"f"')
    expect(
      JSON.stringify(converted('responses', 'chat', item([{ type: 'input_file', file_id: 'f' }]))),
    ).toContain('"f"')
    const picture = item([{ type: 'input_image', file_id: 'f' }])
    expect(() => converted('responses', 'chat', picture)).toThrow(/file id/)
  })

  it.each(['messages', 'generate'] as const)('are refused for upstream %s', (to) => {
    expect(() => converted('chat', to, file)).toThrow(/file id/)
  })
})

it.each(['messages', 'generate'] as const)(
  'tool call arguments that are not JSON stay readable in %s',
  (to) => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"city": Rome}' } }
    const body = converted('chat', to, {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: '21' },
      ],
    })
    expect(JSON.stringify(body)).toContain(JSON.stringify({ input: '{"city": Rome}' }))
  },
)

const calls = ['t1', 't2'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} }))
const results = ['t2', 't1'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id }))

it('tool results reach Gemini in the order of their calls, because some of its endpoints match them by order only', () => {
  const body = converted('messages', 'generate', {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: calls },
      { role: 'user', content: [...results, { type: 'text', text: 'and?' }] },
    ],
  })
  expect(Object(body['contents'])[2].parts).toMatchObject([
    { functionResponse: { id: 't1', response: { output: 't1' } } },
    { functionResponse: { id: 't2', response: { output: 't2' } } },
    { text: 'and?' },
  ])
})

describe('a web search limited to some sites', () => {
  const bound = { type: 'web_search_20250305', name: 'web_search' }
  const asks = (more: object) => ({ ...user('hi'), tools: [{ ...bound, ...more }] })

  it.each([
    ['chat', { allowed_domains: ['a.test'] }],
    ['generate', { blocked_domains: ['a.test'] }],
    ['responses', { blocked_domains: ['a.test'] }],
  ] as const)('is refused for upstream %s with %j', (to, more) => {
    expect(() => converted('messages', to, asks(more))).toThrow(/certain sites/)
  })

  it('is converted where the upstream supports the filter', () => {
    expect(converted('messages', 'responses', asks({ allowed_domains: ['a.test'] }))).toMatchObject({
      tools: [{ type: 'web_search', filters: { allowed_domains: ['a.test'] } }],
    })
  })
})

it.each(['chat', 'responses', 'generate'] as const)('the context of a document reaches %s', (to) => {
  const source = { type: 'text', media_type: 'text/plain', data: 'the text' }
  const document = { type: 'document', source, title: 'T', context: 'written in 1970' }
  expect(JSON.stringify(converted('messages', to, user([document, ...text])))).toContain('written in 1970')
})

it.each([
  ['chat', { file: { filename: 'Notes.txt' } }],
  ['responses', { filename: 'Notes.txt' }],
] as const)('a Claude document gets a file name with an extension for %s', (to, named) => {
  const source = { type: 'text', media_type: 'text/plain', data: 'the text' }
  const body = converted('messages', to, user([{ type: 'document', source, title: 'Notes' }, ...text]))
  expect(Object(Object(body['messages'] ?? body['input'])[0]).content[0]).toMatchObject(named)
})

it.each(['chat', 'responses'] as const)('a Gemini schema becomes a JSON Schema for %s', (to) => {
  const responseSchema = {
    type: 'OBJECT',
    properties: {
      city: { type: 'STRING', nullable: true, enum: ['Rome'] },
      tags: { type: 'ARRAY', items: { type: 'STRING' }, maxItems: '3' },
      any: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }], nullable: true },
    },
    propertyOrdering: ['city', 'tags'],
  }
  const generationConfig = { responseMimeType: 'application/json', responseSchema }
  const body = converted('generate', to, { ...contents({ text: 'hi' }), generationConfig })
  const format = Object(body['response_format'] ?? Object(body['text']).format)
  expect((format.json_schema ?? format).schema).toEqual({
    type: 'object',
    properties: {
      city: { type: ['string', 'null'], enum: ['Rome', null] },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
      any: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    },
  })
})

it('the thinking budget for Gemini stays below the output token limit', () => {
  const ask = { ...user('hi'), reasoning_effort: 'high', max_completion_tokens: 2000 }
  expect(converted('chat', 'generate', ask)).toMatchObject({
    generationConfig: { maxOutputTokens: 2000, thinkingConfig: { thinkingBudget: 1600 } },
  })
})

it.each([
  ['chat', 'no such city', '"Error: no such city"'],
  ['responses', 'no such city', '"Error: no such city"'],
  ['chat', '<tool_error>none</tool_error>', '"<tool_error>none</tool_error>"'],
  ['generate', 'no such city', '{"error":"no such city"}'],
] as const)('the failure of a tool is passed on to %s: %s', (to, content, written) => {
  const body = converted('messages', to, {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: calls.slice(0, 1) },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', is_error: true, content }] },
    ],
  })
  expect(JSON.stringify(body)).toContain(written)
})
