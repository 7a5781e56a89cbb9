import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { describe, expect, it } from 'vitest'
import { convert } from './convert.ts'

/** What is lost between two dialects without a word is an answer to another question. Source: spec providers 4.4. */

const OPERATIONS = ['chat', 'responses', 'messages', 'generate'] as const

function converted(asked: ConversationOperation, to: ConversationOperation, body: JsonObject): JsonObject {
  return convert({
    asked,
    codec: conversations[to].upstream,
    body: { model: 'm', max_tokens: 100, ...body },
    model: 'm',
    isStream: false,
    outputTokensDefault: 4096,
    media: new Map(),
  })
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

describe.each(foreign)('of a caller of %s: %s', (asked, _what, body, refusal) => {
  it.each(OPERATIONS.filter((to) => to !== asked))('is refused before %s', (to) => {
    expect(() => converted(asked, to, body)).toThrow(refusal)
  })
})

describe('files of OpenAI', () => {
  const file = user([{ type: 'file', file: { file_id: 'f' } }])

  it('are known to both of its dialects, and pictures by id to one', () => {
    expect(JSON.stringify(converted('chat', 'responses', file))).toContain('"file_id":"f"')
    expect(
      JSON.stringify(converted('responses', 'chat', item([{ type: 'input_file', file_id: 'f' }]))),
    ).toContain('"f"')
    const picture = item([{ type: 'input_image', file_id: 'f' }])
    expect(() => converted('responses', 'chat', picture)).toThrow(/file id/)
  })

  it.each(['messages', 'generate'] as const)('are refused before %s', (to) => {
    expect(() => converted('chat', to, file)).toThrow(/file id/)
  })
})

it.each(['messages', 'generate'] as const)('arguments that are no JSON stay readable in %s', (to) => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"city": Rome}' } }
  const body = converted('chat', to, {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: '21' },
    ],
  })
  expect(JSON.stringify(body)).toContain(JSON.stringify({ input: '{"city": Rome}' }))
})
