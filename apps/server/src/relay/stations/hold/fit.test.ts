import { readAsk } from '@tollgate/dialects/ask'
import { expect, test } from 'vitest'
import { heldWith } from '../../../../test/relay/parts.ts'
import { chat, generate, messages, responses } from '../../operations/index.ts'
import type { Operation } from '../../operations/operation.ts'
import { withOutputLimit } from './fit.ts'

const turns = [{ role: 'user', content: 'hi' }]
const contents = [{ parts: [{ text: 'hi' }] }]

test.each<{ operation: Operation; body: Record<string, unknown>; fitted: Record<string, unknown> }>([
  { operation: chat, body: { messages: turns }, fitted: { max_tokens: 7 } },
  { operation: messages, body: { messages: turns, max_tokens: 99 }, fitted: { max_tokens: 7 } },
  {
    operation: messages,
    body: { messages: turns, max_tokens: 99, thinking: { type: 'enabled', budget_tokens: 64 } },
    fitted: { max_tokens: 7, thinking: { type: 'disabled' } },
  },
  { operation: responses, body: { input: 'hi' }, fitted: { max_output_tokens: 7 } },
  {
    operation: generate,
    body: { contents, generationConfig: { temperature: 1, maxOutputTokens: 99 } },
    fitted: { generationConfig: { temperature: 1, maxOutputTokens: 7 } },
  },
  {
    operation: generate,
    body: { contents, generation_config: { max_output_tokens: 99 } },
    fitted: { generation_config: { max_output_tokens: 7 } },
  },
])('a call of $operation.name is reduced in the words of its own dialect', ({ operation, body, fitted }) => {
  const bytes = Buffer.from(JSON.stringify(body))
  const ask = readAsk(operation.wire, bytes, { pathModel: 'm', isStream: true })
  const { ask: smaller } = withOutputLimit(heldWith({ operation, ask }), 7)
  expect(smaller.body).toEqual({ ...body, ...fitted })
  expect(smaller).toMatchObject({ model: 'm', isStream: true, outputTokensMax: 7 })
})

test.each([
  [32_000, 31_999, 20_000, 10_000],
  [32_000, 31_999, 1_500, 1_024],
  [32_000, 10_000, 20_000, 10_000],
])(
  'a call of %d tokens, %d of them for thinking, keeps a thinking budget below its new limit of %d',
  (asked, budget, most, kept) => {
    const thinking = { type: 'enabled', budget_tokens: budget }
    const bytes = Buffer.from(JSON.stringify({ model: 'm', max_tokens: asked, thinking, messages: turns }))
    const { ask } = withOutputLimit(heldWith({ operation: messages, ask: readAsk('messages', bytes) }), most)
    expect(ask.body).toMatchObject({
      max_tokens: most,
      thinking: { type: 'enabled', budget_tokens: kept },
    })
  },
)
