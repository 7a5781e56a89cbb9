import { readAsk } from '@tollgate/dialects/ask'
import type { CallOperation } from '@tollgate/dialects/conversations'
import { expect, test } from 'vitest'
import { heldWith } from '../../../test/relay/parts.ts'
import { withOutputLimit } from './fit.ts'

const turns = [{ role: 'user', content: 'hi' }]
const contents = [{ parts: [{ text: 'hi' }] }]

test.each<{ operation: CallOperation; body: Record<string, unknown>; fitted: Record<string, unknown> }>([
  { operation: 'chat', body: { messages: turns }, fitted: { max_tokens: 7 } },
  { operation: 'messages', body: { messages: turns, max_tokens: 99 }, fitted: { max_tokens: 7 } },
  { operation: 'responses', body: { input: 'hi' }, fitted: { max_output_tokens: 7 } },
  {
    operation: 'generate',
    body: { contents, generationConfig: { temperature: 1, maxOutputTokens: 99 } },
    fitted: { generationConfig: { temperature: 1, maxOutputTokens: 7 } },
  },
  {
    operation: 'generate',
    body: { contents, generation_config: { max_output_tokens: 99 } },
    fitted: { generation_config: { max_output_tokens: 7 } },
  },
])('a call of $operation asks for less in its own words', ({ operation, body, fitted }) => {
  const bytes = Buffer.from(JSON.stringify(body))
  const ask = readAsk(operation, bytes, { pathModel: 'm', isStream: true })
  const { ask: smaller } = withOutputLimit(heldWith({ operation, ask }), 7)
  expect(smaller.body).toEqual({ ...body, ...fitted })
  expect(smaller).toMatchObject({ model: 'm', isStream: true, outputTokensMax: 7 })
})
