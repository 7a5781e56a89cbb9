import { readAsk } from '@tollgate/dialects/ask'
import { conversations, type ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { describe, expect, it } from 'vitest'
import { defaultChannelSettings } from './channel-settings.ts'
import { openConversion } from './convert.ts'
import { providerById } from './index.ts'
import { openAttempt } from './prepare/index.ts'

/** Callers send back the searches of earlier answers. A vendor gets its own as they were, and others as texts. */

const PAGE = { type: 'web_search_result', url: 'https://a.test/1', title: 'Page A', page_age: null }

/** The two blocks of a search; those of other vendors are marked by this gateway. */
const search = (id: string, sealed: string): JsonObject[] => [
  { type: 'server_tool_use', id, name: 'web_search', input: { query: 'rain' } },
  { type: 'web_search_tool_result', tool_use_id: id, content: [{ ...PAGE, encrypted_content: sealed }] },
]
const own = search('srvtoolu_01', 'EqgfCioIARgB')
const foreign = [
  search('srvtoolu_responses_ws_1', 'responses:'),
  search('srvtoolu_gemini_0', 'gemini:'),
  search('srvtoolu_openai_0', 'openai:'),
]
const NOTE = 'Web search for "rain":\n- Page A: https://a.test/1'

const turns = (content: readonly JsonObject[]) => [
  { role: 'user', content: 'Does it rain?' },
  { role: 'assistant', content: [...content, { type: 'text', text: 'No.' }] },
  { role: 'user', content: 'And tomorrow?' },
]

function converted(asked: ConversationOperation, to: ConversationOperation, body: JsonObject): string {
  const { body: written } = openConversion({
    asked,
    codec: conversations[to].upstream,
    body: { model: 'm', max_tokens: 100, ...body },
    model: 'm',
    isStream: false,
    outputTokensDefault: 4096,
  }).write()
  return JSON.stringify(written)
}

/** The messages that a native channel of Anthropic sends. */
function sent(content: readonly JsonObject[]): unknown {
  const provider = providerById('anthropic') ?? expect.fail('Anthropic is a provider')
  const body = { model: 'claude-5', max_tokens: 9, messages: turns(content) }
  const prepared = openAttempt({
    provider,
    upstream: {
      channelId: 1,
      type: provider.type,
      baseUrl: 'https://a.test',
      key: 'k',
      other: '',
      organization: '',
      createdTime: 0,
      settings: defaultChannelSettings,
    },
    operation: 'messages',
    ask: readAsk('messages', Buffer.from(JSON.stringify(body)), {}),
    model: 'claude-5',
    isStream: false,
    query: new URLSearchParams(),
  }).prepare()
  return JSON.parse(String(prepared.body)).messages
}

describe('a search of Claude in the history', () => {
  it.each(['chat', 'responses', 'generate'] as const)('is a text for %s', (to) => {
    const body = converted('messages', to, { messages: turns(own) })
    expect(body).toContain(JSON.stringify(NOTE).slice(1, -1))
    expect(body).not.toContain('EqgfCioIARgB')
  })

  it('goes to Claude as it was', () => {
    expect(sent(own)).toEqual(turns(own))
    const collected = conversations.messages.caller.readConversation(
      { model: 'm', max_tokens: 9, messages: turns(own) },
      {},
    )
    const { body } = {
      body: conversations.messages.upstream.writeRequest(collected, { outputTokensDefault: 9 }),
    }
    expect(JSON.parse(JSON.stringify(body)).messages[1]).toEqual(turns(own)[1])
  })
})

describe.each(foreign.map((blocks) => ({ blocks, id: blocks[0]?.['id'] })))(
  'the search $id of another vendor in the history',
  ({ blocks }) => {
    it('is a text for Claude, which would refuse it', () => {
      const location = { type: 'web_search_result_location', url: PAGE.url, cited_text: '' }
      const said = [
        { type: 'text', text: 'Dry.', citations: [{ ...location, encrypted_index: 'gemini:' }] },
        { type: 'text', text: 'So.', citations: [{ ...location, encrypted_index: 'Eo8B' }] },
      ]
      const { citations: _foreign, ...plain } = said[0] ?? {}
      expect(sent([...blocks, ...said])).toEqual(turns([{ type: 'text', text: NOTE }, plain, said[1] ?? {}]))
    })

    it.each(['chat', 'responses', 'generate'] as const)('is a text for %s', (to) => {
      const body = converted('messages', to, { messages: turns(blocks) })
      expect(body).toContain(JSON.stringify(NOTE).slice(1, -1))
    })
  },
)

describe('a search of Responses in the history', () => {
  const item = {
    id: 'ws_1',
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'rain', sources: [{ type: 'url', url: PAGE.url }] },
  }
  const input = [
    { role: 'user', content: 'Does it rain?' },
    item,
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'No.', annotations: [] }] },
    { role: 'user', content: 'And tomorrow?' },
  ]

  it.each(['chat', 'messages', 'generate'] as const)('is a text for %s', (to) => {
    const note = JSON.stringify(`Web search for "rain":\n- ${PAGE.url}`).slice(1, -1)
    expect(converted('responses', to, { input })).toContain(note)
  })

  it('goes to Responses as it was', () => {
    expect(JSON.parse(converted('responses', 'responses', { input })).input).toContainEqual(item)
  })
})

describe('a caller of another dialect who searches', () => {
  it('receives the pages that Responses found', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
    const messages = [{ role: 'user', content: 'Does it rain?' }]
    expect(JSON.parse(converted('messages', 'responses', { messages, tools })).include).toContain(
      'web_search_call.action.sources',
    )
    expect(converted('messages', 'responses', { messages })).not.toContain('web_search_call')
  })
})
