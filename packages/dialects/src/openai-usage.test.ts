import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputTokens, outputTokens } from './usage.ts'
import {
  cachedIn,
  readLlamaUsage,
  readMoonshotUsage,
  readOpenAiUsage,
  readXaiUsage,
  usageReader,
} from './openai-usage.ts'

describe('readOpenAiUsage', () => {
  it('reads the searches that an upstream made by itself', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, server_tool_use: { web_search_requests: 3 } }
    expect(readOpenAiUsage({ usage })?.toolCalls).toEqual({ web_search: 3 })
    const asText = { ...usage, server_tool_use: { web_search_requests: '3' } }
    expect(readOpenAiUsage({ usage: asText })?.toolCalls).toEqual({ web_search: 3 })
    for (const requests of [0, -1, 1.5, 'three', null]) {
      const reported = { ...usage, server_tool_use: { web_search_requests: requests } }
      expect(readOpenAiUsage({ usage: reported })).not.toHaveProperty('toolCalls')
    }
  })

  it('counts every token in exactly one bucket', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: {
        cached_tokens: 30,
        audio_tokens: 20,
        image_tokens: 10,
        cached_creation_tokens: 5,
      },
      completion_tokens_details: { reasoning_tokens: 25, audio_tokens: 15 },
    }
    expect(readOpenAiUsage({ usage })).toEqual({
      inputText: 35,
      cacheRead: 30,
      cacheWrite5m: 5,
      cacheWrite1h: 0,
      inputImage: 10,
      inputAudio: 20,
      outputText: 35,
      outputAudio: 15,
      outputImage: 0,
      reasoning: 25,
      raw: usage,
    })
  })

  it('reads the newer member names, and counts a lone total as input', () => {
    expect(readOpenAiUsage({ usage: { input_tokens: 3, output_tokens: 4 } })).toMatchObject({
      inputText: 3,
      outputText: 4,
    })
    expect(readOpenAiUsage({ usage: { total_tokens: 9 } })).toMatchObject({ inputText: 9, outputText: 0 })
    expect(readOpenAiUsage({ usage: { prompt_tokens: 4, total_tokens: 9 } })).toMatchObject({ outputText: 5 })
    expect(readOpenAiUsage({ usage: { completion_tokens: 4, total_tokens: 9 } })).toMatchObject({
      inputText: 5,
    })
  })

  it('adds reasoning only if the vendor left it out of the output', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 7 } }
    const apart = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 22, ...details }
    const inside = { prompt_tokens: 10, completion_tokens: 12, total_tokens: 22, ...details }
    expect(readOpenAiUsage({ usage: apart })).toMatchObject({ outputText: 12, reasoning: 7 })
    expect(readOpenAiUsage({ usage: inside })).toMatchObject({ outputText: 12, reasoning: 7 })
  })

  it.each([
    ['none', {}],
    ['null', { usage: null }],
    ['an empty one', { usage: {} }],
    ['zeros', { usage: { prompt_tokens: 0, completion_tokens: 0 } }],
    ['no count at all', { usage: { prompt_tokens: -1, completion_tokens: 'five' } }],
  ])('returns undefined for %s', (_name, answer) => {
    expect(readOpenAiUsage(answer)).toBeUndefined()
  })

  it.each([
    [{ cached_tokens: 2_000 }, { cacheRead: 2_000, cacheWrite5m: 0 }],
    [
      { cached_tokens: 2_000, cache_write_tokens: 500 },
      { cacheRead: 2_000, cacheWrite5m: 500 },
    ],
    [
      { cached_tokens: 2_000, audio_tokens: 10 },
      { cacheRead: 2_000, inputAudio: 10, inputText: 990 },
    ],
  ])('keeps the rest of a report with more cached than input tokens: %j', (details, buckets) => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 5_000, prompt_tokens_details: details }
    const read = readOpenAiUsage({
      usage: { ...usage, completion_tokens_details: { reasoning_tokens: 4_990 } },
    })
    expect(read).toMatchObject({ ...buckets, outputText: 5_000, isMended: true, doubtfulInput: 1_000 })
  })
})

describe('usage readers of vendors', () => {
  const base = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }

  it('find cached input in vendor-specific members', () => {
    expect(
      cachedIn('prompt_cache_hit_tokens')({ usage: { ...base, prompt_cache_hit_tokens: 60 } })?.cacheRead,
    ).toBe(60)
    expect(readMoonshotUsage({ usage: { ...base, cached_tokens: 40 } })?.cacheRead).toBe(40)
    expect(readMoonshotUsage({ choices: [{ usage: { ...base, cached_tokens: 40 } }] })?.cacheRead).toBe(40)
    expect(readLlamaUsage({ usage: base, timings: { cache_n: 30 } })?.cacheRead).toBe(30)
  })

  it('prefer the documented member', () => {
    const usage = { ...base, prompt_cache_hit_tokens: 60, prompt_tokens_details: { cached_tokens: 50 } }
    expect(cachedIn('prompt_cache_hit_tokens')({ usage })?.cacheRead).toBe(50)
  })

  it('derive the output from the total', () => {
    expect(readXaiUsage({ usage: { ...base, total_tokens: 150 } })?.outputText).toBe(50)
  })
})

describe('any reported usage', () => {
  it('gives disjoint buckets that are never negative and add up', () => {
    const amount = fc.oneof(fc.nat(5000), fc.constantFrom(-1, 0.5, null, undefined, '7', 2 ** 53, Number.NaN))
    const details = fc.oneof(
      fc.constantFrom(null, undefined, 3, []),
      fc.record({
        cached_tokens: amount,
        audio_tokens: amount,
        image_tokens: amount,
        cached_creation_tokens: amount,
        reasoning_tokens: amount,
      }),
    )
    const usage = fc.record({
      prompt_tokens: amount,
      completion_tokens: amount,
      total_tokens: amount,
      cached_tokens: amount,
      prompt_tokens_details: details,
      completion_tokens_details: details,
    })
    const rule = fc.record({
      cachedIn: fc.constantFrom([], ['cached_tokens']),
      isOutputFromTotal: fc.boolean(),
    })
    fc.assert(
      fc.property(usage, rule, (reported, each) => {
        const read = usageReader(each)({ usage: reported })
        if (read === undefined) return
        const {
          raw: _raw,
          reasoning = 0,
          toolCalls: _toolCalls,
          serviceTier: _tier,
          parts: _parts,
          isMended = false,
          doubtfulInput: _doubtful,
          lost,
          unknownCounts: _unknown,
          ...buckets
        } = read
        for (const tokens of Object.values(buckets)) {
          expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true)
        }
        expect(reasoning).toBeLessThanOrEqual(read.outputText)
        if (typeof reported.prompt_tokens === 'number' && !isMended && lost?.input === undefined)
          expect(inputTokens(read)).toBe(reported.prompt_tokens)
        if (typeof reported.completion_tokens === 'number' && lost?.output === undefined) {
          expect(outputTokens(read)).toBeGreaterThanOrEqual(reported.completion_tokens)
        }
      }),
      { numRuns: process.env['TOLLGATE_QUICK'] ? 1_000 : 10_000 },
    )
  })
})

describe('the service tier of a response', () => {
  it.each([
    ['priority', 'priority'],
    ['Flex', 'flex'],
    ['default', undefined],
    ['auto', undefined],
    [null, undefined],
    ['a b', undefined],
    [7, undefined],
  ])('%j beside the usage is read as %s', (reported, tier) => {
    const usage = { prompt_tokens: 1, completion_tokens: 1 }
    expect(usageReader({})({ usage, service_tier: reported })?.serviceTier).toBe(tier)
  })
})
