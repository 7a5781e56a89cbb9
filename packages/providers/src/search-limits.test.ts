import { anthropicUpstream } from '@tollgate/dialects/anthropic/codec'
import type { NamedCodec } from '@tollgate/dialects/canonical/codec'
import type { ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { responsesUpstream } from '@tollgate/dialects/responses/codec'
import { expect, test } from 'vitest'
import { convert } from './convert.ts'

/** Holds of accounts that may owe nothing count with the caller's limit on searches, so the vendor must be told of it. */

const turns = [{ role: 'user', content: 'hi' }]
const SEARCH = { type: 'web_search_20250305', name: 'web_search' }

function converted(asked: ConversationOperation, codec: NamedCodec, body: JsonObject) {
  return convert({
    asked,
    codec,
    body,
    model: 'm',
    isStream: false,
    outputTokensDefault: 1_000,
    media: new Map(),
  })
}

test('searches that a caller of Messages limits are limited at Responses', () => {
  const body = { messages: turns, max_tokens: 100, tools: [{ ...SEARCH, max_uses: 2 }] }
  const { body: sent, dropped } = converted('messages', responsesUpstream, body)
  expect(sent).toMatchObject({ tools: [{ type: 'web_search' }], max_tool_calls: 2 })
  expect(dropped).toEqual([])
})

test('a search without a limit gets none at Responses', () => {
  const { body } = converted('messages', responsesUpstream, {
    messages: turns,
    max_tokens: 100,
    tools: [SEARCH],
  })
  expect(body).not.toHaveProperty('max_tool_calls')
})

test('searches that a caller of Responses limits are limited at Messages', () => {
  const body = { input: 'hi', tools: [{ type: 'web_search' }], max_tool_calls: 2 }
  const { body: sent, dropped } = converted('responses', anthropicUpstream, body)
  expect(sent).toMatchObject({ tools: [{ name: 'web_search', max_uses: 2 }] })
  expect(sent).not.toHaveProperty('max_tool_calls')
  expect(dropped).toEqual([])
})
