import { expect, test } from 'vitest'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { isSane, modelLimits } from './model-limits.ts'

test.each([
  ['gpt-4o', 16_384],
  ['openai/gpt-4o-mini', 16_384],
  ['gpt-4o-2024-05-13', 4096],
  ['claude-opus-4-20250514', 32_000],
  ['gemini-2.5-pro', 65_536],
  ['something-new', 16_384],
])('%s gives at most %i tokens', (model, outputTokensMax) => {
  expect(modelLimits(model).outputTokensMax).toBe(outputTokensMax)
})

const bounds = {
  limits: { contextTokens: 10_000, outputTokensMax: 1000 },
  inputTokensCounted: 100,
  outputTokensMax: undefined,
  choices: 1,
}

function isBelieved(counts: Partial<Usage>, more: Partial<Parameters<typeof isSane>[1]> = {}): boolean {
  return isSane({ ...noUsage, ...counts }, { ...bounds, ...more })
}

test('ordinary usage is believed, up to the bounds', () => {
  expect(isBelieved({ inputText: 100, outputText: 50 })).toBe(true)
  expect(isBelieved({ inputText: 8 * 100 + 8192 })).toBe(true)
  expect(isBelieved({ outputText: 1000 })).toBe(true)
  expect(isBelieved({ outputText: 3000 }, { choices: 3 })).toBe(true)
  expect(isBelieved({ outputText: 5 }, { outputTokensMax: 5 })).toBe(true)
})

test('usage beyond a bound is doubted', () => {
  expect(isBelieved({ inputText: 8 * 100 + 8193 })).toBe(false)
  expect(isBelieved({ inputText: 4000, cacheRead: 4993 })).toBe(false)
  expect(isBelieved({ inputText: 10_001 }, { inputTokensCounted: 9000 })).toBe(false)
  expect(isBelieved({ outputText: 1001 })).toBe(false)
  expect(isBelieved({ outputText: 900, outputAudio: 101 })).toBe(false)
  expect(isBelieved({ outputText: 6 }, { outputTokensMax: 5 })).toBe(false)
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('a count of %s is doubted', (count) => {
  expect(isBelieved({ inputText: count })).toBe(false)
  expect(isBelieved({ outputText: count })).toBe(false)
  expect(isBelieved({ toolCalls: { web_search: count } })).toBe(false)
})
