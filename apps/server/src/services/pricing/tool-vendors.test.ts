import { expect, it } from 'vitest'
import { isToolOf } from './tool-vendors.ts'

it.each([
  ['file_search', 'o3', 'openai', true],
  ['file_search', 'claude-opus-4', 'anthropic', false],
  ['google_search', 'gpt-4o-mini', 'openai', false],
  ['google_search', 'deepseek-chat', 'deepseek', false],
  ['google_search', 'my-model', 'custom', true],
  ['own_tool', 'claude-opus-4', 'anthropic', true],
])('%s with %s (owner %s) is possible: %s', (tool, model, owner, expected) => {
  expect(isToolOf(tool, { model, owner })).toBe(expected)
})
