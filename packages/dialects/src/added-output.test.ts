import { expect, test } from 'vitest'
import { findAddedOutput } from './added-output.ts'

test.each([
  { thinking: { type: 'enabled', budget_tokens: 30_000 } },
  { thinking: true },
  { thinking_budget: 30_000 },
  { thinkingBudget: '30000' },
  { Thinking_Budget: -1 },
  { reasoning: { max_tokens: 30_000 } },
  { reasoning: { effort: 'high' } },
  { reasoning_effort: 'high' },
  { max_new_tokens: 30_000 },
  { maxNewTokens: 30_000 },
  { auto_max_new_tokens: true },
  { options: { num_predict: -1 } },
  { n_predict: 30_000 },
  { parameters: { max_new_tokens: 30_000 } },
  { extra_body: { parameters: { MaxNewTokens: 30_000 } } },
  { min_tokens: 30_000 },
  { max_length: 30_000 },
  { enable_thinking: true },
  { generationConfig: { thinkingConfig: { thinkingBudget: 30_000 } } },
  { mаx_new_tokens: 30_000 },
])('%j may add output to the limit of the request', (members) => {
  expect(findAddedOutput({ model: 'm', max_tokens: 1, messages: [], ...members })).toBeDefined()
})

test.each([
  {},
  { max_tokens: 1, max_completion_tokens: 1, max_output_tokens: 1, generationConfig: { maxOutputTokens: 1 } },
  { thinking: { type: 'disabled' } },
  { reasoning: { enabled: false } },
  { reasoning_effort: 'none' },
  { enable_thinking: false },
  { thinking_budget: 0 },
  { auto_max_new_tokens: false },
  { messages: [{ role: 'user', content: 'x', max_new_tokens: 5 }], metadata: { num_predict: 9 } },
  { temperature: 1, top_p: 1, seed: 3, stop: ['tokens'], user: 'budget' },
])('%j adds none', (members) => {
  expect(findAddedOutput({ model: 'm', ...members })).toBeUndefined()
})
