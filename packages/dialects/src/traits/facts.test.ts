import { describe, expect, test } from 'vitest'
import { factsOf } from './facts.ts'
import { sizesOf } from './sizes.ts'

const sees = ['text', 'image', 'file']

describe('documented facts', () => {
  test.each([
    ['gpt-5.2', { contextTokens: 400_000, outputTokensMax: 128_000, input: sees, output: ['text'] }],
    ['openai/gpt-6.1-sol', { contextTokens: 1_050_000, outputTokensMax: 128_000 }],
    ['gpt-4', { contextTokens: 8_192, shutdownDate: '2026-10-23' }],
    ['gpt-5-mini-2025-08-07', { contextTokens: 400_000, shutdownDate: '2026-12-11' }],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', { contextTokens: 200_000, outputTokensMax: 64_000 }],
    ['claude-opus-4-20250514', { contextTokens: 200_000, shutdownDate: '2026-06-15' }],
    ['claude-sonnet-5-5', { contextTokens: 1_000_000, outputTokensMax: 128_000 }],
    ['gemini-2.5-pro', { contextTokens: 1_048_576, shutdownDate: '2026-12-01' }],
    ['gemini-2.5-flash-lite', { contextTokens: 1_048_576 }],
    ['text-embedding-3-small', { contextTokens: 8_192, output: ['embedding'] }],
    ['gpt-image-1', { input: ['text', 'image'], output: ['image'] }],
    ['whisper-1', { input: ['audio'], output: ['text'] }],
  ])('of %s match its vendor’s documentation', (model, facts) => {
    expect(factsOf(model)).toMatchObject(facts)
  })

  test.each(['my-model', 'gpt-9', 'claude-opus-6', 'gemini-5-pro', 'constructor', ''])(
    'of %s, which is not documented, are empty',
    (model) => {
      expect(factsOf(model)).toEqual({})
    },
  )

  test('contain no shutdown date for a model without one', () => {
    for (const model of ['gpt-5.2', 'claude-opus-4-8', 'gemini-2.5-flash-lite', 'gpt-4o-audio-preview'])
      expect(factsOf(model).shutdownDate).toBeUndefined()
  })

  test.each([
    'gpt-5.4',
    'gpt-5-pro',
    'gpt-4.1',
    'gpt-4',
    'o3',
    'claude-opus-4-1',
    'claude-sonnet-4-6',
    'claude-opus-4-8',
    'claude-haiku-5-5',
    'gemini-2.5-pro',
  ])('of %s do not exceed the sizes used for holds', (model) => {
    const { contextTokens = 0, outputTokensMax = 0 } = sizesOf(model) ?? {}
    expect(factsOf(model).contextTokens).toBeLessThanOrEqual(contextTokens)
    expect(factsOf(model).outputTokensMax).toBeLessThanOrEqual(outputTokensMax)
  })
})
