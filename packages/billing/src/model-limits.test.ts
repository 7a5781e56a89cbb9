import { expect, test } from 'vitest'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { isCount, modelLimits, type UsageBounds } from './model-limits.ts'

test.each([
  ['gpt-4o', 16_384],
  ['openai/gpt-4o-mini', 16_384],
  ['gpt-4o-2024-05-13', 4096],
  ['claude-opus-4-20250514', 32_000],
  ['gemini-2.5-pro', 65_536],
  ['gpt-6.1-sol', 128_000],
  ['gpt-5-pro', 272_000],
  ['us.anthropic.claude-opus-4-1-20250805-v1:0', 32_000],
  ['claude-fable-5-2', 128_000],
  ['something-new', 131_072],
])('%s returns at most %i tokens', (model, outputTokensMax) => {
  expect(modelLimits(model).outputTokensMax).toBe(outputTokensMax)
})

test.each([
  ['qwen3-max', 65_536],
  ['glm-4.6', 131_072],
  ['deep-thinker-of-nobody', 131_072],
  ['gpt-5', undefined],
  ['claude-sonnet-4-5-thinking', undefined],
])('%s may use %s reasoning tokens beyond the requested maximum', (model, tokens) => {
  expect(modelLimits(model).reasoningTokensMax).toBe(tokens)
})

test.each(['gpt-4o-search-preview', 'perplexity/sonar-pro', 'o4-mini-deep-research', 'openai/gpt-4o:online'])(
  '%s is recognised as a model that always searches',
  (model) => {
    expect(modelLimits(model).searches).toBe(true)
    expect(modelLimits('gpt-4o').searches).toBeUndefined()
  },
)

const bounds: UsageBounds = {
  limits: { contextTokens: 10_000, outputTokensMax: 1000 },
  inputTokensCounted: 100,
  choices: 1,
}

function isBelieved(counts: Partial<Usage>, more: Partial<UsageBounds> = {}): boolean {
  return isCount({ ...noUsage, ...counts }, { ...bounds, ...more })
}

test('a usage report far above the counted input or the requested output is accepted', () => {
  expect(isBelieved({ inputText: 100, outputText: 50 })).toBe(true)
  expect(isBelieved({ inputText: 10_000, cacheRead: 10_000 })).toBe(true)
  expect(isBelieved({ outputText: 10_000 })).toBe(true)
  expect(isBelieved({ outputText: 30_000 }, { choices: 3 })).toBe(true)
  expect(isBelieved({ images: 7 }, { pictures: 1 })).toBe(true)
})

test('a usage report with a part above the context of the model is rejected', () => {
  expect(isBelieved({ inputText: 10_001 })).toBe(false)
  expect(isBelieved({ cacheRead: 10_001 })).toBe(false)
  expect(isBelieved({ outputText: 10_001 })).toBe(false)
})

test('the bound grows with the number of times that an upstream reads its context for tools', () => {
  expect(isBelieved({ cacheRead: 100_000 }, { readings: 10 })).toBe(true)
  expect(isBelieved({ cacheRead: 100_001 }, { readings: 10 })).toBe(false)
})

test('the bound is ten million tokens when the context of a model is unknown', () => {
  const limits = modelLimits('something-new')
  expect(isBelieved({ inputText: 10_000_000 }, { limits })).toBe(true)
  expect(isBelieved({ inputText: 10_000_001 }, { limits })).toBe(false)
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%s is rejected as a count', (count) => {
  expect(isBelieved({ inputText: count })).toBe(false)
  expect(isBelieved({ outputText: count })).toBe(false)
  expect(isBelieved({ images: count })).toBe(false)
  expect(isBelieved({ toolCalls: { web_search: count } })).toBe(false)
})
