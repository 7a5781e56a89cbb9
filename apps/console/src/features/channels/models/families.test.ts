import { expect, it } from 'vitest'
import { byFamily, familyOf } from './families.ts'

it.each([
  ['gpt-4o', 'OpenAI'],
  ['o3-mini', 'OpenAI'],
  ['anthropic.claude-3', 'Claude'],
  ['deepseek-ai/DeepSeek-V3', 'DeepSeek'],
  ['meta/llama3-405b', 'Llama'],
  ['something-else', ''],
])('%s belongs to "%s"', (model, family) => {
  expect(familyOf(model)).toBe(family)
})

it('families are in list order, names are sorted, and unknown models come last', () => {
  expect(byFamily(['x', 'gpt-b', 'claude-1', 'gpt-a'])).toEqual([
    { name: 'OpenAI', models: ['gpt-a', 'gpt-b'] },
    { name: 'Claude', models: ['claude-1'] },
    { name: '', models: ['x'] },
  ])
})
