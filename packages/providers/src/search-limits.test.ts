import { anthropicUpstream } from '@tollgate/dialects/anthropic/codec'
import type { NamedCodec } from '@tollgate/dialects/canonical/codec'
import type { ConversationOperation } from '@tollgate/dialects/conversations'
import type { JsonObject } from '@tollgate/dialects/json'
import { responsesUpstream } from '@tollgate/dialects/responses/codec'
import { expect, test } from 'vitest'
import { openConversion } from './convert.ts'

/**
 * Holds of accounts that may not overdraw are computed from the client's limit on searches, so the vendor
 * must receive that limit.
 */

const turns = [{ role: 'user', content: 'hi' }]
const SEARCH = { type: 'web_search_20250305', name: 'web_search' }

function converted(asked: ConversationOperation, codec: NamedCodec, body: JsonObject) {
  return openConversion({
    asked,
    codec,
    body,
    model: 'm',
    isStream: false,
    outputTokensDefault: 1_000,
  }).write()
}

test('a search limit of a Messages client is passed on to Responses', () => {
  const body = { messages: turns, max_tokens: 100, tools: [{ ...SEARCH, max_uses: 2 }] }
  const { body: sent, dropped } = converted('messages', responsesUpstream, body)
  expect(sent).toMatchObject({ tools: [{ type: 'web_search' }], max_tool_calls: 2 })
  expect(dropped).toEqual([])
})

test('a search without a limit gets none in Responses', () => {
  const { body } = converted('messages', responsesUpstream, {
    messages: turns,
    max_tokens: 100,
    tools: [SEARCH],
  })
  expect(body['max_tool_calls']).toBeUndefined()
})

test('a search limit of a Responses client is passed on to Messages', () => {
  const body = { input: 'hi', tools: [{ type: 'web_search' }], max_tool_calls: 2 }
  const { body: sent, dropped } = converted('responses', anthropicUpstream, body)
  expect(sent).toMatchObject({ tools: [{ name: 'web_search', max_uses: 2 }] })
  expect(sent).not.toHaveProperty('max_tool_calls')
  expect(dropped).toEqual([])
})
